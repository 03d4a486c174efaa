"""The initial situation and the cards as an instructor writes them: read, kept, told."""

import json

import pytest

from exercises.chain import ExerciseOptions, play_exercise
from exercises.flood_family import FLOOD
from exercises.injects_file import read_injects
from exercises.journal import JOURNAL, read_journal
from exercises.live import scenario_of
from exercises.scenario_options import ScenarioOptions, scenario_for, scenario_rows
from exercises.verification import verify_exercise
from sim.cards import STRIKES
from sim.errors import ExerciseError
from sim.events import CardDrawn, CardHidden
from sim.orders import HEX, LINK, QUARTER, SHELTER
from sim.rules import CARDS, Card, Timer
from sim.scenario import Gathering, Inject, Scenario
from sim.units import units_at_start
from tests.gis import hand_pack

DISTRICT = hand_pack.district()
SHEET = DISTRICT.sheet
ROAD = next(
    edge
    for edge in range(SHEET.n_edges)
    if DISTRICT.link_class[edge] >= 2 and DISTRICT.active[SHEET.edges[edge]].all()
)
ROAD_LABEL = "-".join(SHEET.label(cell) for cell in SHEET.edges[ROAD])
TURNS = 10


def written(folder, text, name="injects.csv", encoding="utf-8"):
    path = folder / name
    path.write_bytes(text.encode(encoding))
    return path


def read(folder, text):
    return read_injects(written(folder, text), DISTRICT, TURNS)


# ------------------------------------------------------------------------------ injects
def test_13_2_injects_are_read_in_either_language(tmp_path):
    english = read(
        tmp_path,
        "turn,card,target,note\n"
        f"7,Power cut,0304,pylon\n4,accident,{ROAD_LABEL},\n4,stampede,Gymnase,\n9,injunction,,\n",
    )
    french = read(
        tmp_path,
        "\ufeffTour;Carte;Cible;Remarque\n"
        f"7;coupure electrique;0304;pylon\n4;Accident sur un axe;{ROAD_LABEL};\n"
        "4;Bousculade à un abri;Gymnase;\n9;Injonction politique;;\n",
    )
    assert english == french
    assert english == (
        Inject(4, Card.ACCIDENT, ROAD),
        Inject(4, Card.STAMPEDE, 1),
        Inject(7, Card.POWER_CUT, SHEET.index_of("0304"), "pylon"),
        Inject(9, Card.INJUNCTION),
    )


@pytest.mark.parametrize("card", list(Card), ids=lambda card: card.value)
def test_13_1_every_card_is_read_by_its_three_names_and_its_target(card, tmp_path):
    target = {HEX: "0304", LINK: ROAD_LABEL, QUARTER: "Sud-Est", SHELTER: "Gymnase", "": ""}
    row = CARDS[card]
    for name in (card.value, row.label_en, row.label_fr.upper()):
        (inject,) = read(tmp_path, f"turn,card,target\n3,{name},{target[STRIKES[card]]}\n")
        assert inject.card is card
        assert (inject.target is None) == (not STRIKES[card])


@pytest.mark.parametrize(
    ("row", "words"),
    [
        ("0,accident,", ("row 2", '"0" is no turn', "from 1 to 10")),
        ("11,accident,", ('"11" is no turn',)),
        ("x,accident,", ('"x" is no turn',)),
        ("²,accident,", ('"²" is no turn',)),
        ("3,earthquake,", ('no card "earthquake"', "power cut", "13.1")),
        ("3,acident,", ('no card "acident": did you mean accident on a road?',)),
        ("3,injunction,Sud Est", ("no quarter", "did you mean South-East")),
        ("3,accident,0304", ("0304", "two hexes")),
        ("3,accident,0304-0907", ("no neighbours",)),
        ("3,accident,0501-0502", ("no road",)),
        ("3,jam,9999", ("9999", "not on the sheet")),
        ("3,jam,0101", ("0101", "not an active hex")),
        ("3,injunction,Nulle part", ("Nulle part", "South-East")),
        ("3,stampede,Sud-Est", ("no shelter", "Gymnase")),
        ("3,reinforcement,0304", ("strikes nothing",)),
    ],
)
def test_a_row_at_fault_is_named(row, words, tmp_path):
    with pytest.raises(ExerciseError) as told:
        read(tmp_path, f"turn,card,target\n{row}\n")
    for word in ("injects.csv", "row 2", *words):
        assert word in str(told.value)
    assert "\n" not in str(told.value)


def test_every_fault_is_told_with_its_row_and_the_many_are_counted(tmp_path):
    with pytest.raises(ExerciseError, match=r"row 2: .*row 4: ") as told:
        read(tmp_path, "turn,card\n0,jam\n3,jam\n99,jam\n")
    assert "row 3" not in str(told.value)
    with pytest.raises(ExerciseError, match="and 4 more"):
        read(tmp_path, "turn,card\n" + "0,jam\n" * 9)


