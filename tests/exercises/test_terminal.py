"""An exercise at the keyboard: driven through its input, it shows what a team may see alone."""

import ast
import io
import re
import subprocess
import sys
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import exercises.terminal
from exercises.chain import ExerciseOptions, OpenExercise
from exercises.cli import main
from exercises.flood_family import FLOOD
from exercises.journal import JOURNAL, read_journal
from exercises.live import LiveExercise, begin
from exercises.order_forms import FaultyOrderError
from exercises.terminal import sit_down, words
from exercises.terminal.commands import ORDER_COMMANDS, command_of, order_entry
from exercises.terminal.news import news_lines
from exercises.terminal.seat import Seat
from exercises.terminal.vocabulary import COMMANDS
from exercises.terminal.words import keys, say
from sim.events import AlertRolled
from sim.orders import Alert, Forecast
from sim.rules import Card, Confidence, Protection
from sim.scenario import Inject, Scenario
from sim.world import World
from tests.gis import hand_pack

DISTRICT = hand_pack.district()
SHEET = DISTRICT.sheet
SEED = "00112233445566778899aabbccddeeff"
TURNS = 4


def water(turns=TURNS, rise=120):
    """A river in column 5 that rises over both banks, turn after turn."""
    column = np.arange(SHEET.n_hexes) // SHEET.rows
    swell = np.arange(turns + 1)[:, None] * rise - 150 * np.abs(column - 4)[None, :]
    return np.where(DISTRICT.active, np.clip(swell, 0, 900), 0).astype(np.int32)


def world(depth=None, scenario=None, turns=TURNS):
    depth = water(turns) if depth is None else depth
    return World(DISTRICT, depth, 5, SEED, 14, turns, scenario or Scenario())


def opened(folder, made=None, lang="en"):
    folder.mkdir(parents=True, exist_ok=True)
    if not (folder / JOURNAL).exists():
        begin(folder / JOURNAL, FLOOD, made or world(), SEED, {"player": "terminal"})
    options = ExerciseOptions(player="terminal", lang=lang)
    return OpenExercise(folder / "pack", folder, DISTRICT, options)


def type_in(capsys, there, *lines):
    """What the terminal says to some lines, and the exercise where it is over."""
    played = sit_down(there, io.StringIO("".join(f"{line}\n" for line in lines)))
    return capsys.readouterr().out, played


def bodies(folder):
    record = read_journal(folder / JOURNAL)
    return [(entry.kind, entry.body, entry.reason) for entry in record.entries]


# ------------------------------------------------------------------------------ a whole game
SCRIPT = (
    *("forecast 0403+1 0603 likely", "end"),
    *("alert 0304 1 up # water at the station", "move 1 0405", "door 2 0203", "end"),
    *("pump P1 0605-0706", "protect 3 out", "close 2", "end"),
    *("open gym", "reserve 3 0203-0303", "end", "end"),
)


def test_a_whole_game_is_played_by_words_and_its_journal_plays_again(capsys, tmp_path):
    text, played = type_in(capsys, opened(tmp_path), *SCRIPT)
    assert "The exercise is over." in text
    assert "Traceback" not in text
    assert "Refused" not in text
    assert [type(o).__name__ for o in played.orders[1]] == ["Alert", "Move", "DoorToDoor"]
    assert played.orders[0] == (
        Forecast(turn=0, cells=played.orders[0][0].cells, confidence=Confidence.LIKELY),
    )
    assert set(played.orders[0][0].cells) >= {SHEET.index_of("0403"), SHEET.index_of("0603")}
    assert played.orders[1][0] == Alert(
        turn=1,
        centre=SHEET.index_of("0304"),
        radius=1,
        option=Protection.UP,
        reason="water at the station",
    )
    with LiveExercise(tmp_path / JOURNAL) as again:
        assert again.state.state == played.states[-1]


def test_the_same_words_in_french_give_the_same_game(capsys, tmp_path):
    _, english = type_in(capsys, opened(tmp_path / "en"), *SCRIPT)
    french = (
        *("pronostic 0403+1 0603 probable", "fin"),
        *("alerter 0304 1 monter # water at the station", "envoyer patrouille-1 0405"),
        *("porte 2 0203", "fin", "pomper motopompe-1 0605-0706", "proteger Nord-Est hors"),
        *("fermer Gymnase", "fin", "ouvrir 2", "réserver 3 0203-0303", "fin", "FIN"),
    )
    text, played = type_in(capsys, opened(tmp_path / "fr", lang="fr"), *french)
    assert played.states == english.states
    assert "L'exercice est terminé." in text
    for word in ("Turn", "Order", "taken", "Seen"):
        assert word not in text


