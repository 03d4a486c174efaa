"""Events, orders and refusals in sentences: every kind, both languages, nothing left to fill."""

import gettext

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import sim.events as engine
from exercises.event_words import _CARD_EFFECTS, _EVENTS, told
from exercises.order_words import _ORDERS, ordered, refused
from exercises.voice import voice
from sim.errors import ExerciseError
from sim.events import (
    AlertRolled,
    Arrived,
    BulletinIssued,
    CardDrawn,
    CardHidden,
    CardPlanned,
    Delivered,
    Event,
    ExerciseEnded,
    Found,
    HexesCut,
    InjunctionAnswered,
    InjunctionSettled,
    Isolated,
    LeftArea,
    LossRolled,
    MessageSent,
    Observed,
    Obstructed,
    OrderRefused,
    OrderTaken,
    OrderWithdrawn,
    PreparationRolled,
    ProtectionSet,
    QuarterAlerted,
    Reported,
    RoutesLost,
    RoutesTaken,
    ShelterClosed,
    ShelterFull,
    UnitBlocked,
    UnitMoved,
    WorkDone,
    WorkReady,
)
from sim.orders import (
    Alert,
    Answer,
    Clear,
    CloseShelter,
    Deliver,
    DoorToDoor,
    Footbridge,
    Forecast,
    Move,
    OpenShelter,
    Protect,
    Pump,
    Reserve,
    Void,
    Withdraw,
    order_kinds,
)
from sim.refusal import OneOf, refuse
from sim.rules import STAFFING, UNITS, Card, Confidence, Protection, UnitKind
from sim.turn import replay
from tests.strategies import line_district, orders_for, worlds

