"""What the instructor's console and the public screen say, in French and in English.

The scripts of the pages fill the fields in (``static/said.js``): ``{n}``, and ``{n:one|many}`` for
the form that goes with the number, as in ``gis.wording``.
"""

import json
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from exercises.room.team_words import CUT_RULE
from gis.wording import spaced
from sim.rules import CARDS, Card
from sim.severity_words import LANGUAGES

# fmt: off
# key                fr, en
_SHARED: Mapping[str, tuple[str, str]] = MappingProxyType({
    "other_language":   ("English", "Français"),
    "night_mode":       ("Mode nuit", "Night mode"),
    "night":            ("nuit", "night"),
    "unlinked":         ("Salle injoignable, nouvel essai…", "The room cannot be reached, trying again…"),
    "unreachable":      ("La salle est injoignable : rien n'a été fait. Réessayez.",
                         "The room cannot be reached: nothing was done. Try again."),
    "play":             ("Lecture", "Play"),
    "pause":            ("Pause", "Pause"),
    "turn_back":        ("Tour précédent", "Previous turn"),
    "turn_on":          ("Tour suivant", "Next turn"),
    "turn_of":          ("Tour {n} sur {all}", "Turn {n} of {all}"),
    "turn_n":           ("Tour {n}", "Turn {n}"),
    "turn_shown":       ("Tour montré", "Turn shown"),
    "what_is_true":     ("Ce qui est vrai", "What is true"),
    "what_was_true":    ("Ce qui était vrai", "What was true"),
    "what_is_believed": ("Ce que l'équipe croit", "What the team believes"),
    "believed_by":      ("Ce que croit {team}", "What {team} believes"),
    "board_hint":       ("Touchez un hexagone pour le lire ; molette ou deux doigts pour agrandir.",
                         "Touch a hex to read it; wheel or two fingers to enlarge."),
    "board_keys":       ("Flèches : hexagone voisin ; + et − : agrandir, réduire ; 0 : tout voir.",
                         "Arrows: neighbouring hex; + and −: enlarge, reduce; 0: see all."),
    "recall":           ("Rappel", "Recall"),
    "precision":        ("Précision", "Precision"),
    "points":           ("Points", "Points"),
    "over":             ("terminé", "over"),
    "over_early":       ("arrêté après le tour {n} sur {all}", "ended early after turn {n} of {all}"),
    "teams":            ("Équipes", "Teams"),
})

_STORM: Mapping[str, tuple[str, str]] = MappingProxyType({
    "part_storm":       ("L'orage", "The storm"),
    "threatened":       ("Personnes menacées", "People threatened"),
    "storm_title":      ("L'orage, avant la classe", "The storm, before class"),
    "storm_warning":    ("La vérité cachée : ne projetez pas cette page.", "The hidden truth: do not project this page."),
    "wet_by_turn":      ("Hexagones sous l'eau, par tour", "Hexes under water, by turn"),
    "level":            ("Niveau", "Level"),
    "starts":           ("Exercice", "Exercise"),
    "starts_at":        ("à partir de {clock}, {n} {n:tour|tours}", "from {clock}, {n} {n:turn|turns}"),
    "first_cut":        ("Première coupure", "First cut"),
    "half_cut":         ("La moitié des menacés coupée", "Half of the threatened cut off"),
    "maximum":          ("Score maximal", "Greatest score"),
    "storm_says":       ("En {turns} {turns:tour|tours}, cet orage coupe de tout abri {n} {n:personne|personnes}, dans {hexes} {hexes:hexagone|hexagones}.",
                         "In {turns} {turns:turn|turns} this storm cuts off {n} {n:person|people} from every shelter, in {hexes} {hexes:hex|hexes}."),
    "storm_nobody":     ("En {turns} {turns:tour|tours}, cet orage ne coupe personne de tout abri : il n'y a rien à sauver.",
                         "In {turns} {turns:turn|turns} this storm cuts nobody off from every shelter: there is nothing to save."),
    "storm_hardly":     ("C'est presque personne : il n'y aura guère à sauver.", "That is almost nobody: there will be little to save."),
    "storm_longer":     ("Prenez plus de tours ({usual} d'ordinaire), ou un orage plus fort.",
                         "Take more turns ({usual} is usual), or a stronger storm."),
    "storm_stronger":   ("Prenez un orage plus fort.", "Take a stronger storm."),
    "signs":            ("Légende", "Legend"),
    "signs_bars":       ("Barres et hexagones :", "Bars and hexes:"),
    "signs_edges":      ("Autour des hexagones :", "Around the hexes:"),
    "signs_marks":      ("Sous le curseur, ▲ :", "Under the slider, ▲:"),
    "signs_marks_are":  ("la première coupure, puis la moitié des menacés coupée", "the first cut, then half of the threatened cut off"),
    "chart_words":      ("Au plus {most} {most:hexagone|hexagones} sous l'eau, au tour {turn}",
                         "At most {most} {most:hex|hexes} under water, in turn {turn}"),
})