@pytest.mark.parametrize(
    ("rows", "refused"),
    [
        (("3,jam,0304", "3,jam,0304"), True),
        (("3,jam,", "3,jam,"), False),  # two are drawn
        (("3,injunction,Sud-Est", "3,injunction,Nord-Est"), True),  # one answer a turn
        (("3,injunction,Sud-Est", "4,injunction,Nord-Est"), False),
    ],
)
def test_two_rows_that_say_the_same_are_refused(rows, refused, tmp_path):
    text = "turn,card,target\n" + "\n".join(rows) + "\n"
    if refused:
        with pytest.raises(ExerciseError, match="row 3 plays again what row 2 plays"):
            read(tmp_path, text)
    else:
        assert len(read(tmp_path, text)) == 2


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", ("lacks the column", "turn,card,target,note")),
        (b"turn,target\n3,0304\n", ("lacks the column card",)),
        ("turn,card,note\n3,jam,é\n".encode("latin-1"), ("not a table in UTF-8",)),
    ],
)
def test_a_file_that_is_no_list_is_told(content, words, tmp_path):
    path = tmp_path / "injects.csv"
    path.write_bytes(content)
    with pytest.raises(ExerciseError) as told:
        read_injects(path, DISTRICT, TURNS)
    for word in words:
        assert word in str(told.value)
    for wrong in (tmp_path, tmp_path / "none.csv"):
        with pytest.raises(ExerciseError, match=r"list of injects|cannot be read"):
            read_injects(wrong, DISTRICT, TURNS)


# ------------------------------------------------------------------------------ situation
@pytest.mark.parametrize(
    ("gathering", "words"),
    [
        ("0304", ("0304", "0101:5000")),
        ("0304:-5", ("number of people",)),
        ("0304:0", ("1 or more",)),
        ("9999:5", ("not on the sheet",)),
        ("0101:5", ("not active",)),
        ("0304:999999", ("inhabitants",)),
    ],
)
def test_8_4_a_gathering_that_cannot_be_is_told(gathering, words):
    with pytest.raises(ExerciseError) as told:
        scenario_for(DISTRICT, TURNS, ScenarioOptions(gathering=gathering))
    for word in words:
        assert word in str(told.value)


def test_nothing_asked_is_a_plain_weekday_with_cards():
    assert scenario_for(DISTRICT, TURNS, ScenarioOptions()) == Scenario(cards=True)


def test_a_scenario_is_played_journaled_told_and_verified(tmp_path):
    pack = hand_pack.write_hand_pack(tmp_path / "pack")
    options = ScenarioOptions(
        weekend=True,
        half_staff=True,
        gathering="0304:400",
        credibility=3,
        injects=written(tmp_path, f"turn,card,target,note\n2,roadworks,{ROAD_LABEL},secret\n"),
        timer=Timer.REFLEX,
    )
    wanted = Scenario(
        weekend=True,
        gathering=Gathering(SHEET.index_of("0304"), 400),
        half_staff=True,
        cards=True,
        injects=(Inject(2, Card.ROADWORKS, ROAD, "secret"),),
        credibility=3,
        timer=Timer.REFLEX,
    )
    seen: list[str] = []

    def begun(stage, share):
        if stage == "playing" and share == 0.0:
            seen.append((tmp_path / "played" / "exercise.json").read_text(encoding="utf-8"))

    asked = ExerciseOptions(scenario=options, player="do-nothing", level=5, turns=TURNS)
    played = play_exercise(pack, tmp_path / "played", asked, begun)
    assert played.world.scenario == wanted
    cards = [e for turn in played.events for e in turn if isinstance(e, CardDrawn)]
    assert CardHidden(turn=2, card="roadworks", links=(ROAD,)) in cards
    assert len(played.states[0].units) < len(units_at_start(DISTRICT))

    record = read_journal(tmp_path / "played" / JOURNAL)
    assert scenario_of(record, FLOOD).scenario == wanted
    assert verify_exercise(tmp_path / "played").replayed.is_over

    # what a player may read before the end says nothing of what the instructor will play
    (before,) = seen
    assert json.loads(before)["scenario"]["gathering"] == {"hex": "0304", "people": 400}
    assert "secret" not in before
    assert "roadworks" not in before
    after = json.loads((tmp_path / "played" / "exercise.json").read_text(encoding="utf-8"))
    assert after["scenario"]["injects"] == [
        {"turn": 2, "card": "roadworks", "target": ROAD_LABEL, "note": "secret"}
    ]
    ((_, said),) = scenario_rows(after)
    for word in (
        "14:00",
        "45 s a turn",
        "weekend",
        "400 people gathered at 0304",
        "half of the units",
        "credibility 3",
    ):
        assert word in said


def test_a_faulty_list_leaves_nothing_behind(tmp_path):
    pack = hand_pack.write_hand_pack(tmp_path / "pack")
    faulty = written(tmp_path, "turn,card\n3,comet\n")
    asked = ExerciseOptions(scenario=ScenarioOptions(injects=faulty), turns=TURNS)
    with pytest.raises(ExerciseError, match="comet"):
        play_exercise(pack, tmp_path / "out", asked)
    assert not (tmp_path / "out").exists()
