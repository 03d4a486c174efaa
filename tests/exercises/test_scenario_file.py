"""A scenario as an instructor writes it: every fault with its place; read back as written."""

import sys
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exercises.chain import ExerciseOptions
from exercises.cli import EXIT_USER_FAULT, main
from exercises.debrief.names import likeness, shown_name
from exercises.flood_family import FLOOD
from exercises.journal import JOURNAL, read_journal
from exercises.live import scenario_of
from exercises.scenario_check import check_scenario
from exercises.scenario_file import ScenarioFaultsError, read_scenario, scenario_of_options
from exercises.scenario_model import MOST_INJECTS, ScenarioFile, exercise_of
from exercises.scenario_options import MOST_TEAMS, MOST_TURNS, ScenarioOptions
from exercises.scenario_template import scenario_text, write_template
from sim.errors import ExerciseError
from sim.rules import HOURS, LEVELS, Card, Timer
from sim.severity_words import LANGUAGES
from sim.signs import without_unfit
from tests.gis import hand_pack

DISTRICT = hand_pack.district()
PEOPLE = int(DISTRICT.residents[DISTRICT.active].sum())


@pytest.fixture(scope="module")
def pack(tmp_path_factory):
    return hand_pack.write_hand_pack(tmp_path_factory.mktemp("town") / "pack")


def told(tmp_path, text, pack=None, **more):
    """What is said of a faulty scenario, a line each."""
    path = tmp_path / "class.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ScenarioFaultsError) as faults:
        read_scenario(path, pack, **more)
    return faults.value.lines


# ------------------------------------------------------------------------- written and read
TEXTS = st.text(max_size=12).map(without_unfit)
NAMES = st.text(st.characters(categories=["L", "N"]), min_size=1, max_size=12).filter(shown_name)
TABLES = st.fixed_dictionaries(
    {"turn": st.just(0), "card": st.sampled_from([card.value for card in Card])},
    optional={"target": TEXTS, "note": TEXTS},
)
SCENARIOS = st.fixed_dictionaries(
    {},
    optional={
        "teams": st.lists(NAMES, max_size=MOST_TEAMS, unique_by=likeness),
        "lang": st.sampled_from(LANGUAGES),
        "hour": st.sampled_from(sorted(HOURS)),
        "turns": st.just(MOST_TURNS),
        "weekend": st.booleans(),
        "gathering": st.fixed_dictionaries({"hex": TEXTS, "people": st.integers(1, 10**6)}),
        "half_staff": st.booleans(),
        "credibility": st.integers(0, 10),
        "timer": st.sampled_from([timer.value for timer in Timer]),
        "cards": st.booleans(),
        "level": st.sampled_from([*LEVELS, "secret"]),
        "seed": st.text("0123456789abcdefABCDEF", min_size=32, max_size=128),
        "own_seeds": st.booleans(),
        "injects": st.lists(TABLES, max_size=5),
    },
)


@given(made=SCENARIOS, lang=st.sampled_from(LANGUAGES))
def test_what_is_written_is_read_back_as_it_was(made, lang, tmp_path_factory):
    for turn, row in enumerate(made.get("injects", []), start=1):
        row["turn"] = turn
    scenario = ScenarioFile.model_validate(made)
    path = tmp_path_factory.getbasetemp() / "written.toml"
    path.write_text(scenario_text(scenario, lang), encoding="utf-8")
    assert read_scenario(path) == scenario


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_new_file_has_every_key_and_changes_nothing(tmp_path, pack, lang):
    path = write_template(tmp_path / "new.toml", lang)
    text = path.read_text(encoding="utf-8")
    for key in ScenarioFile.model_fields:
        assert f"\n{key} = " in text or f"\n# {key} = " in text
    scenario = read_scenario(path, pack)
    assert scenario == ScenarioFile(lang=lang)
    assert exercise_of(scenario) == ExerciseOptions(lang=lang)
    # with every example taken, it can still be read
    every = "\n".join(
        line.removeprefix("# ") if line.startswith("# ") and " = " in line else line
        for line in text.splitlines()
    )
    path.write_text(every.replace('weather = "weather.toml"', ""), encoding="utf-8")
    assert read_scenario(path).gathering is not None
    with pytest.raises(ExerciseError, match="there already"):
        write_template(path, lang)