_CONSOLE: Mapping[str, tuple[str, str]] = MappingProxyType({
    "title":            ("Console de l'animateur", "Instructor's console"),
    "skip":             ("Aller au contenu", "Skip to the content"),
    "loading":          ("Chargement…", "Loading…"),
    "parts":            ("Parties de la console", "Parts of the console"),
    "part_play":        ("En jeu", "In play"),
    "part_past":        ("Tours passés", "Past turns"),
    "part_cards":       ("Cartes", "Cards"),
    "part_join":        ("Entrer", "Join"),
    "part_debrief":     ("Fin et débriefing", "End and debrief"),
    "all_teams":        ("Toutes les équipes", "All teams"),
    "whole_team":       ("toute l'équipe", "whole team"),
    "nobody_yet":       ("personne", "nobody in"),
    "last_seen":        ("partie il y a {n} min", "left {n} min ago"),
    "left_now":         ("partie à l'instant", "left just now"),
    "team":             ("Équipe", "Team"),
    "cards_waiting":    ("au tour suivant tombe : {list}", "in the next turn falls: {list}"),
    "believed_then":    ("Ce que croyait {team}", "What {team} believed"),
    "forecasting":      ("pronostic", "forecast"),
    "painted":          ("{n} {n:hexagone peint|hexagones peints}", "{n} {n:hex|hexes} painted"),
    "orders":           ("{n} {n:ordre donné|ordres donnés}, reste {left} sur {of}", "{n} {n:order|orders} given, {left} of {of} left"),
    "score_line":       ("rappel {recall}, précision {precision}, {points} {points:point|points}",
                         "recall {recall}, precision {precision}, {points} {points:point|points}"),
    "orders_now":       ("Ordres de ce tour", "Orders of this turn"),
    "refused":          ("Refusé : {why}", "Refused: {why}"),
    "no_orders":        ("Aucun ordre donné", "No order given"),
    "no_orders_forecast": ("L'équipe peint son pronostic", "The team paints its forecast"),
    "log":              ("Main courante", "Event log"),
    "no_events":        ("Rien encore", "Nothing yet"),
    "figures":          ("Score si l'on s'arrêtait ici", "Score if it ended here"),
    "of_maximum":       ("{n} sur {all}", "{n} of {all}"),
    "done":             ("Sauvées", "Saved"),
    "not_yet_cut":      ("Menacées, pas encore coupées", "Threatened, not cut off yet"),
    "not_needed":       ("Déplacées sans nécessité", "Moved needlessly"),
    "victims":          ("Victimes", "Victims"),
    "capital":          ("Capital politique", "Political capital"),
    "forecast_csi":     ("Pronostic (indice critique)", "Forecast (critical index)"),
    "truth_is":         ("Niveau {level} : {what}", "Level {level}: {what}"),
    "level_show":       ("Montrer le niveau", "Show the level"),
    "level_hide":       ("Cacher le niveau", "Hide the level"),

    # what cannot be taken back
    "begin":            ("Clore le pronostic…", "Close the forecast…"),
    "advance":          ("Passer au tour suivant", "Go to the next turn"),
    "advance_all":      ("Tour suivant pour toutes…", "Next turn for all…"),
    "advance_one":      ("Avancer…", "Advance…"),
    "advance_named":    ("Avancer {team}", "Advance {team}"),
    "advance_all_ask":  ("Passer au tour suivant pour {n} {n:équipe|équipes} ?",
                         "Go to the next turn for {n} {n:team|teams}?"),
    "advance_one_ask":  ("Passer au tour suivant pour {team} seulement ?", "Go to the next turn for {team} alone?"),
    "from_to":          ("tour {from} → {to}", "turn {from} → {to}"),
    "advance_is_final": ("Un tour résolu ne se reprend pas.", "A turn that is resolved cannot be taken back."),
    "hold":             ("Suspendre le minuteur", "Hold the timer"),
    "resume":           ("Reprendre le minuteur", "Resume the timer"),
    "cancel":           ("Annuler", "Cancel"),
    "close":            ("Fermer", "Close"),
    "to":               ("À qui", "To"),
    "message":          ("Message…", "Message…"),
    "message_begun":    ("Message (commencé)…", "Message (begun)…"),
    "message_title":    ("Écrire à une équipe, ou à toutes", "Write to a team, or to all"),
    "message_text":     ("Texte du message", "Text of the message"),
    "message_hint":     ("500 signes au plus ; il reste dans la main courante.",
                         "500 characters at most; it stays in the event log."),
    "message_sent":     ("Message envoyé", "Message sent"),
    "send_all":         ("Envoyer à toutes les équipes", "Send to all teams"),
    "send_to":          ("Envoyer à {team} seulement", "Send to {team} alone"),

    # past turns
    "difference":       ("Différence", "Difference"),
    "seen_right":       ("sous l'eau, su", "wet, known"),
    "seen_missed":      ("sous l'eau, ignoré", "wet, not known"),
    "seen_false":       ("à sec, cru sous l'eau", "dry, thought wet"),
    "orders_then":      ("Ordres du tour", "Orders of the turn"),
    "no_orders_then":   ("Aucun ordre à ce tour", "No order in this turn"),
    "log_then":         ("Ce qui s'est passé", "What happened"),

    # cards
    "cards_title":      ("Jouer une carte à la main", "Play a card by hand"),
    "card":             ("Carte", "Card"),
    "note":             ("Remarque (pour le débriefing)", "Note (for the debrief)"),
    "play_card":        ("Jouer…", "Play…"),
    "card_hint":        ("La carte tombe à l'ouverture du tour suivant. Sans cible, elle est tirée au sort.",
                         "The card falls as the next turn opens. Without a target, one is drawn."),
    "card_ask":         ("Jouer « {card} » à l'ouverture du tour suivant ?", "Play “{card}” as the next turn opens?"),
    "card_is_final":    ("Une carte jouée ne se reprend pas.", "A card that is played cannot be taken back."),
    "card_played":      ("« {card} » tombera au tour suivant", "“{card}” will fall in the next turn"),
    "target_drawn":     ("Cible tirée au sort", "Target drawn by lot"),
    "target_hex":       ("Cible : un hexagone", "Target: a hex"),
    "target_link":      ("Cible : une liaison (deux hexagones voisins)", "Target: a link (two neighbouring hexes)"),
    "target_quarter":   ("Cible : un quartier", "Target: a quarter"),
    "target_shelter":   ("Cible : un abri", "Target: a shelter"),
    "pick_hint":        ("Touchez la carte pour choisir la cible", "Touch the map to choose the target"),
    "injects":          ("Cartes jouées et à venir", "Cards played and to come"),
    "injects_load":     ("Charger CSV, XLSX ou TOML", "Load CSV, XLSX or TOML"),
    "injects_save":     ("Enregistrer XLSX", "Save XLSX"),
    "injects_loaded":   ("{n} {n:événement chargé|événements chargés}", "{n} {n:inject|injects} loaded"),
    "no_injects":       ("Rien encore : jouez une carte, ou chargez une liste d'événements",
                         "Nothing yet: play a card, or load a list of injects"),
    "inject_turn":      ("Tour", "Turn"),
    "inject_card":      ("Carte", "Card"),
    "inject_target":    ("Cible", "Target"),
    "inject_note":      ("Remarque", "Note"),
    "inject_act":       ("Action", "Act"),
    "by_itself":        ("tombera d'elle-même", "will fall by itself"),
    "falls_hand":       ("jouée à la main : tombe au tour {n}", "played by hand: falls in turn {n}"),
    "fell_hand":        ("jouée à la main, tombée au tour {n}", "played by hand, fell in turn {n}"),
    "fell_list":        ("tombée d'elle-même au tour {n}", "fell by itself in turn {n}"),
    "fell_deck":        ("tirée au sort, tombée au tour {n}", "drawn by lot, fell in turn {n}"),
    "play_all":         ("Jouer pour toutes les équipes", "Play for all teams"),
    "play_for":         ("Jouer pour {team} seulement", "Play for {team} alone"),
    "play_again":       ("Rejouer…", "Play again…"),
    "drawn":            ("tirée au sort", "drawn"),

    # coming in
    "join_title":       ("Entrer dans la salle", "Coming into the room"),
    "join_hint":        ("Un lien par équipe : qui l'ouvre joue pour elle. Touchez un code pour l'agrandir.",
                         "One link a team: whoever opens it plays for it. Touch a code to enlarge it."),
    "public_screen":    ("Écran public (projecteur)", "Public screen (projector)"),
    "the_screen":       ("l'écran public", "the public screen"),
    "open_screen":      ("Ouvrir", "Open"),
    "link_of":          ("Lien de {who}", "Link of {who}"),
    "qr_of":            ("Code QR de {who}", "QR code of {who}"),
    "enlarge":          ("Agrandir le code de {who}", "Enlarge the code of {who}"),
    "copy":             ("Copier", "Copy"),
    "copy_of":          ("Copier le lien de {who}", "Copy the link of {who}"),
    "copied":           ("Lien copié", "Link copied"),
    "copy_yourself":    ("Le lien est sélectionné : copiez-le (Ctrl-C)", "The link is selected: copy it (Ctrl-C)"),
    "renew":            ("Nouveau lien…", "New link…"),
    "renew_of":         ("Nouveau lien pour {who}", "New link for {who}"),
    "renew_ask":        ("Un nouveau lien pour {who} ?", "A new link for {who}?"),
    "renew_is_final":   ("L'ancien lien s'arrête aussitôt, et avec lui toutes les pages ouvertes par lui : il faudra y entrer par le nouveau.",
                         "The old link ends at once, and with it all pages that were opened by it: they must come in by the new one."),
    "renewed":          ("Nouveau lien pour {who} ; l'ancien n'ouvre plus rien", "New link for {who}; the old one opens nothing any more"),
    "new_team":         ("Équipe retardataire", "Team that comes late"),
    "add_team":         ("Ajouter", "Add"),
    "team_added":       ("Équipe ajoutée", "Team added"),
    "forms_title":      ("Formulaires sur papier", "Forms on paper"),
    "forms_hint":       ("Pronostic à hachurer, ordres tour par tour, main courante et carte des règles, au nom de chaque équipe. Au-delà des "
                         "tours demandés, une feuille d'ordres vierge est à photocopier. Imprimez-les "
                         "avant la séance, une coupure de courant ne l'arrêtera pas.",
                         "A forecast to hatch, orders turn by turn, an event log and a rule card in each team's name. Beyond the turns asked for "
                         "there is a blank form of orders to copy. Print them before class, and a "
                         "power cut will not stop it."),
    "forms_turns":      ("Feuilles d'ordres, en tours", "Forms of orders, turns"),
    "forms_print":      ("Préparer les formulaires (PDF)", "Prepare the forms (PDF)"),
    "forms_wait":       ("Mise en page…", "Setting the pages…"),
    "forms_done":       ("Formulaires prêts à imprimer", "The forms are ready to print"),

    # the end
    "end_title":        ("Terminer l'exercice", "End the exercise"),
    "end_hint":         ("Avant le dernier tour, le score compte ce qui a été joué ; les ordres du tour ouvert ne "
                         "comptent pas. Qui est menacé se dit de l'orage entier : le dossier dit combien n'étaient pas encore coupés. Quand toutes ont fini, l'orage est dévoilé.",
                         "Before the last turn the score counts what was played; the orders of the open turn do "
                         "not count. Who is threatened is told of the whole storm: the pack says how many were not cut off yet. Once all are through, the storm is unveiled."),
    "end":              ("Terminer…", "End…"),
    "end_who":          ("Pour qui", "For whom"),
    "end_all":          ("Terminer pour toutes les équipes", "End for all teams"),
    "end_for":          ("Terminer pour {team} seulement", "End for {team} alone"),
    "end_ask":          ("Terminer l'exercice maintenant ?", "End the exercise now?"),
    "end_is_final":     ("Un exercice terminé ne reprend pas.", "An exercise that ended does not go on again."),
    "ended":            ("Exercice terminé", "The exercise has ended"),
    "pack_title":       ("Dossier de débriefing", "Debrief pack"),
    "pack_hint":        ("Page, rapport PDF, cartes, tableaux et couches, dans une archive qui s'ouvre sans réseau.",
                         "Page, PDF report, maps, tables and layers, in one archive that opens offline."),
    "write_pack":       ("Préparer le dossier", "Prepare the pack"),
    "write_again":      ("Le préparer de nouveau", "Prepare it again"),
    "stage_begins":     ("Mise en route…", "Getting ready…"),
    "stage_reading":    ("Lecture des journaux…", "Reading the journals…"),
    "stage_regret":     ("Ce qu'on aurait pu faire d'autre…", "What else might have been done…"),
    "stage_writing":    ("Rédaction du dossier…", "Writing the pack…"),
    "stage_archive":    ("Mise en archive…", "Making the archive…"),
    "pack_early_ask":   ("Des équipes jouent encore", "Some teams still play"),
    "pack_early":       ("Le dossier dit toute la vérité : ne le montrez pas avant la fin. Il vaut pour ce qui a été joué.",
                         "The pack tells the whole truth: do not show it before the end. It covers what was played."),
    "pack_progress":    ("Avancement du dossier", "Progress of the pack"),
    "pack_ready":       ("Le dossier est prêt", "The pack is ready"),
    "pack_get":         ("Télécharger le dossier", "Download the pack"),
    "proof_title":      ("Preuve que l'orage n'a pas été changé en cours de jeu", "Proof that the storm was not changed during play"),
    "proof":            ("Empreinte de la vérité cachée, montrée dès le début : {hash}",
                         "Hash of the hidden truth, shown from the start: {hash}"),
    "proof_opened":     ("Empreinte montrée dès le début : {hash} ; c'est le SHA-256 de : {text}",
                         "Hash shown from the start: {hash}; it is the SHA-256 of: {text}"),
})