LINE = line_district(20, quarter_length=6)
ON_PAPER = {"turn": 3}
# the hexes of the line are 0101 to 0120, its shelter "shelter 1", its quarters "quarter 0" …
ORDERS = [
    (
        Forecast(turn=0, cells=(1, 2), confidence=Confidence.LIKELY),
        "forecast: 2 hexes will be cut, 0102, 0103 (likely)",
        "pronostic\xa0: 2 hexagones coupés, 0102, 0103 (probable)",
    ),
    (
        Alert(**ON_PAPER, centre=4, radius=2, option=Protection.UP),
        "alert within 2 of hex 0105, option 'go up'",
        "alerter au pinceau de rayon 2 autour de 0105, option «\xa0monter\xa0»",
    ),
    (
        Alert(**ON_PAPER, centre=4, radius=0),
        "alert hex 0105 alone",
        "alerter le seul hexagone 0105",
    ),
    (
        Move(**ON_PAPER, unit="patrol-3", to=4),
        "patrol-3: go to hex 0105",
        "patrouille\xa03\xa0: se porter en 0105",
    ),
    (
        DoorToDoor(**ON_PAPER, unit="patrol-3", cell=4),
        "patrol-3: door to door in hex 0105",
        "patrouille\xa03\xa0: porte à porte en 0105",
    ),
    (
        Pump(**ON_PAPER, unit="pump-1", link=4),
        "pump-1: pump on link 0105-0106",
        "motopompe\xa01\xa0: pomper sur la liaison 0105-0106",
    ),
    (
        Footbridge(**ON_PAPER, unit="pump-1", link=4),
        "pump-1: lay a footbridge on link 0105-0106",
        "motopompe\xa01\xa0: poser une passerelle sur la liaison 0105-0106",
    ),
    (
        Clear(**ON_PAPER, unit="patrol-2", link=4),
        "patrol-2: clear the road on link 0105-0106",
        "patrouille\xa02\xa0: dégager la chaussée, liaison 0105-0106",
    ),
    (
        Reserve(**ON_PAPER, unit="patrol-2", links=(4, 5)),
        "patrol-2: reserve the axis 0105-0106, 0106-0107",
        "patrouille\xa02\xa0: réserver l'axe 0105-0106, 0106-0107",
    ),
    (
        Protect(**ON_PAPER, quarter=1, option=Protection.OUT),
        "quarter 1: option 'out of the area'",
        "quarter 1\xa0: option «\xa0hors zone\xa0»",
    ),
    (CloseShelter(**ON_PAPER, shelter=0), "close shelter 1", "fermer l'abri shelter 1"),
    (OpenShelter(**ON_PAPER, shelter=0), "open shelter 1 again", "rouvrir l'abri shelter 1"),
    (
        Deliver(**ON_PAPER, unit="boat-1", cell=4),
        "boat-1: bring supplies to hex 0105",
        "bateau\xa01\xa0: ravitailler 0105",
    ),
    (
        Answer(**ON_PAPER, obey=True),
        "obey the prefecture",
        "suivre l'injonction de la préfecture",
    ),
    (
        Answer(**ON_PAPER, obey=False),
        "refuse what the prefecture asks",
        "refuser l'injonction de la préfecture",
    ),
    (Withdraw(**ON_PAPER, number=2), "withdraw order 2", "retirer l'ordre 2"),
]
AT = {"turn": 5}
EVENTS = [
    (
        OrderTaken(**AT, order=Withdraw(turn=5, number=2, reason="tard")),
        "Order: withdraw order 2; reason: tard",
        "Ordre\xa0: retirer l'ordre 2\xa0; raison\xa0: tard",
    ),
    (
        OrderTaken(**AT, order=Withdraw(turn=5, number=2)),
        "Order: withdraw order 2",
        "Ordre\xa0: retirer l'ordre 2",
    ),
    (
        OrderWithdrawn(**AT, order=Withdraw(turn=5, number=2)),
        "Order withdrawn: withdraw order 2",
        "Ordre retiré\xa0: retirer l'ordre 2",
    ),
    (
        OrderRefused(
            **AT,
            order=CloseShelter(turn=5, shelter=99),
            refusal=refuse("5", "no shelter {shelter}: give a shelter of the district", shelter=99),
        ),
        "Order refused by rule 5: no shelter 99: give a shelter of the district",
        "Ordre refusé (règle 5)\xa0: pas d'abri 99\xa0: donnez un abri du district",
    ),
    (
        UnitMoved(**AT, unit="patrol-1", from_cell=0, to_cell=4, points=12),
        "Patrol-1: from hex 0101 to 0105, 12 points",
        "Patrouille\xa01\xa0: de 0101 à 0105, 12 points",
    ),
    (
        UnitMoved(**AT, unit="patrol-1", from_cell=0, to_cell=4, points=12).for_team(),
        "Patrol-1: from hex 0101 to 0105",
        "Patrouille\xa01\xa0: de 0101 à 0105",
    ),
    (
        UnitBlocked(**AT, unit="patrol-1", at_cell=0, towards_cell=4),
        "Patrol-1: stopped on hex 0101, no open way towards 0105",
        "Patrouille\xa01\xa0: arrêt en 0101, aucun passage ouvert vers 0105",
    ),
    (
        WorkReady(**AT, unit="pump-1", action="footbridge", links=(4,)),
        "Pump-1: 'lay a footbridge' takes effect on 0105-0106",
        "Motopompe\xa01\xa0: «\xa0poser une passerelle\xa0» prend effet sur 0105-0106",
    ),
    (
        WorkDone(**AT, unit="pump-1", links=(4,)),
        "Pump-1: road cleared on 0105-0106, the unit is free",
        "Motopompe\xa01\xa0: chaussée dégagée sur 0105-0106, unité disponible",
    ),
    (
        Delivered(**AT, unit="boat-2", quarter=0),
        "Boat-2: supplies brought to quarter 0",
        "Bateau\xa02\xa0: ravitaillement livré, quarter 0",
    ),
    (
        Observed(**AT, cells=(1, 2, 3), depth_mm=(0, 149, 1_234)),
        "3 hexes seen, of which under water: 0104 (123 cm)",
        "3 hexagones observés, dont en eau\xa0: 0104 (123 cm)",
    ),
    (
        Observed(**AT, cells=(1,), depth_mm=(0,)),
        "1 hex seen, not under water",
        "1 hexagone observé, hors d'eau",
    ),
    (
        Reported(**AT, cells=(1, 2), water=(2, 0)),
        "Residents report: 0102 (blocking), 0103 (free)",
        "Signalements des habitants\xa0: 0102 (bloquant), 0103 (libre)",
    ),
    (
        BulletinIssued(**AT, levels=(1, 2, 3)),
        "Bulletin: rain of 1–3-year return period",
        "Bulletin\xa0: pluie de période de retour 1–3 ans",
    ),
    (
        Found(**AT, links=(4,)),
        "Found gone: link 0105-0106",
        "Découverte sur place\xa0: liaison 0105-0106 disparue",
    ),
    (
        Obstructed(**AT, links=(4,)),
        "Left to be cleared by deep water or an accident: link 0105-0106",
        "Chaussée à dégager après l'eau ou un accident\xa0: liaison 0105-0106",
    ),
    (
        HexesCut(**AT, cells=tuple(range(15))),
        (
            "15 hexes lose their last dry way to a shelter: 0101, 0102, 0103, 0104, 0105, 0106, "
            "0107, 0108, 0109, 0110, 0111, 0112 and 3 more"
        ),
        (
            "15 hexagones perdent leur dernier chemin à pied sec vers un abri\xa0: 0101, 0102, "
            "0103, 0104, 0105, 0106, 0107, 0108, 0109, 0110, 0111, 0112 et 3 autres"
        ),
    ),
    (
        ProtectionSet(**AT, quarter=1, option="up"),
        "Quarter 1: option 'go up'",
        "Quarter 1\xa0: option «\xa0monter\xa0»",
    ),
    (
        ShelterClosed(**AT, shelter=0, closed=True),
        "Shelter 1 closes",
        "Shelter 1\xa0: abri fermé",
    ),
    (
        ShelterClosed(**AT, shelter=0, closed=False),
        "Shelter 1 opens again",
        "Shelter 1\xa0: abri rouvert",
    ),
    (
        InjunctionAnswered(**AT, quarter=1, obeyed=True, capital=60),
        "The prefecture is obeyed for quarter 1; political capital: 60",
        "Injonction de la préfecture suivie pour quarter 1\xa0; capital politique\xa0: 60",
    ),
    (
        QuarterAlerted(**AT, quarter=1, cells=(3, 4)),
        (
            "Quarter 1, as the prefecture demands, without order nor roll: "
            "2 hexes alerted, 0104, 0105"
        ),
        (
            "Quarter 1, comme le veut la préfecture, sans ordre ni jet\xa0: "
            "2 hexagones alertés, 0104, 0105"
        ),
    ),
    (
        InjunctionAnswered(**AT, quarter=1, obeyed=False, capital=35),
        "The prefecture is refused for quarter 1; political capital: 35",
        "Injonction de la préfecture refusée pour quarter 1\xa0; capital politique\xa0: 35",
    ),
    (
        InjunctionSettled(**AT, quarter=1, capital=75),
        "Quarter 1 was not threatened: the refusal was right; political capital: 75",
        "Quarter 1\xa0: quartier non menacé, le refus était fondé\xa0; capital politique\xa0: 75",
    ),
    (
        CardDrawn(**AT, card="accident", links=(4,)),
        "Card, accident on a road: link 0105-0106 is cut for 4 turns",
        "Carte, accident sur un axe\xa0: liaison 0105-0106 coupée pendant 4 tours",
    ),
    (
        CardDrawn(**AT, card="stampede"),
        "Card, crush at a shelter: nothing for it to strike",
        "Carte, bousculade à un abri\xa0: sans objet",
    ),
    (
        CardDrawn(**AT, card="injunction", quarter=0),
        "Card, political injunction: the prefecture wants quarter 0 evacuated; obey or refuse",
        (
            "Carte, injonction politique\xa0: la préfecture demande l'évacuation, quarter 0\xa0; "
            "obéir ou refuser"
        ),
    ),
    (
        CardHidden(**AT, card="roadworks", links=(4,)),
        "Card, unmarked roadworks: link 0105-0106 no longer exists, and nobody knows",
        "Carte, travaux non signalés\xa0: la liaison 0105-0106 n'existe plus, et nul ne le sait",
    ),
    (
        AlertRolled(
            **AT, quarter=1, means="siren", dice=7, modifier=-2, success=True, cells=(6, 7)
        ),
        "Quarter 1, siren + cell broadcast (7 \u2212 2): 2 hexes alerted, 0107, 0108",
        (
            "Quarter 1, sirène + diffusion cellulaire (7 \u2212 2)\xa0: 2 hexagones alertés, "
            "0107, 0108"
        ),
    ),
    (
        AlertRolled(**AT, quarter=1, means="radio", dice=3, modifier=1, success=False, cells=()),
        "Quarter 1, radio or television (3 + 1): the alert fails",
        "Quarter 1, radio ou télévision (3 + 1)\xa0: l'alerte ne passe pas",
    ),
    (
        AlertRolled(
            **AT, quarter=1, means="door_to_door", dice=None, modifier=0, success=True, cells=(6,)
        ),
        "Quarter 1, door to door: 1 hex alerted, 0107",
        "Quarter 1, porte à porte\xa0: 1 hexagone alerté, 0107",
    ),
    (
        PreparationRolled(**AT, quarter=1, dice=9, modifier=0, success=True),
        "Quarter 1 (9): ready, people start at once",
        "Quarter 1 (9)\xa0: population prête, départ immédiat",
    ),
    (
        PreparationRolled(**AT, quarter=1, dice=3, modifier=0, success=False),
        "Quarter 1 (3): not ready, people start 2 turns late",
        "Quarter 1 (3)\xa0: population non préparée, départ retardé de 2 tours",
    ),
    (
        RoutesTaken(**AT, cells=(3, 4), shelters=(0, -2), targets=(600, 500)),
        "On their way: 0104 to shelter 1 (6 turns), 0105 to the rim of the sheet, by bus (5 turns)",
        "En route\xa0: 0104 vers shelter 1 (6 tours), 0105 vers hors zone, en car (5 tours)",
    ),
    (
        RoutesLost(**AT, cells=(3,)),
        "1 hex waits, alerted, without an open route: 0104",
        "1 hexagone alerté attend, sans itinéraire ouvert\xa0: 0104",
    ),
    (
        Arrived(**AT, cell=3, shelter=0, people=123_400, complete=True),
        "Hex 0104 is evacuated: 1,234 people at shelter 1",
        "Hexagone 0104 évacué\xa0: 1\u202f234 personnes, abri shelter 1",
    ),
    (
        Arrived(**AT, cell=3, shelter=0, people=None, complete=True),
        "Hex 0104 is evacuated",
        "Hexagone 0104 évacué",
    ),
    (
        LeftArea(**AT, cell=3, people=None),
        "Hex 0104 is evacuated",
        "Hexagone 0104 évacué",
    ),
    (
        Arrived(**AT, cell=3, shelter=0, people=150, complete=False),
        "Hex 0104: 1 person at shelter 1, the others look for another shelter",
        "Hexagone 0104\xa0: 1 personne, abri shelter 1\xa0; les autres cherchent un autre abri",
    ),
    (
        LeftArea(**AT, cell=3, people=100),
        "Hex 0104 is evacuated: 1 person out of the area by bus",
        "Hexagone 0104 évacué\xa0: 1 personne hors zone, en car",
    ),
    (ShelterFull(**AT, shelter=0), "Shelter 1 is full", "Shelter 1\xa0: abri complet"),
    (
        Isolated(**AT, quarter=0, cells=(3,), need=1, people=0),
        "Quarter 0 is isolated and uses 1 point of supplies: 0104",
        "Quarter 0\xa0: isolé, consomme 1 point de ravitaillement\xa0; 0104",
    ),
    (
        Isolated(**AT, quarter=0, cells=(3,), need=2, people=1_500, upstairs=900),
        (
            "Quarter 0 is isolated and lacks supplies (2 points needed), victims for want of them "
            "among all who are still there: 15 people; upstairs, evacuated hexes included: "
            "9 people; 0104"
        ),
        (
            "Quarter 0\xa0: isolé, ravitaillement insuffisant (2 points requis)\xa0; victimes "
            "faute de ravitaillement, parmi tous ceux qui sont encore là\xa0: 15 personnes\xa0; "
            "dont à l'étage, hexagones évacués compris\xa0: 9 personnes\xa0; 0104"
        ),
    ),
    (
        LossRolled(**AT, quarter=0, dice=5, success=False, cells=(3,), people=0),
        "Quarter 0 (5): hostile water, no victim; 0104",
        "Quarter 0 (5)\xa0: eau hostile, aucune victime\xa0; 0104",
    ),
    (
        LossRolled(**AT, quarter=0, dice=9, success=True, cells=(3,), people=640, on_their_way=40),
        (
            "Quarter 0 (9): hostile water, victims among those neither upstairs nor in a shelter: "
            "on their way, less than one person; on the ground floor or in the streets, "
            "6 people; 0104"
        ),
        (
            "Quarter 0 (9)\xa0: eau hostile, victimes parmi ceux qui ne sont ni à l'étage ni à "
            "l'abri\xa0: en chemin, moins d'une personne\xa0; au rez-de-chaussée ou dans la rue, "
            "6 personnes\xa0; 0104"
        ),
    ),
    (
        CardPlanned(turn=4, card="accident", links=(4,)),
        "The instructor has a card fall next turn, accident on a road: 0105-0106",
        "L'animateur fait tomber une carte au tour suivant, accident sur un axe\xa0: 0105-0106",
    ),
    (
        CardPlanned(turn=4, card="stampede", shelter=0),
        "The instructor has a card fall next turn, crush at a shelter: shelter 1",
        "L'animateur fait tomber une carte au tour suivant, bousculade à un abri\xa0: shelter 1",
    ),
    (
        CardPlanned(turn=4, card="rumour"),
        "The instructor has a card fall next turn, rumour",
        "L'animateur fait tomber une carte au tour suivant, rumeur",
    ),
    (
        MessageSent(turn=4, text="{n} à 15 h <b>"),
        "Message from the instructor: {n} à 15 h <b>",
        "Message de l'animateur\xa0: {n} à 15 h <b>",
    ),
    (
        ExerciseEnded(turn=4),
        "The instructor ends the exercise",
        "L'animateur met fin à l'exercice",
    ),
]