def test_its_choices_are_those_of_the_options(tmp_path, pack):
    (tmp_path / "class.toml").write_text(
        'teams = ["A"]\nlang = "fr"\nhour = 8\nturns = 9\nweekend = true\nhalf_staff = true\n'
        'gathering = { hex = "0304", people = 40 }\ncredibility = 3\ntimer = "tense"\n'
        f'cards = false\nlevel = 5\nseed = "{"ab" * 16}"\ninjects = "list.csv"\n',
        encoding="utf-8",
    )
    (tmp_path / "list.csv").write_text("turn,card\n2,jam\n", encoding="utf-8")
    asked = exercise_of(read_scenario(tmp_path / "class.toml", pack))
    assert asked == ExerciseOptions(
        scenario=ScenarioOptions(
            weekend=True,
            half_staff=True,
            cards=False,
            gathering="0304:40",
            credibility=3,
            injects=(tmp_path / "list.csv").resolve(),
            timer=Timer.TENSE,
        ),
        seed="ab" * 16,
        level=5,
        hour=8,
        turns=9,
        lang="fr",
    )


# ------------------------------------------------------------------------- faults
FAULTS = [
    # what is written, where its fault is, words of it
    ("teams = 3", "line 1, teams", "no list"),
    ("teams = [3]", "line 1, teams[1]", "no text"),
    ('teams = ["A",\n  ""]', "line 2, teams[2]", "the name is empty"),
    (f'teams = ["{"x" * 99}"]', "line 1, teams[1]", "too long"),
    (f"teams = {['A'] * 9}", "line 1, teams", "9 are too many: give 8"),
    ('lang = "de"', "line 1, lang", "give fr or en"),
    ("hour = 15", "line 1, hour", "give 3, 8, 14 or 18"),
    ('hour = "8"', "line 1, hour", "no whole number"),
    ("hour = 8.5", "line 1, hour", "8.5"),
    ("turns = 0", "line 1, turns", "give 1 at least"),
    ("turns = 61", "line 1, turns", "give 60 at most"),
    ("weekend = 1", "line 1, weekend", "neither true nor false"),
    ("credibility = 11", "line 1, credibility", "10 at most"),
    ('timer = "tens"', "line 1, timer", "reflex"),
    ("level = 4", "line 1, level", '5 or "secret"'),
    ("level = true", "line 1, level", "true"),
    ('seed = "abc"', "line 1, seed", "32 to 128"),
    ('weather = "no.toml"', "line 1, weather", "no file"),
    ('injects = "no.csv"', "line 1, injects", "no file"),
    ("injects = 5", "line 1, injects", "no list"),
    ("injects = [5]", "line 1, injects[1]", "no table"),
    ("gathering = 5", "line 1, gathering", "no table"),
    ('gathering = { hex = "0304" }', "line 1, gathering.people", "missing"),
    ('gathering = { hex = 304, people = "x" }', "line 1, gathering.hex", "no text"),
    ("horu = 8", "line 1, horu", "did you mean hour?"),
    ('"Half-staff" = true', "line 1, Half-staff", "did you mean half_staff?"),
    ("zzzz = 8", "line 1, zzzz", "there are teams, lang"),
    ('[gathering]\nhexx = "1"', "line 2, gathering.hexx", "did you mean hex?"),
    ("[[injects]]\nturn = 2\n[[injects]]\nturn = 3", "line 3, injects[2].card", "missing"),
    ("[[injects]]\nturn = 0\ncard = 'jam'", "line 2, injects[1].turn", "1 at least"),
    ("[[injects]]\nturn = 31\ncard = 'jam'", "line 2, injects[1].turn", "from 1 to 30"),
    ("[[injects]]\nturn = 2\ncard = 'comet'", "line 3, injects[1].card", "no card"),
    (f"[[injects]]\nturn = 2\ncard = 'jam'\nnote = '{'x' * 9_999}'", "line 4, injects[1].note", ""),
    ("[[injects]]\nturn = 2\ncard = 'jam'\nnoot = 1", "line 4, injects[1].noot", "note?"),
    (
        "injects = [{turn=2,card='jam',target='0304'},\n{turn=2,card='Traffic jam',target='0304'}]",
        "line 2, injects[2].card",
        "row 2 plays again what row 1",
    ),
]
OF_THE_DISTRICT = [
    ('gathering = { hex = "9999", people = 5 }', "line 1, gathering.hex", "not on the sheet"),
    ('gathering = { hex = "0101", people = 5 }', "line 1, gathering.hex", "not active"),
    ('gathering = { hex = "0304", people = 0 }', "line 1, gathering.people", "1 or more"),
    (
        f'gathering = {{ hex = "0304", people = {PEOPLE + 1} }}',
        "line 1, gathering.people",
        str(PEOPLE),
    ),
    ("[[injects]]\nturn=2\ncard='jam'\ntarget='9999'", "line 4, injects[1].target", "9999"),
    ("[[injects]]\nturn=2\ncard='rumour'\ntarget='X'", "line 4, injects[1].target", "South-East"),
    ("[[injects]]\nturn=2\ncard='stampede'\ntarget='X'", "line 4, injects[1].target", "Gymnase"),
]