def test_left_at_any_line_it_goes_on_to_the_same_end(capsys, tmp_path):
    _, whole = type_in(capsys, opened(tmp_path / "whole"), *SCRIPT)
    for number, leave in enumerate(("quit", "")):  # by a word, and by the input's end
        folder = tmp_path / str(number)
        for at, line in enumerate(SCRIPT):
            words = (line, leave) if leave else (line,)
            text, played = type_in(capsys, opened(folder), *words)
            if at < len(SCRIPT) - 1:
                assert played is None
                assert "--resume" in text
        assert played.states == whole.states


def test_every_order_is_in_the_journal_before_it_is_answered(capsys, tmp_path):
    there = opened(tmp_path)

    class Lines(io.StringIO):
        def __init__(self, text):
            super().__init__(text)
            self.held = []

        def readline(self, *size):
            record = read_journal(tmp_path / JOURNAL)
            self.held.append(len(record.entries))
            return super().readline(*size)

    source = Lines("end\nalert 0304 1\nalert 0304 9\nundo 1\nlook 0304\n")
    sit_down(there, source)
    assert source.held == [0, 1, 2, 3, 4, 4]
    assert bodies(tmp_path)[1][0] == "order"
    capsys.readouterr()


# ------------------------------------------------------------------------------ orders
def test_9_5_a_refusal_tells_its_rule_and_costs_nothing(capsys, tmp_path):
    text, _ = type_in(
        capsys, opened(tmp_path), "end", "alert 0304 9", "move 1 0304", "orders", "status"
    )
    assert "Refused (§9.1)" in text
    assert "Refused (§9.5)" in text
    assert "3 orders left of 3" in text
    assert "orders 0/3" in text


def test_9_1_over_budget_is_refused_and_undo_gives_back(capsys, tmp_path):
    lines = ("end", "close 1", "close 2", "move 1 0405", "move 2 0405", "undo", "undo 1", "orders")
    text, _ = type_in(capsys, opened(tmp_path), *lines)
    assert "over budget" in text
    assert "Order 3 withdrawn." in text
    assert "Order 1 withdrawn." in text
    assert "2 orders left of 3" in text


def test_undo_still_knows_the_orders_given_before_leaving(capsys, tmp_path):
    type_in(capsys, opened(tmp_path), "end", "close 1", "alert 0304 9", "close 2")
    text, _ = type_in(capsys, opened(tmp_path), "undo", "undo", "undo")
    assert "Order 3 withdrawn." in text
    assert "Order 1 withdrawn." in text
    assert "Nothing to undo" in text


def test_13_2_the_prefectures_demand_is_told_until_it_is_answered(capsys, tmp_path):
    made = world(scenario=Scenario(injects=(Inject(1, Card.INJUNCTION, 3),)))
    there = opened(tmp_path, made)
    text, _ = type_in(capsys, there, "end", "obey", "end", "status")
    assert "The prefecture demands that South-East be evacuated" in text
    assert "the prefecture wants South-East evacuated" in text
    after = text.split("Order 1 taken: obey")[1]
    assert "The prefecture is obeyed for South-East" in after
    assert "The prefecture demands" not in after


WRONG_LINES = [
    ("dance", "“dance” is no command"),
    ("re", "may be reserve, refuse, reports"),
    ("alert", "Write: alert HEX"),
    ("alert 0304 x", "Write: alert HEX"),
    ("alert 9999 1", "9999"),
    ("move 1", "Write: move UNIT HEX"),
    ("move x9 0304", "Write: move UNIT HEX"),
    ("move 99 0304", "no unit 'patrol-99'"),
    ("pump 1 0304-0305", "it takes a pump truck"),
    ("pump P1 0304", "two hexes"),
    ("reserve 1 0304", "Write: reserve"),
    ("protect 9 up", "no quarter"),
    ("protect 1", "Write: protect"),
    ("close", "Write: close SHELTER"),
    ("close nowhere", "no shelter"),
    ("deliver B9 0304", "no unit 'boat-9'"),
    ("forecast 0304", "frozen since turn 1"),
    ("obey", "asks nothing this turn"),
    ("obey now", "Write: obey"),
    ("undo 7", "Nothing to undo"),
    ("look", "Write: look HEX"),
    ("look 9999", "There is no hex 9999"),
    ("map 01x", "There is no hex 01x"),
    ("units now", "Write: units"),
    ("help dance", "no command"),
    ("# only a reason", ""),
    ("", ""),
    ("\x00\x1b[31m", "no command"),
    ("alert 0304 1 # \udce9", "No order"),
]