_PUBLIC: Mapping[str, tuple[str, str]] = MappingProxyType({
    "title":            ("Écran public", "Public screen"),
    "skip":             ("Aller au contenu", "Skip to the content"),
    "forecast_phase":   ("Pronostic", "Forecast"),
    "play_phase":       ("En jeu", "In play"),
    "over_phase":       ("Terminé", "Over"),
    "forecast_words":   (f"Chaque équipe peint ce qui, selon elle, sera coupé. {CUT_RULE[0]}",
                         f"Each team paints what it thinks will be cut. {CUT_RULE[1]}"),
    "waiting":          ("Les autres équipes jouent encore : l'orage sera dévoilé quand toutes auront fini.",
                         "Other teams still play: the storm is unveiled once all are through."),
    "bulletin_says":    ("Bulletin : {what}", "Bulletin: {what}"),
    "no_bulletin":      ("Pas encore de bulletin", "No bulletin yet"),
    "timer":            ("Temps restant", "Time left"),
    "held":             ("minuteur suspendu", "timer on hold"),
    "day":              ("jour", "day"),
    "all_at":           ("Toutes les équipes", "All teams"),
    "unveiled":         ("L'orage dévoilé", "The storm unveiled"),
    "level_was":        ("Niveau {level}", "Level {level}"),
    "what_was_known":   ("Ce que savait {team}", "What {team} knew"),
    "forecast_of":      ("Le pronostic de {team}", "The forecast of {team}"),
    "hits":             ("vu juste", "right"),
    "misses":           ("manqué", "missed"),
    "false_alarms":     ("fausse alerte", "false alarm"),
    "saved_of":         ("{n} {n:personne sauvée|personnes sauvées} sur {all} {all:menacée|menacées}",
                         "{n} {n:person|people} saved of {all} threatened"),
    "saved_none":       ("Personne n'était menacé", "Nobody was threatened"),
    "recall_of":        ("rappel {recall}", "recall {recall}"),
    "precision_of":     ("précision {precision}", "precision {precision}"),
    "precision_none":   ("personne n'a été mis à l'abri", "nobody was sheltered"),
    "points_of":        ("{points} {points:point|points}", "{points} {points:point|points}"),
    "ended_early":      ("arrêté après le tour {n} sur {all} : {later} {later:personne menacée n'était pas encore coupée|personnes menacées n'étaient pas encore coupées}",
                         "ended early after turn {n} of {all}: {later} threatened {later:person was|people were} not cut off yet"),
    "storm_alone":      ("après l'arrêt : l'orage seul", "after the end: the storm alone"),
    "first_water":      ("l'eau arrive", "the water comes"),
    "most_water":       ("le plus d'hexagones sous l'eau", "most hexes under water"),
    "play_ended":       ("fin du jeu", "play ended"),
    "choose_team":      ("Équipe montrée", "Team shown"),
})
# what a card does (§13.1); {n}: turns that it lasts
_CARDS: Mapping[Card, tuple[str, str]] = MappingProxyType({
    Card.ACCIDENT:        ("Une liaison importante est coupée {n} tours.", "A main link is cut for {n} turns."),
    Card.ROADWORKS:       ("Une liaison n'existe plus, et personne ne le sait avant d'y passer.",
                           "A link no longer exists, and nobody knows before trying it."),
    Card.JAM:             ("Autour d'un hexagone, les véhicules se traînent {n} tours.", "Around a hex, vehicles crawl for {n} turns."),
    Card.COUNTER_CURRENT: ("Un quartier alerté rebrousse chemin : il perd deux tours.", "An alerted quarter turns back: it loses two turns."),
    Card.STAMPEDE:        ("Un abri refuse du monde {n} tours.", "A shelter turns people away for {n} turns."),
    Card.POWER_CUT:       ("Autour d'un hexagone, ni radio ni compte rendu ni station {n} tours.",
                           "Around a hex, no radio, no report, no station for {n} turns."),
    Card.RUMOUR:          ("Des nouvelles alarmantes viennent d'un quartier à sec.", "Alarming reports come from a quarter that is dry."),
    Card.REINFORCEMENT:   ("Deux patrouilles de plus.", "Two more patrols."),
    Card.INJUNCTION:      ("La préfecture veut un quartier évacué : obéir, ou refuser et le payer en capital politique.",
                           "The prefecture wants a quarter evacuated: obey, or refuse and pay in political capital."),
})
# fmt: on


