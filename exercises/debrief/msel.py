"""``msel.xlsx``: the cards of an exercise as a list of injects that another exercise can play.

``averse play --injects msel.xlsx --no-cards`` plays them again, on the same targets.
"""

from pathlib import Path

from exercises.debrief.cards import CardPlayed
from exercises.debrief.event_journal import exercise_time
from exercises.debrief.figures import ClassFigures, TeamFigures
from exercises.debrief.material import Material
from exercises.debrief.tables import Cell, Table, write_xlsx
from exercises.event_words import told
from exercises.injects_file import target_label
from exercises.moment_words import clock
from exercises.voice import voice
from sim.rules import CARDS, Card

MSEL = "msel.xlsx"


def write_msel(
    material: Material, figures: ClassFigures, folder: Path, lang: str
) -> tuple[Path, ...]:
    """Write ``msel.xlsx`` of every team."""
    return tuple(
        write_xlsx(material.folder_of(team.team, folder) / MSEL, (msel_table(team, lang),))
        for team in figures.teams
    )


def msel_table(figures: TeamFigures, lang: str) -> Table:
    """Return the injects that play a team's cards again, drawn ones and the instructor's.

    The first four columns are those that ``--injects`` reads. A card that struck nothing is left
    out: played again it might strike.
    """
    say = voice(lang)
    headings = (
        *(say.phrase("turn"), say.phrase("card"), say.phrase("target"), say.phrase("note")),
        *(say.phrase("exercise time"), say.phrase("clock time")),
        *(say.phrase("origin"), say.phrase("announced"), say.phrase("what happened")),
    )
    return Table(
        say.phrase("cards"), headings, tuple(_row(figures, card, lang) for card in _once(figures))
    )


def _once(figures: TeamFigures) -> list[CardPlayed]:
    """Cards that struck, each once: a list may not play one twice, nor two injunctions a turn."""
    kept: dict[tuple[object, ...], CardPlayed] = {}
    for card in figures.cards:
        alike = None if card.card is Card.INJUNCTION else card.target
        if card.struck:
            kept.setdefault((card.turn, card.card, alike), card)
    return list(kept.values())


def _row(figures: TeamFigures, card: CardPlayed, lang: str) -> tuple[Cell, ...]:
    say, world = voice(lang), figures.team.world
    inject = card.as_inject
    label = CARDS[card.card]
    return (
        card.turn,
        label.label_fr if lang == "fr" else label.label_en,
        target_label(world.district, inject, lang),
        inject.note,
        exercise_time(card.turn, lang),
        clock(world.hour, card.turn, lang),
        say.phrase("the instructor's") if card.inject else say.phrase("drawn"),
        say.phrase("yes") if card.announced else say.phrase("no"),
        told(card.event, world.district, lang),
    )