@pytest.mark.parametrize(("text", "where", "words"), FAULTS)
def test_a_fault_is_named_at_its_line(text, where, words, tmp_path):
    (line,) = [one for one in told(tmp_path, text) if where + ":" in one]
    assert line.startswith("class.toml, ")
    assert words in line


@pytest.mark.parametrize(("text", "where", "words"), OF_THE_DISTRICT)
def test_8_4_13_2_what_needs_the_district_is_checked_on_it(text, where, words, tmp_path, pack):
    (line,) = told(tmp_path, text, pack)
    assert f"class.toml, {where}: " in line
    assert words in line
    (tmp_path / "class.toml").write_text(text, encoding="utf-8")
    if "people = 0" not in text:
        assert read_scenario(tmp_path / "class.toml") is not None  # without one, it is let be


def test_every_fault_is_told_at_once_in_the_reader_s_language(tmp_path, pack):
    one = [text for text, *_ in (*FAULTS[5:6], *FAULTS[6:7], *FAULTS[11:15], FAULTS[16])]
    text = "\n".join([*one, OF_THE_DISTRICT[0][0], "[[injects]]\nturn = 'x'\ncard = 'comet'"])
    english = told(tmp_path, text, pack)
    assert len(english) == len(one) + 3
    assert [line.split(",")[1] for line in english] == sorted(
        (line.split(",")[1] for line in english), key=lambda where: int(where.split()[1])
    )
    french = told(tmp_path, text, pack, lang="fr")
    assert len(french) == len(english)
    assert all(", ligne " in line for line in french)
    assert not set(french) & set(english)
    # the file's own language, where nobody asks for one
    assert told(tmp_path, 'lang = "fr"\nhour = 1')[0].startswith("class.toml, ligne 2, hour")


def test_a_file_that_is_named_has_its_faults_told(tmp_path, pack):
    (tmp_path / "list.csv").write_text("turn,card,target\n2,jam,9999\n99,jam,\n", encoding="utf-8")
    first, second = told(tmp_path, '\ninjects = "list.csv"', pack)
    assert "line 2, injects: list.csv, row 2: " in first
    assert 'list.csv, row 3: "99" is no turn' in second
    (tmp_path / "wet.toml").write_text("[storm]\nyears = -1\n", encoding="utf-8")
    (line,) = told(tmp_path, 'weather = "wet.toml"', pack)
    assert "line 1, weather: wet.toml" in line
    # where it comes from elsewhere, a file of this machine is not opened
    _, faults = check_scenario({"injects": "/etc/passwd", "weather": "/etc/passwd"}, "en")
    assert [fault.place for fault in faults] == [("weather",), ("injects",)]
    assert all("another machine" in fault.said for fault in faults)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"hour = ", "not TOML"),
        (b"a = 1\na = 2", "not TOML"),
        (b"hour = " + b"9" * 5_000, "hundreds of digits"),
        (b"a = " + b"[" * 3_000, "not TOML"),
        ("teams = ['é']".encode("latin-1"), "save it as UTF-8"),
        (b"#" * 1_000_001, "larger than a scenario"),
    ],
    ids=["cut", "twice", "long", "nested", "latin", "large"],
)
def test_a_file_that_is_no_scenario_is_told(content, words, tmp_path):
    path = tmp_path / "class.toml"
    path.write_bytes(content)
    with pytest.raises(ExerciseError, match=words):
        read_scenario(path)
    with pytest.raises(ExerciseError, match="does not exist"):
        read_scenario(tmp_path / "none.toml")