class Complains(gettext.NullTranslations):
    """Asked for what a catalogue lacks."""

    def gettext(self, message):
        raise AssertionError(f"no French for {message!r}")

    def ngettext(self, msgid1, msgid2, n):
        raise AssertionError(f"no French for {msgid1!r}")


@pytest.fixture(scope="module", autouse=True)
def _every_text_is_in_the_catalogue():
    catalogue = voice("fr")._catalogue
    catalogue.add_fallback(Complains())
    yield
    catalogue._fallback = None


@pytest.mark.parametrize(("order", "english", "french"), ORDERS)
def test_an_order_is_said_in_a_line(order, english, french):
    assert ordered(order, LINE, "en") == english
    assert ordered(order, LINE, "fr") == french


@pytest.mark.parametrize(("event", "english", "french"), EVENTS)
def test_an_event_is_told_in_a_sentence(event, english, french):
    assert told(event, LINE, "en") == english
    assert told(event, LINE, "fr") == french


def kinds_of(base: type) -> set[type]:
    """Every kind of event of the engine (a data class with slots leaves a first copy behind)."""
    found = set()
    for kind in base.__subclasses__():
        found |= kinds_of(kind)
        if getattr(engine, kind.__name__, None) is kind:
            found.add(kind)
    return found


def test_no_kind_of_event_order_or_card_is_without_words():
    assert set(_EVENTS) == kinds_of(Event) == {type(event) for event, *_ in EVENTS}
    own = {kind for kind in order_kinds() if kind.__module__ == "sim.orders"} - {Void}
    assert set(_ORDERS) == own == {type(order) for order, *_ in ORDERS}
    assert set(_CARD_EFFECTS) == set(Card)


