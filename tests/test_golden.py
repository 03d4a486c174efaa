"""Transcripts of three whole games, read line by line beside the rule book, and kept."""

import pytest

from exercises.session import play
from sim.events import CardDrawn, CardHidden, OrderRefused, OrderTaken
from sim.orders import order_kinds
from sim.rules import Card
from tests.golden.__main__ import path_of, text_of
from tests.golden.games import GAMES

LONGEST = 400


@pytest.mark.parametrize("game", GAMES, ids=[game.name for game in GAMES])
def test_a_game_is_told_as_it_was_reviewed(game):
    text, kept = text_of(game), path_of(game).read_text(encoding="utf-8")
    assert text == kept, "read the difference, then: python -m tests.golden --write"
    assert len(text.splitlines()) <= LONGEST


def test_the_games_give_every_kind_of_order_and_play_every_card():
    events = [e for game in GAMES for told in play(game.world, game.orders).events for e in told]
    given = {type(event.order) for event in events if isinstance(event, (OrderTaken, OrderRefused))}
    # other tests make kinds of their own
    assert given == {kind for kind in order_kinds() if kind.__module__ == "sim.orders"}
    drawn = {event.card for event in events if isinstance(event, (CardDrawn, CardHidden))}
    assert drawn == {card.value for card in Card}
    refused = {event.by_rule for event in events if isinstance(event, OrderRefused)}
    assert refused >= {"5", "9.1", "9.2", "9.5", "9.6", "11", "13.2"}