def test_many_rows_are_refused_and_faults_are_not_told_without_end():
    rows = [{"turn": "x", "card": "x"}] * (MOST_INJECTS + 1)
    _, faults = check_scenario({"injects": rows}, "en")
    assert 0 < len(faults) <= 200


# ------------------------------------------------------------------------- the command
@pytest.fixture
def averse(capsys, monkeypatch):
    def run(*arguments):
        monkeypatch.setattr(sys, "argv", ["averse", *map(str, arguments)])
        try:
            main()
            code = 0
        except SystemExit as ended:
            code = ended.code
        said = capsys.readouterr()
        assert "Traceback" not in said.err
        return code, said.out, said.err

    return run


def test_the_command_writes_and_checks(averse, tmp_path, pack):
    path = tmp_path / "class.toml"
    assert averse("scenario", "--write", path, "--lang", "fr")[0] == 0
    code, out, _ = averse("scenario", "--check", path, pack, "--lang", "en")
    assert (code, out) == (0, "class.toml: no fault\n")
    path.write_text("hour = 1\nturns = 0\n", encoding="utf-8")
    code, out, err = averse("scenario", "--check", path)
    assert (code, out, len(err.splitlines())) == (EXIT_USER_FAULT, "", 2)
    assert "one of the two" in averse("scenario")[2]
    assert ".toml" in averse("scenario", "--write", tmp_path / "x.txt")[2]


def test_the_same_fault_of_an_option_is_told_once(pack):
    with pytest.raises(ScenarioFaultsError) as told:
        scenario_of_options({"teams": ["", " ", "", ""]}, pack)
    assert told.value.lines == ("--teams: the name is empty: give letters or figures",)


def test_options_beside_a_file_win(averse, tmp_path, pack, monkeypatch):
    path = tmp_path / "class.toml"
    path.write_text(
        f'hour = 3\nturns = 2\nlevel = 1\ncredibility = 2\nseed = "{"cd" * 16}"\n',
        encoding="utf-8",
    )
    out = tmp_path / "out"
    play = ("play", pack, "--scenario", path, "--out", out)
    code, _, err = averse(*play, "--hour", "7")
    assert code == EXIT_USER_FAULT
    code, _, err = averse(*play, "--gathering", "9999:5")
    assert code == EXIT_USER_FAULT
    assert err.startswith("averse: --gathering: hex 9999")
    assert not out.exists()

    def stop(opened, tell):
        raise ExerciseError("begun; how it is played is tried elsewhere")

    monkeypatch.setattr("exercises.chain.play_opened", stop)
    assert "begun" in averse(*play, "--hour", "8", "--level", "5")[2]
    record = read_journal(out / JOURNAL)
    world = replace(scenario_of(record, FLOOD), seed=record.meta["seed"])
    assert (world.hour, world.level, world.turns) == (8, 5, 2)
    assert world.seed == "cd" * 16
    assert world.scenario.credibility == 2


# ------------------------------------------------------------------------- whatever is sent
ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | TEXTS,
    lambda value: (
        st.lists(value, max_size=3)
        | st.dictionaries(st.sampled_from(["hex", "people", "turn", "card", "target", "x"]), value)
    ),
    max_leaves=6,
)


@given(
    data=st.dictionaries(
        st.sampled_from(list(ScenarioFile.model_fields)) | TEXTS, ANYTHING, max_size=6
    )
)
def test_whatever_is_sent_is_a_scenario_or_has_its_faults_told(data):
    scenario, faults = check_scenario(data, "fr", district=DISTRICT)
    assert (scenario is None) == bool(faults)
    assert all(fault.said and fault.place for fault in faults)
