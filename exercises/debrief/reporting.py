"""What ``averse debrief`` prints."""

from exercises.debrief.figures import ClassFigures, TeamFigures
from exercises.debrief.write import DebriefPack
from exercises.reporting import console_of, pairs
from exercises.score_rows import score_rows
from exercises.voice import Voice, mark, voice

# what may differ between teams, as it is told
_DIFFERENCES = {
    "seed": mark("the dice and the cards drawn: the seeds are not the same"),
    "turns_played": mark("the number of turns played"),
    "half_staff": mark("the units: half of them away for some"),
    "cards": mark("whether cards are drawn"),
    "injects": mark("the instructor's injects"),
    "credibility": mark("the centre's credibility"),
}


def print_debrief(pack: DebriefPack, lang: str) -> None:
    """Print each team's figures, what is not the same for all, and what to open."""
    say, console = voice(lang), console_of()
    for team in pack.figures.teams:
        console.print(pairs(team.team.name, _rows(team, say)))
    for said in differences_said(pack.figures, say):
        console.print(said)
    console.print(say.phrase("Debrief: {path}", path=pack.opens_with.absolute()))
    if pack.archive is not None:
        console.print(say.phrase("In one file: {path}", path=pack.archive))


def differences_said(figures: ClassFigures, say: Voice) -> list[str]:
    """Return what to know before teams are compared: a sentence each, none where all is alike."""
    whats = [_DIFFERENCES[name] for name in figures.differences if name in _DIFFERENCES]
    return [
        say.phrase("Not the same for every team: {what}", what=say.phrase(what)) for what in whats
    ]


def _rows(figures: TeamFigures, say: Voice) -> list[tuple[str, str]]:
    return score_rows(figures.score, say)
