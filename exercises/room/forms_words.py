"""What the printed forms of a team say, in French and in English (§9, 16, 18).

What the rules' tables, the orders and the sheet call things comes from them. Fields are those of
``gis.wording.filled``.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from exercises.room.team_words import CUT_RULE
from gis.wording import filled, spaced
from sim.severity_words import LANGUAGES

# fmt: off
# key                fr, en
_WORDS: Mapping[str, tuple[str, str]] = MappingProxyType({
    "forms":            ("Formulaires d'équipe", "Team forms"),
    "exercise":         ("Terrain d'exercice : ce n'est pas une carte des inondations.", "Exercise ground, not a flood map."),
    "page":             ("page {n}", "page {n}"),

    # forecast
    "forecast":         ("Pronostic", "Forecast"),
    "forecast_how":     ("Avant le tour 1 : hachurez au crayon les hexagones qui seront coupés. Rien n'est dépensé ; "
                         "le pronostic se fige au tour 1.",
                         "Before turn 1: hatch in pencil the hexes that will be cut. Nothing is spent; "
                         "the forecast is frozen at turn 1."),
    "cut_rule":         CUT_RULE,
    "sign_low_point":   ("Point bas : l'eau y vient d'abord, plus profonde sous un grand triangle",
                         "Low point: water comes there first, deeper under a large triangle"),
    "sign_quarter_limit": ("Limite de quartier", "Limit of a quarter"),
    "sign_shelter":     ("Abri", "Shelter"),
    "confidence":       ("Confiance, si vous la dites", "How sure, if you say so"),
    "part":             ("Partie {column}-{row}", "Part {column}-{row}"),
    "turns":            ("Tours", "Turns"),
    "night":            ("nuit", "night"),
    "alt_map":          ("Carte du district en gris, hexagones numérotés", "Map of the district in grey, numbered hexes"),

    # orders
    "orders":           ("Ordres", "Orders"),
    "turn_n":           ("Tour {n}", "Turn {n}"),
    "turn":             ("Tour", "Turn"),
    "copy_this":        ("page à photocopier, pour tout autre tour", "page to copy, for any other turn"),
    "n_orders":         ("{n} {n:ordre|ordres}", "{n} {n:order|orders}"),
    "brush_n":          ("pinceau : rayon {radius} au plus ({hexes} hexagones)", "brush: radius {radius} at most ({hexes} hexes)"),
    "bulletin":         ("Bulletin", "Bulletin"),
    "prefecture":       ("Préfecture", "Prefecture"),
    "col_number":       ("N°", "No."),
    "col_order":        ("ordre", "order"),
    "col_unit":         ("unité", "unit"),
    "col_from":         ("de", "from"),
    "col_to":           ("vers : hex. ou liaison", "to: hex or link"),
    "col_quarter":      ("quartier ou abri, option", "quarter or shelter, option"),
    "col_radius":       ("rayon", "radius"),
    "col_reason":       ("raison", "reason"),
    "col_refused":      ("refusé : règle, pourquoi", "refused: rule, why"),
    "kinds":            ("Ordres et prix", "Orders and their price"),
    "free":             ("gratuit", "free"),
    "spare":            ("Les lignes grises ne comptent pas dans le budget : ordres gratuits, refusés (un refus ne coûte rien) ou retirés.",
                         "Grey lines are outside the budget: orders that are free, refused (a refusal costs nothing) or withdrawn."),
    "kind_forecast":    ("Pronostic", "Forecast"),
    "kind_alert":       ("Alerter", "Alert"),
    "kind_answer":      ("Répondre à la préfecture", "Answer the prefecture"),
    "kind_withdraw":    ("Retirer un ordre", "Withdraw an order"),
    "field_hex":        ("hexagone", "hex"),
    "field_link":       ("liaison", "link"),
    "field_quarter":    ("quartier", "quarter"),
    "field_shelter":    ("abri", "shelter"),
    "field_unit":       ("unité", "unit"),
    "field_radius":     ("rayon", "radius"),
    "field_option":     ("option", "option"),
    "field_confidence": ("confiance", "confidence"),
    "field_obey":       ("obéir ou refuser", "obey or refuse"),
    "field_number":     ("son numéro", "its number"),

    # journal
    "journal":          ("Main courante", "Event log"),
    "col_turn":         ("tour", "turn"),
    "col_clock":        ("heure", "time"),
    "col_what":         ("ce qui est arrivé, ce que l'on sait", "what happened, what is known"),
    "col_where":        ("où", "where"),
    "col_source":       ("source", "source"),
    "col_age":          ("âge, tours", "age, turns"),
    "col_done":         ("suite donnée", "followed up"),
    "sources":          ("Sources", "Sources"),

    # rule card
    "card":             ("Carte des règles", "Rule card"),
    "phases":           ("Les phases d'un tour de {n} minutes", "The phases of a turn of {n} minutes"),
    "phase_raise_water":       ("L'eau monte ou descend ; les trajets coupés sont recalculés", "Water moves; ways that are cut are taken anew"),
    "phase_draw_card":         ("Carte (un tour sur {card_one_in}, dès le tour {card_from})", "Card (one turn in {card_one_in}, from turn {card_from})"),
    "phase_let_channels_speak": ("Patrouilles, motopompes et stations parlent", "Patrols, pump trucks and stations speak"),
    "phase_hear_residents":    ("Signalements des habitants", "Reports of residents"),
    "phase_issue_bulletin":    ("Bulletin", "Bulletin"),
    "phase_take_orders":       ("Vos ordres", "Your orders"),
    "phase_decide":            ("Options des quartiers, abris, réponse à la préfecture", "Options of quarters, shelters, answer to the prefecture"),
    "phase_move_units":        ("Les unités roulent, les travaux avancent", "Units move, works go on"),
    "phase_resolve_alerts":    ("Les alertes partent", "Alerts go out"),
    "phase_advance_counters":  ("On marche vers les abris, on y entre", "People walk to shelters and enter"),
    "phase_supply":            ("Isolement, ravitaillement", "Isolation, supplies"),
    "phase_lose_people":       ("Pertes", "Losses"),

    "staffing":         ("Effectif du centre", "Staffing of the centre"),
    "from_turn":        ("dès le tour", "from turn"),
    "orders_a_turn":    ("ordres", "orders"),
    "brush":            ("pinceau", "brush"),
    "radius_n":         ("rayon {radius} ({n} hex.)", "radius {radius} ({n} hexes)"),

    "channels":         ("Ce que l'on apprend", "What is learnt"),
    "channel":          ("canal", "channel"),
    "sees":             ("voit", "sees"),
    "reliable":         ("fiabilité", "reliability"),
    "delay":            ("délai", "delay"),
    "own_hex":          ("son hexagone", "its hex"),
    "around":           ("{n} hexagones (nuit : {night})", "{n} hexes (night: {night})"),
    "populated":        ("hexagones habités", "populated hexes"),
    "exact":            ("exact", "exact"),
    "one_class_off":    ("±1 classe, 1 fois sur {n}", "±1 class, 1 time in {n}"),
    "n_turns":          ("{n} {n:tour|tours}", "{n} {n:turn|turns}"),
    "at_once":          ("aussitôt", "at once"),
    "channel_patrol":   ("Patrouille", "Patrol"),
    "channel_pump":     ("Motopompe", "Pump truck"),
    "channel_station":  ("Station de mesure", "Measuring station"),
    "channel_reports":  ("Signalements", "Reports"),
    "channel_alerts":   ("Alerte donnée", "Alert given"),
    "channel_arrivals": ("Arrivées aux abris", "Arrivals at shelters"),
    "alerts_see":       ("qui est alerté", "who is alerted"),
    "arrivals_see":     ("abris", "shelters"),
    "bulletin_line":    ("Bulletin : {steps}.", "Bulletin: {steps}."),
    "bulletin_step":    ("tour {turn}, {n} {n:niveau possible|niveaux possibles}", "turn {turn}, {n} {n:level|levels} possible"),

    "units":            ("Unités", "Units"),
    "points_a_turn":    ("points par tour", "points a turn"),
    "boat_afloat":      ("{n} hexagones à flot, dès la classe {from_class}", "{n} hexes afloat, from class {from_class}"),
    "cost_line":        ("Coût d'une liaison : sa classe, plus l'eau. La lame vue est × {bridge} sur un pont, × {underpass} dans un sous-passage.",
                         "Cost of a link: its class, plus water. The depth seen is × {bridge} on a bridge, × {underpass} in an underpass."),
    "actions":          ("Actions sur une liaison", "Works on a link"),
    "set_up":           ("mise en place", "set-up"),
    "by":               ("par", "by"),
    "pump_line":        ("Une pompe baisse la lame vue de {cm} cm ; une passerelle porte {people} personnes par tour ; un axe réservé compte {links} liaisons au plus.",
                         "A pump lowers the depth seen by {cm} cm; a footbridge carries {people} people a turn; a reserved axis has {links} links at most."),

    "alerts":           ("Alerte : deux dés", "Alert: two dice"),
    "success":          ("réussite", "success"),
    "chance":           ("chance", "chance"),
    "from_n":           ("{n} et plus", "{n} or more"),
    "automatic":        ("automatique", "automatic"),
    "alert_line":       ("Un jet par quartier touché. La nuit : {night}. Puis un jet de préparation, {ready} et plus, sinon {turns} tours de retard.",
                         "One roll a quarter. By night: {night}. Then a roll for being ready, {ready} or more, else {turns} turns late."),
    "protections":      ("Options de protection", "Ways of protection"),
    "takes":            ("délai, tours", "delay, turns"),
    "costs":            ("coûte", "costs"),
    "takes_up":         ("1", "1"),
    "takes_shelter":    ("{base} + distance à l'abri", "{base} + distance to the shelter"),
    "takes_out":        ("{base} + distance au bord ÷ {a_turn}", "{base} + distance to the rim ÷ {a_turn}"),
    "costs_up":         ("rien ; isolement en classe 3", "nothing; isolation in class 3"),
    "costs_shelter":    ("des places ; {percent} % de plus suivent", "places; {percent}% more follow"),
    "costs_out":        ("{vehicles} véhicules sur place, tout du long", "{vehicles} vehicles on the spot all along"),
    "walk_line":        ("Une patrouille sur l'hexagone double le pas ; la nuit on avance à {night} % ; une foule trop dense ralentit.",
                         "A patrol on the hex doubles the pace; by night people go at {night}%; too dense a crowd slows down."),
    "cards":            ("Cartes", "Cards"),
    "lasts":            ("dure", "lasts"),
    "score":            ("Points", "Points"),
    "score_saved":      ("Menacés mis à l'abri à temps", "Threatened, sheltered in time"),
    "score_misused":    ("Places prises par qui n'était pas menacé", "Places taken by people never threatened"),
    "score_victim":     ("Victimes", "Victims"),
    "score_capital":    ("Capital politique, par point au-dessus ou au-dessous de {start}", "Political capital, a point above or below {start}"),
    "injunction_line":  ("Préfecture, refuser : {now} aussitôt ; {later} à la fin si le quartier n'était pas menacé. Sans réponse, c'est un refus.",
                         "Prefecture, to refuse: {now} at once; {later} at the end if the quarter was not threatened. No answer is a refusal."),

    "col_links":        ("Liaisons", "Links"),
    "col_cost":         ("coût", "cost"),
    "col_walkers":      ("piétons/tour", "walkers/turn"),
    "col_water":        ("Lame d'eau", "Water depth"),
    "col_depth":        ("lame", "depth"),
    "col_vehicles":     ("véhicules", "vehicles"),
    "col_on_foot":      ("piétons", "on foot"),
    "col_places":       ("places", "places"),

    # the town
    "town":             ("Le district", "The district"),
    "quarters":         ("Quartiers", "Quarters"),
    "to_shelter":       ("à abriter", "to shelter"),
    "sirens":           ("sirènes", "sirens"),
    "hexes":            ("hex.", "hexes"),
    "shelters":         ("Abris", "Shelters"),
    "starts_at":        ("part de", "starts at"),
    "now_at":           ("où, quoi", "where, what"),
    "yes":              ("oui", "yes"),
})
# fmt: on


def forms_say(key: str, lang: str, **values: Any) -> str:
    """Return a text of the forms, filled in; values are text, never templates.

    >>> forms_say("n_orders", "en", n=1)
    '1 order'
    """
    return filled(spaced(_WORDS[key][LANGUAGES.index(lang)], lang), lang, **values)


def forms_texts() -> tuple[str, ...]:
    """Return the keys of every text."""
    return tuple(_WORDS)