def card_does(card: Card, lang: str) -> str:
    """Return what a card does, in a sentence."""
    text = spaced(_CARDS[card][LANGUAGES.index(lang)], lang)
    return text.format(n=CARDS[card].lasts_turns)


def console_page(lang: str) -> dict[str, Any]:
    """Return what the console's page is made with: ``words`` are all its texts, as JSON."""
    cards = {f"does_{card.value}": (card_does(card, "fr"), card_does(card, "en")) for card in CARDS}
    return page_of({**_SHARED, **_STORM, **_CONSOLE, **cards}, lang)


def storm_words() -> dict[str, tuple[str, str]]:
    """Return what is said beside the storm that is shown before class, French and English."""
    return {**_SHARED, **_STORM}


def public_page(lang: str) -> dict[str, Any]:
    """Return what the public screen's page is made with, as ``console_page`` does."""
    return page_of({**_SHARED, **_PUBLIC}, lang)


def page_of(words: Mapping[str, tuple[str, str]], lang: str) -> dict[str, Any]:
    """Return the title, the words for keyboards and, as JSON, all texts of a page."""
    number = LANGUAGES.index(lang)
    said = {key: spaced(texts[number], lang) for key, texts in words.items()}
    return {
        "title": said["title"],
        "skip": said["skip"],
        "words": json.dumps(said, ensure_ascii=False),
    }
