"""What the page says on which an instructor prepares a room, in French and in English."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from exercises.room.console_words import card_does, page_of, storm_words
from exercises.scenario_options import MOST_TEAMS, MOST_TURNS
from exercises.voice import voice
from sim.rules import CARDS, CREDIBILITY_MOST, HOURS, LEVELS, TIMERS

Plain = dict[str, Any]
FEW_TURNS = 20
"""Below so many turns the water has often hardly come: the form says so where no storm was seen."""

# fmt: off
# key                fr, en
_PREPARE: Mapping[str, tuple[str, str]] = MappingProxyType({
    "title":            ("Préparer l'exercice", "Prepare the exercise"),
    "skip":             ("Aller au formulaire", "Skip to the form"),
    "other_language":   ("English", "Français"),
    "night_mode":       ("Mode nuit", "Night mode"),
    "close":            ("Fermer", "Close"),
    "cancel":           ("Annuler", "Cancel"),
    "unreachable":      ("Le serveur est injoignable : rien n'a été fait. Réessayez.",
                         "The server cannot be reached: nothing was done. Try again."),
    "lead":             ("Choisissez ce qui sera joué, puis ouvrez la salle : les équipes reçoivent alors leurs liens. "
                         "Vos choix sont gardés au fur et à mesure.",
                         "Choose what is played, then open the room: the teams then get their links. "
                         "Your choices are kept as you make them."),
    "from_file":        ("Partir d'un scénario (TOML)…", "Start from a scenario (TOML)…"),
    "to_file":          ("Télécharger le scénario", "Download the scenario"),
    "file_read":        ("{name} remplit le formulaire", "{name} fills the form"),
    "file_faults":      ("{n} {n:faute|fautes} dans {name} ; le reste remplit le formulaire",
                         "{n} {n:fault|faults} in {name}; the rest fills the form"),

    "district":         ("District", "District"),
    "district_is":      ("{name}, {n} habitants", "{name}, {n} inhabitants"),
    "district_none":    ("Aucun encore : envoyez un district, le dossier écrit par « averse build » mis en .zip.",
                         "None yet: send a district, the folder that “averse build” wrote, as a .zip."),
    "district_first":   ("Pour commencer, envoyez un district", "To begin, send a district"),
    "district_send":    ("Envoyer un district (.zip)…", "Send a district (.zip)…"),
    "district_wait":    ("Lecture du district…", "Reading the district…"),
    "district_read":    ("{name} sera joué", "{name} will be played"),

    "teams":            ("Équipes", "Teams"),
    "teams_hint":       ("Une à huit, chacune un centre opérationnel devant le même orage ; d'autres peuvent venir plus tard.",
                         "One to eight, each an operations centre on the same storm; others may come later."),
    "team_n":           ("Équipe {n}", "Team {n}"),
    "team_add":         ("Ajouter une équipe", "Add a team"),
    "team_drop":        ("Retirer l'équipe {n}", "Remove team {n}"),

    "situation":        ("Situation de départ", "Initial situation"),
    "hour":             ("Heure", "Hour"),
    "day":              ("Jour", "Day"),
    "weekday":          ("En semaine", "Weekday"),
    "weekend":          ("Samedi ou dimanche", "Saturday or Sunday"),
    "event":            ("Rassemblement prévu (fête, match, marché)", "Scheduled event (feast, match, market)"),
    "event_hint":       ("Laissez vide s'il n'y en a pas.", "Leave empty for none."),
    "event_hex":        ("Hexagone", "Hex"),
    "event_people":     ("Personnes", "People"),
    "map_open":         ("Choisir sur la carte…", "Choose on the map…"),
    "map_title":        ("Où le monde se rassemble", "Where people gather"),
    "map_how":          ("Touchez un hexagone pour le choisir. Habitants :", "Touch a hex to choose it. Inhabitants:"),
    "map_keys":         ("Carte des hexagones actifs : flèches pour aller à un autre, Entrée pour le choisir",
                         "Map of the active hexes: arrows go to another one, Enter chooses it"),
    "map_hex":          ("{hex} – {quarter}, {n} {n:habitant|habitants}", "{hex} – {quarter}, {n} {n:inhabitant|inhabitants}"),
    "half_staff":       ("La moitié des équipes de terrain est ailleurs", "Half of the units are away"),
    "credibility":      ("Crédibilité du centre, 0 à {n}", "Credibility of the centre, 0 to {n}"),
    "credibility_hint": ("À quel point on croit le centre : de +1 à −3 aux jets d'alerte.",
                         "How far the centre is believed: +1 to −3 on alert rolls."),

    "storm":            ("Orage et dés", "Storm and dice"),
    "level":            ("Niveau de l'orage", "Level of the storm"),
    "level_secret":     ("Secret : tiré de la graine parmi {list} ; il peut être faible",
                         "Secret: drawn from the seed among {list}; it may be mild"),
    "level_n":          ("Niveau {n}", "Level {n}"),
    "level_hint":       ("Un orage faible ({weak}) peut ne menacer presque personne : pour une classe, prenez {strong}, ou voyez l'orage d'abord. "
                         "Les équipes n'apprennent aucun niveau avant la fin ; vous, si vous le demandez : « Voir l'orage » ici, et dans la console "
                         "« Montrer le niveau » ou l'onglet « L'orage ».",
                         "A mild storm ({weak}) may threaten almost nobody: for a class take {strong}, or see the storm first. "
                         "No team learns a level before the end; you do if you ask: “See the storm” here, and in the console "
                         "“Show the level” or the tab “The storm”."),
    "or":               (" ou ", " or "),
    "seed":             ("Graine des dés", "Seed of the dice"),
    "seed_hint":        ("Vide : elle est tirée. Sinon 32 chiffres hexadécimaux ou plus ; la même rejoue le même exercice.",
                         "Empty: it is drawn. Else 32 hexadecimal digits or more; the same one plays the same exercise again."),
    "own_seeds":        ("Chaque équipe a ses propres dés, sous le même orage", "Each team has dice of its own, under the same storm"),
    "weather_is":       ("Météo : {name}", "Weather: {name}"),
    "weather_hint":     ("Une météo à part (autre pluie, cellule mobile, niveaux, débits) peut venir d'un fichier TOML.",
                         "Other weather (another rain, a moving cell, levels, inflows) may come from a TOML file."),
    "weather_send":     ("Charger une météo (TOML)…", "Load weather (TOML)…"),
    "weather_drop":     ("Ôter la météo", "Take the weather away"),

    "look":             ("Voir l'orage…", "See the storm…"),
    "look_hint":        ("Tel qu'il tombera, avec le niveau, la graine, l'heure et la météo choisis ; sans graine, il en est tiré une, "
                         "qui reste dans le formulaire. Écran partagé ou projecteur éteint !",
                         "As it will fall, with the level, the seed, the hour and the weather chosen; without a seed one is drawn, "
                         "which stays in the form. Projector or shared screen off!"),
    "look_water":       ("Calcul de l'eau, tour par tour…", "Computing the water, turn by turn…"),
    "look_maps":        ("Dessin de la carte…", "Drawing the map…"),
    "look_failed":      ("L'orage n'a pas été calculé : {why}", "The storm was not computed: {why}"),
    "seed_drawn":       ("Graine tirée et notée : la salle aura cet orage-là", "Seed drawn and noted: the room will have this very storm"),

    "course":           ("Déroulement", "Course"),
    "turns":            ("Tours de dix minutes, 1 à {n}", "Turns of ten minutes, 1 to {n}"),
    "turns_few":        ("En moins de {n} tours, l'eau est souvent à peine venue : « Voir l'orage » dit quand elle coupe les premiers.",
                         "In fewer than {n} turns the water has often hardly come: “See the storm” says when it cuts the first off."),
    "turns_short":      ("L'orage que vous avez vu ne coupe personne avant le tour {cut} : en {n} {n:tour|tours}, il n'y a rien à sauver.",
                         "The storm that you have seen cuts nobody off before turn {cut}: in {n} {n:turn|turns} there is nothing to save."),
    "turns_none":       ("L'orage que vous avez vu ne coupe personne en {n} {n:tour|tours} : il n'y a rien à sauver.",
                         "The storm that you have seen cuts nobody off in {n} {n:turn|turns}: there is nothing to save."),
    "timer":            ("Minuteur d'un tour", "Timer of a turn"),
    "timer_seconds":    ("{name}, {n} s : le tour est joué quand le temps est écoulé", "{name}, {n} s: the turn is played when the time is up"),
    "timer_none":       ("{name} : vous avancez les tours, la délibération prend son temps",
                         "{name}: you advance the turns, deliberation takes its time"),
    "cards":            ("Tirer des cartes événement", "Draw event cards"),
    "lang":             ("Langue de la salle", "Language of the room"),
    "lang_hint":        ("Chaque page a aussi son propre choix.", "Each page has its own switch too."),

    "injects":          ("Cartes qui tombent d'elles-mêmes", "Cards that fall by themselves"),
    "injects_hint":     ("Au tour dit, sur la cible dite : un hexagone (2314), une liaison par ses deux hexagones (2314-2315), un quartier ou un abri "
                         "par son nom. Sans cible, elle est tirée. D'autres peuvent être jouées à la main pendant le jeu.",
                         "At the turn given, on the target given: a hex (2314), a link by its two hexes (2314-2315), a quarter or a shelter "
                         "by its name. Without a target, it is drawn. Others may be played by hand during play."),
    "inject_turn":      ("Tour", "Turn"),
    "inject_card":      ("Carte", "Card"),
    "inject_target":    ("Cible", "Target"),
    "inject_note":      ("Remarque", "Note"),
    "inject_n":         ("Carte {n}", "Card {n}"),
    "inject_add":       ("Ajouter une carte", "Add a card"),
    "inject_drop":      ("Retirer la carte {n}", "Remove card {n}"),
    "inject_load":      ("Charger une liste (CSV, XLSX, TOML)…", "Load a list (CSV, XLSX, TOML)…"),
    "inject_sample":    ("Modèle de liste", "Sample list"),
    "injects_over":     ("Remplacer {n:la carte|les cartes} du formulaire par {name} ?", "Replace the {n:card|cards} of the form by {name}?"),
    "injects_replace":  ("Remplacer", "Replace"),
    "injects_read":     ("{n} {n:carte lue|cartes lues} de {name}", "{n} {n:card|cards} read from {name}"),

    "open":             ("Ouvrir la salle", "Open the room"),
    "faults_left":      ("{n} {n:faute|fautes} à corriger", "{n} {n:fault|faults} to mend"),
    "ready":            ("Rien à corriger", "Nothing to mend"),
    "kept":             ("Choix gardés", "Choices kept"),
    "not_kept":         ("Choix non gardés : le serveur est injoignable", "Choices not kept: the server cannot be reached"),
    "changed_title":    ("Les choix ont changé ailleurs", "What is chosen was changed elsewhere"),
    "changed_what":     ("Différent ici et là-bas : {list}.", "Different here and there: {list}."),
    "quoted":           ("« {what} »", "“{what}”"),
    "changed_kept":     ("Ce que vous n'aurez pas pris reste à portée de main, sous « Reprendre l'autre version ».",
                         "What you do not take stays at hand, under “Take the other version”."),
    "take_theirs":      ("Prendre les leurs", "Take theirs"),
    "put_mine":         ("Garder les miens", "Keep mine"),
    "take_other":       ("Reprendre l'autre version", "Take the other version"),
    "opening":          ("Calcul de l'eau…", "Computing the water…"),
    "opening_maps":     ("Dessin des cartes, puis la salle s'ouvre…", "Drawing the maps, then the room opens…"),
    "lost":             ("Serveur injoignable, nouvel essai… S'il a été arrêté, relancez-le : vos choix sont gardés.",
                         "The server cannot be reached, trying again… If it was stopped, start it again: your choices are kept."),
    "opening_share":    ("Avancement", "Progress"),
    "failed":           ("La salle n'a pas été ouverte : {why}", "The room was not opened: {why}"),
})
# fmt: on


def prepare_page(lang: str) -> Plain:
    """Return what the page is made with: ``words`` are all its texts, as JSON."""
    return page_of({**storm_words(), **_PREPARE}, lang)


def choices(lang: str) -> Plain:
    """Return what the form lets choose from, with what each means."""
    say = voice(lang)
    return {
        "hours": [{"value": hour, "said": say.label(HOURS[hour])} for hour in sorted(HOURS)],
        "timers": [
            {
                "value": timer.value,
                "said": row.label_fr if lang == "fr" else row.label_en,
                "seconds": row.seconds,
            }
            for timer, row in TIMERS.items()
        ],
        "levels": list(LEVELS),
        "teams": MOST_TEAMS,
        "turns": MOST_TURNS,
        "few_turns": FEW_TURNS,
        "credibility": CREDIBILITY_MOST,
        "cards": [
            {
                "value": card.value,
                "said": row.label_fr if lang == "fr" else row.label_en,
                "names": [row.label_fr, row.label_en],
                "does": card_does(card, lang),
            }
            for card, row in CARDS.items()
        ],
    }