@pytest.mark.parametrize("card", list(Card))
def test_a_card_says_what_it_strikes(card):
    event = CardDrawn(turn=4, card=card.value, links=(4,), cells=(1, 2), quarter=1, shelter=0)
    struck = {"0105-0106", "0102, 0103", "quarter 1", "shelter 1"}
    for lang in ("fr", "en"):
        said = told(event, LINE, lang)
        assert any(name in said for name in struck), said
        assert "{" not in said


@given(data=st.data())
@settings(max_examples=20, deadline=None, suppress_health_check=list(HealthCheck))
def test_whatever_happens_is_told_in_both_languages(data):
    world = data.draw(worlds(turns=8))
    _, events = replay(world, data.draw(orders_for(world)))
    for event in (event for happened in events for event in happened):
        english, french = (told(event, world.district, lang) for lang in ("en", "fr"))
        assert english
        assert french
        assert not {"{", "}"} & set(english + french)
        if isinstance(event, OrderRefused):
            # the engine's own sentence is the English one
            assert refused(event.refusal, "en") == event.sentence
            assert refused(event.refusal, "fr") != event.sentence


def test_a_refusal_takes_the_labels_of_the_language():
    over = refuse(
        "9.1",
        "over budget: turn {turn} has {count} orders ({staffing}); withdraw one or wait for "
        "the next turn",
        turn=7,
        count=12,
        staffing=STAFFING[3],
    )
    assert "(full operations centre)" in refused(over, "en")
    assert refused(over, "fr").startswith("budget dépassé\xa0: le tour 7 a 12 ordres (CO complet)")
    doers = OneOf((UNITS[UnitKind.PUMP], UNITS[UnitKind.PATROL]))
    unfit = refuse("9.2", "{unit} cannot do that: it takes a {kinds}", unit="boat-1", kinds=doers)
    assert unfit.sentence == "boat-1 cannot do that: it takes a pump truck or patrol"
    assert refused(unfit, "fr") == (
        "bateau\xa01 ne peut pas le faire\xa0: il faut motopompe ou patrouille"
    )


def test_a_value_is_text_never_a_template():
    odd = refuse("5", "no unit '{name}': the district has {names}", name="{0}{x}", names="{y}")
    assert refused(odd, "fr") == "pas d'unité «\xa0{0}{x}\xa0»\xa0: le district a {y}"
    assert "'{0}{x}'" in odd.sentence


def test_an_unknown_language_is_refused():
    with pytest.raises(ExerciseError, match="no words in 'de': choose fr or en"):
        voice("de")
