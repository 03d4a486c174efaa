"""What the terminal says, in French and in English; the rules' own labels stand in ``sim.rules``."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from gis.wording import filled

# fmt: off
# key            fr, en
_WORDS: Mapping[str, tuple[str, str]] = MappingProxyType({
    "welcome":    ("{name} : {hour}, {day}. {people:,} {people:personne|personnes} à mettre à l'abri, {places:,} places.",
                   "{name}: {hour}, {day}. {people:,} {people:person|people} to shelter, {places:,} places."),
    "weekday":    ("en semaine", "weekday"),
    "weekend":    ("week-end", "weekend"),
    "gathering":  ("Rassemblement de {people:,} {people:personne|personnes} en {hex}.", "{people:,} {people:person is|people are} gathered at {hex}."),
    "half_staff": ("La moitié des moyens est partie en renfort ailleurs.", "Half of the units are away helping elsewhere."),
    "credibility": ("Crédibilité du centre : {n} sur 10.", "Credibility of the centre: {n} of 10."),
    "timer":      ("Minuteur : {label}, {n} secondes par tour ; à zéro le tour est résolu.",
                   "Timer: {label}, {n} seconds a turn; at zero the turn is resolved."),
    "time_up":    ("Temps écoulé : le tour {turn} est résolu avec les ordres donnés.",
                   "Time is up: turn {turn} is resolved with the orders given."),
    "timed_prompt": ("tour {turn}, {left}> ", "turn {turn}, {left}> "),
    "type_help":  ("Tapez aide pour les commandes, carte pour la carte.", "Type help for the commands, map for the map."),
    "resumed":    ("Exercice repris au tour {turn}.", "Exercise taken up again at turn {turn}."),
    "prompt":     ("tour {turn}> ", "turn {turn}> "),
    "forecast_prompt": ("pronostic> ", "forecast> "),
    "forecast_status": ("Phase de pronostic : peignez les hexagones qui seront coupés, puis fin. {painted:,} {painted:peint|peints}.",
                        "Forecast: paint the hexes that will be cut, then end. {painted:,} painted."),
    "status":     ("Tour {turn} sur {turns}, {clock}, {light}. {staff} : ordres {spent}/{orders}, pinceau {radius}.",
                   "Turn {turn} of {turns}, {clock}, {light}. {staff}: orders {spent}/{orders}, brush {radius}."),
    "day":        ("jour", "day"),
    "night":      ("nuit", "night"),
    "bulletin":   ("Capital {capital}. Bulletin : {said}.", "Capital {capital}. Bulletin: {said}."),
    "awaited":    ("La préfecture demande l'évacuation {quarter:de} : obéir ou refuser (sans réponse, refus).",
                   "The prefecture demands that {quarter} be evacuated: obey or refuse (no answer is a refusal)."),
    "taken":      ("Ordre {number} noté : {order}", "Order {number} taken: {order}"),
    "withdrawn":  ("Ordre {number} repris.", "Order {number} withdrawn."),
    "refused":    ("Refusé (§{rule}) : {why}.", "Refused (§{rule}): {why}."),
    "not_order":  ("Pas un ordre (§{rule}) : {why}.", "No order (§{rule}): {why}."),
    "would_take": ("Serait accepté ; il resterait {n} {n:ordre|ordres} sur {of}.", "Would be taken; {n} {n:order|orders} of {of} would be left."),
    "would_refuse": ("Serait refusé (§{rule}) : {why}.", "Would be refused (§{rule}): {why}."),
    "touched":    ("Touche {n:,} {n:hexagone|hexagones}, dont {fresh:,} pas encore {fresh:alerté|alertés}.",
                   "Touches {n:,} {n:hex|hexes}, of which {fresh:,} not alerted yet."),
    "rolls":      ("{n} {n:jet|jets} d'alerte : {names}.", "{n} alert {n:roll|rolls}: {names}."),
    "painted":    ("Peint {n:,} {n:hexagone|hexagones}.", "Paints {n:,} {n:hex|hexes}."),
    "arrives":    ("{n:,} {n:liaison|liaisons}, arrivée au tour {turn} ; à chaque fin de tour, l'unité sera en {stops}.",
                   "{n:,} {n:link|links}, there in turn {turn}; at the end of each turn it will be at {stops}."),
    "never":      ("N'arriverait jamais : une liaison coûte plus qu'un tour entier ; à chaque fin de tour, l'unité serait en {stops}.",
                   "Would never get there: one link costs more than a whole turn; at the end of each turn it would be at {stops}."),
    "effect":     ("Effet à partir du tour {turn}, si rien ne change.", "Takes effect from turn {turn}, if nothing changes."),
    "hint":       ("{order} : {places}", "{order}: {places}"),
    "no_hint":    ("Aucun ordre possible pour cette unité maintenant.", "No order can be given to this unit now."),
    "no_undo":    ("Rien à annuler dans ce tour.", "Nothing to undo in this turn."),
    "unknown":    ("« {word} » n'est pas une commande. Tapez aide.", "“{word}” is no command. Type help."),
    "ambiguous":  ("« {word} » peut être {among} : tapez-en plus.", "“{word}” may be {among}: type more of it."),
    "usage":      ("Écrivez : {usage}   par exemple : {example}", "Write: {usage}   for instance: {example}"),
    "no_hex":     ("Il n'y a pas d'hexagone {word} : de {first} à {last}.", "There is no hex {word}: from {first} to {last}."),
    "no_number":  ("« {word} » n'est pas un nombre de 1 à {last}.", "“{word}” is no number from 1 to {last}."),
    "saved":      ("Enregistré au tour {turn}. Pour reprendre : averse play {pack} --out {out} --resume",
                   "Saved at turn {turn}. To go on: averse play {pack} --out {out} --resume"),
    "over":       ("L'exercice est terminé.", "The exercise is over."),
    "help_title": ("Commandes : {word} suivi d'un mot en dit plus. Un # ouvre la raison d'un ordre.",
                   "Commands: {word} with a word tells more. A # opens the reason of an order."),
    "help_look":  ("Regarder : {words}.", "Looking: {words}."),
    "help_game":  ("Partie : {words}.", "Game: {words}."),
    "legend":     ("Eau connue : . sec, 1 à 4 classe (2 : à pied c'est coupé, 3 : véhicules coupés), blanc hors jeu. Puis : a alerté, e évacué, * ordre du tour, : pronostic. Lieux : ^ abri, v abri fermé, plein ou inondé, + station, # base. Dessous : 3 patrouille, P1 motopompe, B1 bateau, ! bloqué, + plusieurs.",
                   "Known water: . dry, 1 to 4 class (2: cut on foot, 3: cut to vehicles), blank out of play. Then: a alerted, e evacuated, * ordered this turn, : forecast. Places: ^ shelter, v shelter closed, full or wet, + station, # base. Below: 3 patrol, P1 pump truck, B1 boat, ! blocked, + several."),
    # tables
    "unit":       ("unité", "unit"),
    "hex":        ("hexagone", "hex"),
    "does":       ("fait", "does"),
    "in_place":   ("sur place", "in place"),
    "on_way":     ("en route vers {hex}", "on its way to {hex}"),
    "blocked":    ("bloquée vers {hex}", "blocked towards {hex}"),
    "set_up":     ("{task}, prêt au tour {turn}", "{task}, ready in turn {turn}"),
    "at_work":    ("{task} {links}", "{task} {links}"),
    "empty":      ("vide", "empty"),
    "loaded":     ("chargé", "loaded"),
    "shelter":    ("abri", "shelter"),
    "places":     ("places", "places"),
    "state":      ("état", "state"),
    "open":       ("ouvert", "open"),
    "closed":     ("fermé par ordre", "closed by order"),
    "crushed":    ("bousculade", "crush"),
    "full":       ("complet", "full"),
    "wet":        ("sous l'eau", "in water"),
    "quarter":    ("quartier", "quarter"),
    "to_shelter": ("à abriter", "to shelter"),
    "alerted":    ("alertés", "alerted"),
    "evacuated":  ("évacués", "evacuated"),
    "option":     ("option", "option"),
    "sirens":     ("sirènes", "sirens"),
    "reported":   ("signalé", "reported"),
    "age":        ("âge", "age"),
    "turns_ago":  ("{n} {n:tour|tours}", "{n} {n:turn|turns}"),
    "now":        ("à l'instant", "now"),
    "no_reports": ("Aucun signalement jusqu'ici.", "No report so far."),
    "no_orders":  ("Aucun ordre dans ce tour.", "No order in this turn."),
    "left":       ("{n:Reste|Restent} {n} {n:ordre|ordres} sur {of}.", "{n} {n:order|orders} left of {of}."),
    "no_news":    ("Rien de nouveau.", "Nothing new."),
    "more":       ("… et {n} {n:autre|autres}", "… and {n} more"),
    # look
    "cell":       ("{hex} : {what}, {people:,} {people:habitant|habitants}, {risk:,} à mettre à l'abri, {quarter}.",
                   "{hex}: {what}, {people:,} {people:inhabitant|inhabitants}, {risk:,} to shelter, {quarter}."),
    "cell_off":   ("{hex} : hors jeu.", "{hex}: out of play."),
    "water":      ("Eau : classe {cls} ({label}), {depth} cm, {how}, {age}.", "Water: class {cls} ({label}), {depth} cm, {how}, {age}."),
    "seen":       ("observé", "seen"),
    "told":       ("d'après un signalement", "by a report"),
    "here":       ("Ici : {what}.", "Here: {what}."),
    "neighbour":  ("côté", "side"),
    "link":       ("liaison", "link"),
    "on_foot":    ("à pied", "on foot"),
    "vehicles":   ("véhicules", "vehicles"),
    "cut":        ("coupé", "cut"),
    "points":     ("{n} {n:point|points}", "{n} {n:point|points}"),
    "N":          ("N", "N"), "NE": ("NE", "NE"), "SE": ("SE", "SE"), "S": ("S", "S"), "SW": ("SO", "SW"), "NW": ("NO", "NW"),
    "bridge":     ("pont", "bridge"),
    "underpass":  ("passage souterrain", "underpass"),
    "foot_link":  ("passage à pied", "foot link"),
    "barrier":    ("obstacle", "barrier"),
    "uncleared":  ("encombré", "not cleared"),
    "accident":   ("accident", "accident"),
    "roadworks":  ("travaux", "roadworks"),
    "jammed":     ("embouteillage", "traffic jam"),
    "station":    ("station de mesure", "measuring station"),
    "base":       ("base", "base"),
    "outage":     ("coupure électrique jusqu'au tour {turn}", "power cut until turn {turn}"),
    # news
    "news_unheard": ("Le bouche à oreille ne passe pas dans {n} {n:quartier|quartiers} : {quarters}.",
                     "Word of mouth fails in {n} {n:quarter|quarters}: {quarters}."),
    "news_arrived": ("{shelter} : {people:,} {people:arrivé|arrivés}.", "{shelter}: {people:,} arrived."),
    "news_left":  ("Cars : {people:,} {people:personne partie|personnes parties} hors zone.", "Buses: {people:,} {people:person|people} out of the area."),
})
# fmt: on


def say(key: str, lang: str, **values: Any) -> str:
    """Return a text of the terminal, its fields filled in."""
    return filled(_WORDS[key][0 if lang == "fr" else 1], lang, **values)


def keys() -> tuple[str, ...]:
    """Return the keys of every text."""
    return tuple(_WORDS)


def labelled(row: Any, lang: str) -> str:
    """Label of a row of the rules in a language."""
    label: str = row.label_fr if lang == "fr" else row.label_en
    return label