def test_6_3_an_order_is_tried_without_giving_it(capsys, tmp_path):
    there = opened(tmp_path)
    tries = ("try alert 0304 1", "try 1", "try P1", "try pump P1 0605-0706", "try move 1 0405")
    text, _ = type_in(capsys, there, "end", *tries, "try deliver B1 0304", "try alert 0304 9")
    told = [" ".join(answer.split()) for answer in answers(text)[1:]]
    assert told[0].startswith("Would be taken; 2 orders of 3 would be left. Touches 7 hexes")
    assert "alert rolls: North-West, South-West." in told[0]
    assert told[1].startswith("move: ")
    assert "door: " in told[1]
    assert "pump: " not in told[1]
    assert "pump: " in told[2]
    assert "Takes effect from turn 2" in told[3]
    assert "there in turn 1; at the end of each turn it will be at 0405." in told[4]
    assert "Would be refused (§11)" in told[5]
    assert "Would be refused (§9.1)" in told[6]
    assert [kind for kind, _, _ in bodies(tmp_path)] == ["advance"]  # nothing was given


def test_9_3_a_quarter_is_named_in_any_letters(capsys, tmp_path):
    _, played = type_in(capsys, opened(tmp_path), "end", *["protect nord-est out", "end"] * 4)
    assert played.orders[1][0].quarter == DISTRICT.quarters.index("Nord-Est")


def answers(text):
    """What was said to every line."""
    return re.split(r"^(?:turn|tour|forecast|pronostic)[ 0-9]*> ?$", text, flags=re.M)[1:]


def test_whatever_is_typed_is_answered_in_a_sentence(capsys, tmp_path):
    text, _ = type_in(capsys, opened(tmp_path), "end", *(line for line, _ in WRONG_LINES))
    told = answers(text)[1:]
    assert len(told) == len(WRONG_LINES) + 1  # and the farewell
    for (line, said), answer in zip(WRONG_LINES, told, strict=False):
        assert said in " ".join(answer.split()), line
        assert len(answer.strip().splitlines()) <= 4, line


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_help_shows_every_command_with_an_example_that_is_understood(lang, capsys, tmp_path):
    lines = [f"help {command.word(lang)}" for command in COMMANDS.values()]
    text, _ = type_in(capsys, opened(tmp_path, lang=lang), *lines)
    with LiveExercise(tmp_path / JOURNAL) as live:
        view = Seat(live).view
    for (key, command), answer in zip(COMMANDS.items(), answers(text), strict=False):
        usage, what, example = command.shown(lang)
        for part in (usage, what, example):
            assert part in " ".join(answer.split())
        words = example.partition("#")[0].split()
        assert command_of(words[0], lang) == key
        if key in ORDER_COMMANDS:
            with suppress(FaultyOrderError):  # hexes of a larger sheet
                assert order_entry(key, words[1:], DISTRICT, view)["turn"] == 0


# ------------------------------------------------------------------------------ the screen
def every_answer(capsys, folder, lang, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    lines = ["end", "alert 0304 1", "end", "end"]
    lines += [f"{c.word(lang)}" for k, c in COMMANDS.items() if c.section.name == "LOOK"]
    lines += ["look 0404", "help", "orders", "map 0101", "map 1008"]
    return type_in(capsys, opened(folder, world(turns=8), lang=lang), *lines)[0]


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_nothing_is_wider_than_80_signs_and_help_and_map_fit_24_lines(
    lang, capsys, tmp_path, monkeypatch
):
    text = every_answer(capsys, tmp_path, lang, monkeypatch)
    assert max(map(len, text.splitlines())) <= 80
    assert max(len(answer.strip("\n").splitlines()) for answer in answers(text)) <= 23
    assert "\x1b" not in text  # a pipe has no colours


def test_colours_are_for_a_screen_that_wants_them(tmp_path, monkeypatch):
    code = (
        "import sys, io; from rich.console import Console\n"
        "from exercises.terminal.board import WATER_STYLES\nfrom rich.text import Text\n"
        "c = Console(force_terminal=True, color_system='standard', width=80)\n"
        "c.print(Text('2', style=WATER_STYLES[2]))"
    )
    for value, coloured in (("", True), ("1", False)):
        env = {"PATH": "", "TERM": "xterm", **({"NO_COLOR": value} if value else {})}
        done = subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, check=True, env=env
        )
        assert ("\x1b[37;44m" in done.stdout) == coloured
        assert "2" in done.stdout


