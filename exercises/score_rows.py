"""The score as rows of names and figures, as a terminal and a map show it (§12)."""

from typing import Any

from exercises.exports import UNDEFINED
from exercises.voice import Voice
from sim.rules import CAPITAL_START, CAPITAL_WARNING_PERCENT, POINTS_CAPITAL
from sim.score import Score
from sim.state import HUNDREDTHS


def score_rows(score: Score, say: Voice) -> list[tuple[str, str]]:
    """The three comparisons, the victims, recall and precision (§12)."""
    return [
        *_ended_early(score, say),
        (
            say.phrase("score"),
            say.plural(
                "{n:,} point of {maximum:,} possible",
                "{n:,} points of {maximum:,} possible",
                score.points,
                maximum=score.maximum,
            ),
        ),
        (say.phrase("needed, and done"), say.people(HUNDREDTHS * score.saved)),
        (
            say.phrase("needed, not done"),
            say.people(HUNDREDTHS * (score.threatened - score.saved)),
        ),
        (say.phrase("of these, sheltered too late"), say.people(HUNDREDTHS * score.late)),
        *_not_yet_cut(score, say),
        (
            say.phrase("not needed"),
            say.plural("{n:,} place", "{n:,} places", score.misused),
        ),
        (say.phrase("victims"), say.number(score.victims)),
        (
            say.phrase("political capital"),
            say.phrase(
                "{capital} of 100 ({start} at the start): {points}",
                capital=score.capital,
                start=CAPITAL_START,
                points=say.plural(
                    "{n:,} point",
                    "{n:,} points",
                    POINTS_CAPITAL * (score.capital - CAPITAL_START),
                ),
            ),
        ),
        *_capital_at_stake(score, say),
        (say.phrase("recall"), _share(score.recall, say)),
        (say.phrase("precision"), _share(score.precision, say)),
        (
            say.phrase("forecast"),
            say.phrase(
                "recall {recall}, precision {precision}",
                recall=_share(score.forecast_recall, say),
                precision=_share(score.forecast_precision, say),
            ),
        ),
    ]


def _ended_early(score: Score, say: Voice) -> list[tuple[str, str]]:
    if not score.is_early:
        return []
    ended = say.phrase("after turn {turn} of {turns}", turn=score.turns, turns=score.of_turns)
    return [(say.phrase("ended early"), ended)]


def _not_yet_cut(score: Score, say: Voice) -> list[tuple[str, str]]:
    """Those whom the storm would have cut off after the end: what was left is not all missed."""
    if not score.is_early:
        return []
    return [(say.phrase("of these, not cut off yet"), say.people(HUNDREDTHS * score.not_yet_cut))]


def _capital_at_stake(score: Score, say: Voice) -> list[tuple[str, str]]:
    """What is said where political capital could decide the exercise by itself (§12.3)."""
    if not score.capital_outweighs:
        return []
    warning = say.plural(
        "the worst and the best answer to the prefecture lie {n:,} point apart, over {share} of "
        "all that sheltering can win: judge that answer apart",
        "the worst and the best answer to the prefecture lie {n:,} points apart, over {share} of "
        "all that sheltering can win: judge that answer apart",
        score.capital_span,
        share=say.percent(CAPITAL_WARNING_PERCENT / 100, 0),
    )
    return [(say.phrase("weight of the capital"), warning)]


def _share(share: Any, say: Voice) -> str:
    return UNDEFINED if share is None else say.percent(float(share))
