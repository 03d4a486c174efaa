"""The desk: reads a line, does what it says, until the exercise is over or somebody leaves.

Every order is in the journal before it is answered, so that leaving, the end of the input and a
crash lose nothing.
"""

import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from math import ceil
from time import monotonic
from types import MappingProxyType
from typing import TextIO

from rich.console import Console
from rich.table import Table
from rich.text import Text

from exercises.chain import OpenExercise
from exercises.live import LiveExercise
from exercises.moment_words import bulletin_text, clock
from exercises.order_forms import FaultyOrderError, order_from
from exercises.order_words import refused
from exercises.session import PlayedExercise
from exercises.terminal.bell import Bell, Clock, TimeUpError
from exercises.terminal.board import CELL, MARGIN, Window, board
from exercises.terminal.commands import (
    ORDER_COMMANDS,
    UnknownWordError,
    UsageFaultError,
    command_of,
    order_entry,
    unit_name,
)
from exercises.terminal.look import links_table, look_lines
from exercises.terminal.news import news_lines
from exercises.terminal.seat import Seat
from exercises.terminal.tables import (
    orders_lines,
    quarters_table,
    reports_table,
    shelters_table,
    typed,
    units_table,
)
from exercises.terminal.trial import hints_lines, preview_lines
from exercises.terminal.vocabulary import COMMANDS, Section
from exercises.terminal.words import labelled, say
from gis.quarter_names import quarters_said
from sim.errors import DistrictError
from sim.events import OrderRefused, OrderTaken
from sim.orders import FORECAST_TURN, Order, Withdraw
from sim.refusal import Refusal
from sim.rules import HOURS, TIMERS
from sim.view import staffing_at

with suppress(ImportError):
    import readline  # noqa: F401  (arrows and past lines at a keyboard)

LINES_BESIDE_THE_MAP = 6
"""Of a screen: the column numbers, the last half row, the status, the prompt."""
UNSEEN_COLUMNS, UNSEEN_LINES = 80, 24
"""Screen of a pipe."""


def sit_down(
    opened: OpenExercise, source: TextIO | None = None, clock: Clock = monotonic
) -> PlayedExercise | None:
    """Play an open exercise from lines that somebody types.

    Parameters
    ----------
    opened : OpenExercise
    source : text stream, optional
        Where the lines come from [the standard input].
    clock : callable, optional
        Seconds that only grow, for the timer (§14).

    Returns
    -------
    PlayedExercise or None
        None when somebody left, or the input ended, before the last turn was over.

    Raises
    ------
    JournalError
        If the journal can no longer be written: what it holds is kept.
    """
    with LiveExercise(opened.journal) as live:
        desk = Desk(Seat(live), opened.options.lang, source, clock)
        try:
            desk.work()
        except KeyboardInterrupt:
            desk.tell("")
        if desk.seat.is_over:
            return desk.seat.played()
        turn = desk.seat.view.turn
        desk.say("saved", turn=turn, pack=opened.pack, out=opened.out)
        return None