def test_16_the_map_shows_water_units_marks_and_labels_where_they_are(capsys, tmp_path):
    lines = ("forecast 0705", "end", "move P2 0705", "door 1 0303", "end", "end", "map 0504")
    text, _ = type_in(capsys, opened(tmp_path, world(turns=6)), *lines)
    shown = text.split("turn 3> \n")[-2].splitlines()
    heading = shown[0]
    assert [heading.index(f"{c:02d}") for c in range(1, 11)] == [4 + 4 * c for c in range(10)]

    def signs(label):
        column, row = int(label[:2]) - 1, int(label[2:]) - 1
        first = int(shown[1][:2]) - 1
        y = 1 + 2 * (row - first) + column % 2
        return tuple(line.ljust(80)[4 + 4 * column : 8 + 4 * column] for line in shown[y : y + 2])

    # in turn 3 the banks beside the river have 360 - 150 mm: class 1, where a patrol looks
    assert signs("0404") == ("1 + ", "    ")
    assert signs("0705") == (".:  ", "P2  ")
    assert signs("0303")[0] == ".a  "
    assert signs("0303")[1].startswith("1")
    assert signs("0101") == ("    ", "    ")
    assert signs("0203")[0][2] == "^"


def test_the_map_moves_and_stays_on_the_sheet(capsys, tmp_path, monkeypatch):
    monkeypatch.setattr("exercises.terminal.desk.UNSEEN_COLUMNS", 20)
    monkeypatch.setattr("exercises.terminal.desk.UNSEEN_LINES", 12)
    text, _ = type_in(
        capsys, opened(tmp_path), "map 0101", "east", "south", *["e"] * 9, *["s"] * 9, "n", "w"
    )
    headings = re.findall(r"^    (\d\d)  \d\d", text, flags=re.M)
    assert headings[:3] == ["01", "03", "03"]
    assert headings[11] == "07"
    assert headings[-1] == "05"


def test_6_1_reports_are_told_with_their_age(capsys, tmp_path, monkeypatch):
    monkeypatch.setattr("exercises.terminal.desk.UNSEEN_LINES", 200)
    made = world(water(8, 160), turns=8)
    text, _ = type_in(capsys, opened(tmp_path, made), *["end"] * 6, "reports")
    assert "Residents report: " in text
    table = text.split("reported")[1]
    assert "2 turns" in table
    assert "3 turns" in table


# ------------------------------------------------------------------------------ what is seen
def test_6_4_what_the_team_has_not_seen_changes_no_byte_on_its_screen(capsys, tmp_path):
    """Depths no channel has told: later turns, and trickles off the roads that are looked at."""
    looks = [f"look {SHEET.label(c)}" for c in range(0, SHEET.n_hexes, 7)]
    lines = (*SCRIPT[:5], "map", "units", "quarters", "shelters", "news", *looks, "end", "map")
    plain = water()
    first, _ = type_in(capsys, opened(tmp_path / "a", world(plain)), *lines)
    with LiveExercise(tmp_path / "a" / JOURNAL) as live:
        seen = np.array(Seat(live).view.known_turn) > 0
    rng = np.random.default_rng(4)
    changed = plain.copy()
    trickle = rng.integers(0, 149, size=changed.shape)
    quiet = (changed < 150) & ~seen
    changed[quiet] = trickle[quiet]
    changed[3:] = rng.integers(0, 900, size=changed[3:].shape)
    assert (changed != plain).any()
    second, _ = type_in(capsys, opened(tmp_path / "b", world(changed)), *lines)
    assert first.replace("/a", "/b") == second


def test_6_4_only_the_seat_holds_the_exercise():
    """The other modules of the terminal name neither the state nor the world, nor a journal."""
    forbidden = {"sim.world", "sim.turn", "sim.score", "sim.water", "exercises.journal"}
    for path in sorted(Path(exercises.terminal.__file__).parent.glob("*.py")):
        if path.name == "seat.py":
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom):
                assert node.module not in forbidden, path
                names = {alias.name for alias in node.names}
                assert not names & {"State", "FloodState", "World"}, path
            if isinstance(node, ast.Attribute):
                assert not node.attr.startswith("_world"), path
                assert node.attr not in {"_live", "_turns"}, path