class Desk:
    """Somebody at the keyboard: the seat, the language, the part of the map that is shown."""

    def __init__(
        self, seat: Seat, lang: str, source: TextIO | None = None, clock: Clock = monotonic
    ) -> None:
        self.seat, self.lang, self.source = seat, lang, source
        self.bell = Bell(clock)
        screen = sys.stdout.isatty()
        self.console = Console(
            width=None if screen else UNSEEN_COLUMNS,
            height=None if screen else UNSEEN_LINES,
            highlight=False,
            markup=False,
            emoji=False,
        )
        sheet = seat.district.sheet
        whole = Window(0, 0, sheet.columns, sheet.rows)
        self.window = self._sized(whole).about(
            sheet.columns // 2, sheet.rows // 2, sheet.columns, sheet.rows
        )

    # ------------------------------------------------------------------------- telling
    def tell(self, what: str | Text | Table) -> None:
        """Print a line or a table."""
        self.console.print(what)

    def say(self, key: str, **values: object) -> None:
        """Print a text of ``words``."""
        self.tell(say(key, self.lang, **values))

    def _refuse(self, key: str, refusal: Refusal) -> None:
        self.say(key, rule=refusal.rule, why=refused(refusal, self.lang))

    def _word(self, key: str) -> str:
        return COMMANDS[key].word(self.lang)

    # ------------------------------------------------------------------------- working
    def work(self) -> None:
        """Answer line after line."""
        self._welcome()
        self._wind()
        while not self.seat.is_over:
            try:
                line = self._line()
            except TimeUpError:
                self._time_up()
                continue
            if line is None or not self.answer(line):
                return
        self.say("over")

    def _line(self) -> str | None:
        """Next line; None at the end of the input.

        Raises
        ------
        TimeUpError
            If the turn's time is up before it is finished (§14).
        """
        prompt = self._prompt()
        if self.source is None and sys.stdin.isatty():
            try:
                return self.bell.ask(lambda: input(prompt))
            except EOFError:
                self.tell("")
                return None
        self.console.print(prompt, end="")
        line = self.bell.ask((self.source or sys.stdin).readline)
        self.tell("")  # nobody's Enter ended the line of the prompt
        return line if line else None

    def _prompt(self) -> str:
        turn, left = self.seat.view.turn, self.bell.left_s
        if turn == FORECAST_TURN:
            return say("forecast_prompt", self.lang)
        if left is None:
            return say("prompt", self.lang, turn=turn)
        minutes, seconds = divmod(ceil(left), 60)
        return say("timed_prompt", self.lang, turn=turn, left=f"{minutes}:{seconds:02}")

    def _wind(self) -> None:
        """Give the turn that opens its time (§14)."""
        self.bell.wind(0 if self.seat.is_over else self.seat.view.timer_s)

    def _time_up(self) -> None:
        """Resolve the turn with the orders given: its time is up (§14)."""
        self.tell("")
        self.say("time_up", turn=self.seat.view.turn)
        self._end()

    def answer(self, line: str) -> bool:
        """Do what a line says; False when it says to leave."""
        text, _, reason = line.partition("#")
        words = text.split()
        if not words:
            return True
        try:
            key = command_of(words[0], self.lang)
        except UnknownWordError as unknown:
            if unknown.among:
                self.say("ambiguous", word=_shown(unknown.word), among=", ".join(unknown.among))
            else:
                self.say("unknown", word=_shown(unknown.word))
            return True
        if key == "quit":
            return False
        try:
            self._do(key, words[1:], reason.strip())
        except UsageFaultError:
            usage, _, example = COMMANDS[key].shown(self.lang)
            self.say("usage", usage=usage, example=example)
        return True

    def _do(self, key: str, words: list[str], reason: str) -> None:
        if key in ORDER_COMMANDS:
            self._order(key, words, reason)
        elif key == "undo":
            self._undo(words)
        elif key in _WITH_WORDS:
            _WITH_WORDS[key](self, words)
        elif words:
            raise UsageFaultError
        elif key in _PANS:
            self._pan(*_PANS[key])
        else:
            {
                "legend": lambda: self.say("legend"),
                "units": lambda: self.tell(units_table(self.seat, self.lang)),
                "shelters": lambda: self.tell(shelters_table(self.seat, self.lang)),
                "quarters": lambda: self.tell(quarters_table(self.seat, self.lang)),
                "reports": self._reports,
                "news": lambda: self._news(None),
                "orders": lambda: self.tell("\n".join(orders_lines(self.seat, self.lang))),
                "status": self._status,
                "end": self._end,
            }[key]()

    # ------------------------------------------------------------------------- orders
    def _order(self, key: str, words: list[str], reason: str) -> None:
        seat, order = self.seat, self._read(key, words, reason)
        if order is None:
            return
        for event in seat.give(order):
            if isinstance(event, OrderRefused):
                self._refuse("refused", event.refusal)
            elif isinstance(event, OrderTaken):
                said = typed(seat.district, order, self.lang)
                self.say("taken", number=seat.slip.given, order=said)

    def _read(self, key: str, words: list[str], reason: str) -> Order | None:
        """Return the order that was typed; None where it is none, which is told."""
        district = self.seat.district
        try:
            entry = order_entry(key, words, district, self.seat.view)
            return order_from(district, {**entry, "reason": reason})
        except FaultyOrderError as fault:
            self._refuse("not_order", fault.refusal)
            return None

    def _try(self, words: list[str]) -> None:
        """Tell what an order would do, or what a unit may be ordered; nothing is given."""
        if not words:
            raise UsageFaultError
        try:
            key = command_of(words[0], self.lang)
        except UnknownWordError:
            key = ""
        if key in ORDER_COMMANDS:
            order = self._read(key, words[1:], "")
            lines = [] if order is None else preview_lines(self.seat, order, self.lang)
        elif len(words) == 1:
            lines = hints_lines(self.seat, unit_name(words[0]), self.lang)
        else:
            raise UsageFaultError
        for line in lines:
            self.tell(line)

    def _undo(self, words: list[str]) -> None:
        pending = self.seat.view.pending
        if not pending:
            self.say("no_undo")
            return
        number = pending[-1].number
        if words:
            number = self._number(words, self.seat.slip.given)
            if not number:
                return
        for event in self.seat.give(Withdraw(turn=self.seat.view.turn, number=number)):
            if isinstance(event, OrderRefused):
                self._refuse("refused", event.refusal)
            else:
                self.say("withdrawn", number=number)

    def _number(self, words: list[str], last: int) -> int:
        """Return a number of the turn's orders; 0 where it is none, which is told."""
        word = words[0]
        if len(words) > 1:
            raise UsageFaultError
        if not (word.isascii() and word.isdigit() and 1 <= int(word) <= last):
            self.say("no_number", word=word, last=last)
            return 0
        return int(word)

    def _end(self) -> None:
        self.seat.end_turn()
        self._wind()
        if not self.seat.is_over:
            self._news(self.console.height - LINES_BESIDE_THE_MAP)
            self._status()

    # ------------------------------------------------------------------------- looking
    def _welcome(self) -> None:
        seat, view = self.seat, self.seat.view
        self.say(
            "welcome",
            name=seat.district.name,
            hour=labelled(HOURS[view.hour], self.lang),
            day=say("weekend" if seat.weekend else "weekday", self.lang),
            people=int(seat.to_shelter.sum()),
            places=sum(shelter.places for shelter in seat.district.shelters),
        )
        if seat.gathering is not None:
            label = seat.district.sheet.label(seat.gathering.cell)
            self.say("gathering", people=seat.gathering.people, hex=label)
        if seat.half_staff:
            self.say("half_staff")
        self.say("credibility", n=seat.credibility)
        if seconds := TIMERS[seat.timer].seconds:
            self.say("timer", label=labelled(TIMERS[seat.timer], self.lang), n=seconds)
        self.say("type_help")
        if view.turn != FORECAST_TURN or seat.slip.given:
            self.say("resumed", turn=view.turn)
        if not seat.is_over:
            self._status()

    def _status(self) -> None:
        seat, view = self.seat, self.seat.view
        if view.turn == FORECAST_TURN:
            painted = {cell for one in view.pending for cell in getattr(one.order, "cells", ())}
            self.say("forecast_status", painted=len(painted))
            return
        self.say(
            "status",
            turn=view.turn,
            turns=view.turns,
            clock=clock(view.hour, view.turn, self.lang),
            light=say("night" if view.night else "day", self.lang),
            staff=labelled(staffing_at(view.turn), self.lang),
            spent=view.orders - view.orders_left,
            orders=view.orders,
            radius=view.brush_radius,
        )
        said = bulletin_text(view.bulletin, seat.district.is_literal, self.lang)
        self.say("bulletin", capital=view.capital, said=said)
        for one in view.injunctions:
            if one.obeyed is None:
                name = quarters_said(seat.district, self.lang)[one.quarter]
                self.say("awaited", quarter=name)

    def _news(self, most: int | None) -> None:
        lines = news_lines(self.seat.district, self.seat.news, self.lang)
        if not lines:
            self.say("no_news")
            return
        for line in lines[:most]:
            self.tell(line)
        if most is not None and len(lines) > most:
            self.tell(f"{say('more', self.lang, n=len(lines) - most)} ({self._word('news')})")

    def _reports(self) -> None:
        table = reports_table(self.seat, self.lang, self.console.height - LINES_BESIDE_THE_MAP)
        if table is None:
            self.say("no_reports")
        else:
            self.tell(table)

    def _look(self, words: list[str]) -> None:
        if len(words) != 1:
            raise UsageFaultError
        cell = self._cell(words[0])
        if cell is None:
            return
        for line in look_lines(self.seat, cell, self.lang):
            self.tell(line)
        self.tell(links_table(self.seat, cell, self.lang))

    def _cell(self, word: str) -> int | None:
        """Return a hex; None where there is none, which is told."""
        sheet = self.seat.district.sheet
        try:
            return sheet.index_of(word)
        except DistrictError:
            first, last = sheet.label(0), sheet.label(sheet.n_hexes - 1)
            self.say("no_hex", word=word, first=first, last=last)
            return None

    # ------------------------------------------------------------------------- the map
    def _map(self, words: list[str]) -> None:
        if len(words) > 1:
            raise UsageFaultError
        self.window = self._sized(self.window)
        sheet = self.seat.district.sheet
        if words:
            cell = self._cell(words[0])
            if cell is None:
                return
            self.window = self.window.about(*divmod(cell, sheet.rows), sheet.columns, sheet.rows)
        for line in board(self.seat, self.window):
            self.console.print(line, no_wrap=True, overflow="crop")

    def _pan(self, east: int, south: int) -> None:
        """Move the window by half of it."""
        self.window = self._sized(self.window)
        shown, sheet = self.window, self.seat.district.sheet
        column = shown.column + east * max(1, shown.columns // 2)
        row = shown.row + south * max(1, shown.rows // 2)
        self.window = replace(
            shown,
            column=max(0, min(column, sheet.columns - shown.columns)),
            row=max(0, min(row, sheet.rows - shown.rows)),
        )
        self._map([])

    def _sized(self, window: Window) -> Window:
        """Return the window as large as the screen lets it be."""
        sheet = self.seat.district.sheet
        columns = max(1, min((self.console.width - MARGIN) // CELL, sheet.columns))
        rows = max(1, min((self.console.height - LINES_BESIDE_THE_MAP) // 2, sheet.rows))
        return Window(
            max(0, min(window.column, sheet.columns - columns)),
            max(0, min(window.row, sheet.rows - rows)),
            columns,
            rows,
        )

    # ------------------------------------------------------------------------- help
    def _help(self, words: list[str]) -> None:
        if words:
            try:
                key = command_of(words[0], self.lang)
            except UnknownWordError:
                self.say("unknown", word=_shown(words[0]))
                return
            usage, what, example = COMMANDS[key].shown(self.lang)
            self.tell(f"{usage}: {what}" if self.lang == "en" else f"{usage} : {what}")
            self.tell(f"   {example}")
            return
        self.say("help_title", word=self._word("help"))
        of = {
            section: [c for c in COMMANDS.values() if c.section is section] for section in Section
        }
        table = Table(box=None, show_header=False, padding=(0, 1, 0, 0), pad_edge=False)
        for command in of[Section.ORDERS]:
            table.add_row(command.word(self.lang), command.shown(self.lang)[1])
        self.tell(table)
        for section in (Section.LOOK, Section.GAME):
            said = ", ".join(command.word(self.lang) for command in of[section])
            self.say(section.value, words=said)


_WITH_WORDS: Mapping[str, Callable[[Desk, list[str]], None]] = MappingProxyType(
    {"help": Desk._help, "map": Desk._map, "look": Desk._look, "try": Desk._try}
)


_MOST_ECHOED = 40
"""Characters of a mistyped word that are said back."""


def _shown(word: str) -> str:
    """Return a word that was typed as it may be said back: short, and nothing a screen obeys."""
    plain = "".join(sign if sign.isprintable() else "?" for sign in word[: _MOST_ECHOED + 1])
    return plain if len(plain) <= _MOST_ECHOED else plain[:_MOST_ECHOED] + "…"


_PANS = {"north": (0, -1), "south": (0, 1), "east": (1, 0), "west": (-1, 0)}

__all__ = ["Desk", "sit_down"]