# ------------------------------------------------------------------------------ words
def test_every_text_is_used_and_differs_only_in_language():
    source = "".join(
        path.read_text(encoding="utf-8")
        for path in Path(exercises.terminal.__file__).parent.glob("*.py")
        if path.name != "words.py"
    )
    unused = [key for key in keys() if not re.search(f"[\"']{key}[\"']", source)]
    # a structure of a link is named by its rule
    assert set(unused) <= {"bridge", "underpass"}
    fields = r"\{([a-z]+)"
    for key in keys():
        french, english = (re.findall(fields, _template(key, lang)) for lang in ("fr", "en"))
        assert set(french) == set(english), key


def _template(key, lang):
    return words._WORDS[key][0 if lang == "fr" else 1]


def test_french_counts_one_in_the_singular_and_elides_before_a_name():
    assert say("left", "fr", n=1, of=3) == "Reste 1 ordre sur 3."
    assert say("left", "fr", n=2, of=3) == "Restent 2 ordres sur 3."
    assert say("gathering", "fr", people=1, hex="2314").startswith("Rassemblement de 1 personne ")
    assert "l'évacuation d'Est :" in say("awaited", "fr", quarter="Est")
    assert "l'évacuation du Port :" in say("awaited", "fr", quarter="Le Port")


def test_a_name_between_quotation_marks_is_understood(capsys, tmp_path):
    lines = ("end", 'close "Gymnase"', "open « Gymnase »", "protect 'Sud-Ouest' up")
    said, _ = type_in(capsys, opened(tmp_path / "quoted"), *lines)
    assert "No order" not in said
    assert "Order 1 taken" in said
    assert "Order 3 taken" in said


def test_9_4_word_of_mouth_that_fails_is_one_line_with_a_count():
    failed = [
        AlertRolled(
            turn=3,
            quarter=quarter,
            means="word_of_mouth",
            dice=3,
            modifier=0,
            success=False,
            cells=(),
        )
        for quarter in range(len(DISTRICT.quarters))
    ]
    (line,) = news_lines(DISTRICT, failed, "en")
    assert line.startswith(f"Word of mouth fails in {len(failed)} quarters: North-West, ")
    (line,) = news_lines(DISTRICT, failed[:1], "fr")
    assert line == f"Le bouche à oreille ne passe pas dans 1 quartier : {DISTRICT.quarters[0]}."
    heard = replace(failed[0], success=True, cells=(19,))
    assert len(news_lines(DISTRICT, [heard, *failed], "en")) == 2


def test_numbers_are_written_as_the_language_does():
    assert say("gathering", "en", people=5000, hex="2314") == "5,000 people are gathered at 2314."
    assert "5\u202f000" in say("gathering", "fr", people=5000, hex="2314")


# ------------------------------------------------------------------------------ the command
def test_the_command_plays_saves_resumes_and_finishes(capsys, tmp_path, monkeypatch):
    pack, out = hand_pack.write_hand_pack(tmp_path / "pack"), tmp_path / "mine"

    def averse(text, *arguments):
        monkeypatch.setattr(sys, "argv", ["averse", "play", str(pack), "--out", str(out)])
        sys.argv += [str(argument) for argument in arguments]
        monkeypatch.setattr(sys, "stdin", io.StringIO(text))
        main()
        return capsys.readouterr().out

    text = averse(
        "end\nalert 0304\n",
        *("--terminal", "--turns", 3, "--seed", SEED, "--level", 5, "--weekend"),
        *("--gathering", "0304:400", "--half-staff", "--credibility", 9, "--timer", "tense"),
    )
    for word in (
        "weekend",
        "400 people are gathered at 0304",
        "Half of the units",
        "9 of 10",
        "Tense",
    ):
        assert word in " ".join(text.split())
    assert "Saved at turn 1" in text
    assert (out / "exercise.json").is_file()
    assert not (out / "map.html").exists()
    text = averse("orders\nend\nend\nend\n", "--resume")
    assert "alert 0304 1" in text
    assert "The exercise is over." in text
    assert "14:00, weekend" in " ".join(text.split())
    assert "90 s a turn" in " ".join(text.split())
    assert (out / "map.html").is_file()
    with pytest.raises(SystemExit):
        averse("", "--terminal", "--player", "baseline")
    assert "--terminal" in capsys.readouterr().err
