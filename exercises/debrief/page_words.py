"""What the page of a debrief says, in French and in English.

Fields are filled as ``gis.wording.filled`` does: ``{n:,}`` writes a number as the language does,
``{n:one|many}`` the form that goes with it.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from gis.wording import filled, spaced
from sim.severity_words import LANGUAGES

# fmt: off
# key                fr, en
_WORDS: Mapping[str, tuple[str, str]] = MappingProxyType({
    "debrief":          ("Débriefing", "Debrief"),
    "skip":             ("Aller au contenu", "Skip to the content"),
    "disclaimer":       ("Terrain d'exercice : ce n'est pas une carte des inondations",
                         "Exercise ground, not a flood map"),
    "storm":            ("Orage", "Storm"),
    "level":            ("niveau {n}", "level {n}"),
    "start":            ("Début", "Start"),
    "length":           ("Durée", "Length"),
    "turns":            ("{n} {n:tour|tours} de 10 min", "{n} {n:turn|turns} of 10 min"),
    "ended_early":      ("arrêté après le tour {n} sur {all}", "ended early after turn {n} of {all}"),
    "ended_early_what": ("Arrêté après le tour {n} sur {all}. Le score compte ce qui a été joué ; est menacé, et coupé, "
                         "ce que l'orage entier menace et coupe, même après l'arrêt : qui a été mis à l'abri d'avance l'a été "
                         "à raison.",
                         "Ended early after turn {n} of {all}. The score counts what was played; threatened, and cut, is "
                         "what the whole storm threatens and cuts, even after the end: who was sheltered ahead of it was so "
                         "rightly."),
    "ended_early_team": ("{team} : arrêté après le tour {n} sur {all} ; parmi les menacées, {later}.",
                         "{team}: ended early after turn {n} of {all}; of the threatened, {later}."),
    "not_yet_cut":      ("dont pas encore coupées à l'arrêt", "of these not cut off yet at the end"),
    "not_yet_cut_short": ("Pas encore coupées", "Not cut off yet"),
    "not_yet_cut_n":    ("{n:,} {n:n'était pas encore coupée|n'étaient pas encore coupées} à l'arrêt", "{n:,} not cut off yet at the end"),
    "terms_lead_early": ("{n:,} {n:personne devait|personnes devaient} partir : {n:son hexagone perd|leurs hexagones perdent}, "
                         "à un moment de l'orage, tout chemin à pied vers un abri ; {cut:,} {cut:l'avait|l'avaient} perdu "
                         "à l'arrêt, ou {cut:était|étaient} à l'abri.",
                         "{n:,} {n:person|people} had to leave: at some moment of the storm {n:that person's hex loses|their "
                         "hexes lose} every way on foot to a shelter; {cut:,} had lost it at the end, or {cut:was|were} "
                         "sheltered."),
    "people":           ("À mettre à l'abri", "To shelter"),
    "n_people":         ("{n:,} {n:personne|personnes}", "{n:,} {n:person|people}"),
    "parts":            ("Parties du dossier", "Parts of the debrief"),
    "sections":         ("Sections : {team}", "Sections: {team}"),
    "class":            ("La classe", "The class"),
    "print":            ("Imprimer cette partie", "Print this part"),
    "print_all":        ("Tout imprimer", "Print all"),
    "named":            ("{name} : {what}", "{name}: {what}"),
    "turn":             ("Tour", "Turn"),
    "turn_n":           ("Tour {n}", "Turn {n}"),
    "points":           ("Points", "Points"),
    "people_short":     ("Personnes", "People"),
    "total":            ("Total", "Total"),
    "more_right":       ("La suite est à droite : faites glisser →", "There is more to the right: swipe →"),
    "maximum":          ("Maximum de cet exercice", "Maximum of this exercise"),
    "team":             ("Équipe", "Team"),
    "no_script":        ("La carte animée et les filtres demandent JavaScript ; tout le reste se lit sans.",
                         "The moving map and the filters need JavaScript; all the rest is here without it."),
    "credit":           ("Fond de carte : {said}", "Map background: {said}"),
    "made_from":        ("Fait du journal de l'exercice et du district, règles {version}. Graine {seed}.",
                         "Made from the exercise's journal and its district, rules {version}. Seed {seed}."),
    "differences":      ("Ce qui n'est pas le même pour toutes les équipes : {list}.",
                         "What is not the same for every team: {list}."),
    "differs_seed":     ("les dés", "the dice"),
    "differs_turns_played": ("le nombre de tours joués", "the turns played"),
    "differs_injects":  ("les cartes de l'animateur", "the instructor's cards"),
    "differs_timer":    ("le minuteur", "the timer"),
    "differs_cards":    ("les cartes tirées ou non", "whether cards are drawn"),
    "differs_half_staff": ("les moyens présents", "the staff present"),
    "differs_credibility": ("la crédibilité du centre", "the centre's credibility"),
    "differs_other":    ("des réglages du scénario ({name})", "settings of the scenario ({name})"),

    # the three terms
    "terms":            ("Les trois termes", "The three terms"),
    "terms_lead":       ("{n:,} {n:personne devait|personnes devaient} partir : {n:son hexagone a|leurs hexagones ont} "
                         "perdu, à un moment de l'orage, tout chemin à pied vers un abri.",
                         "{n:,} {n:person|people} had to leave: at some moment of the storm {n:that person's hex|their hexes} "
                         "lost every way on foot to a shelter."),
    "terms_none":       ("Personne n'était menacé : aucun hexagone n'a perdu tout chemin à pied vers un abri.",
                         "Nobody was threatened: no hex lost every way on foot to a shelter."),
    "one_figure":       ("Un personnage : {n:,} {n:personne|personnes}.", "One figure: {n:,} {n:person|people}."),
    "needed_and_done":  ("Nécessaire et fait", "Needed and done"),
    "needed_and_done_what": ("menacées, à l'abri avant la coupure", "threatened, sheltered before the cut"),
    "late":             ("dont trop tard", "of these too late"),
    "late_what":        ("menacées, à l'abri après la coupure : place bien employée, 0 point",
                         "threatened, sheltered after the cut: a place well used, 0 points"),
    "left":             ("dont jamais", "of these never"),
    "left_what":        ("menacées, restées ou coupées", "threatened, left or cut off"),
    "needed_and_not_done": ("Nécessaire, mais pas fait", "Needed and not done"),
    "needed_and_not_done_what": ("menacées, pas à l'abri à temps", "threatened, not sheltered in time"),
    "not_needed":       ("Fait sans nécessité", "Not needed"),
    "not_needed_what":  ("places prises par des personnes jamais menacées",
                         "places taken by people never threatened"),
    "victims":          ("Victimes", "Victims"),
    "victims_what":     ("perdues dans l'eau, ou isolées sans ravitaillement",
                         "lost in the water, or cut off without supplies"),
    "capital":          ("Capital politique", "Political capital"),
    "each":             ("Points chacune", "Points each"),
    "terms_table":      ("Le score, terme par terme", "The score, term by term"),
    "capital_each":     ("{n} (60 au départ)", "{n} (60 at the start)"),

    # recall and precision
    "rates":            ("Rappel et précision", "Recall and precision"),
    "rates_lead":       ("Alerter tout le monde donne un bon rappel et une mauvaise précision ; n'alerter presque "
                         "personne, l'inverse. On gagne en montant les deux.",
                         "Alerting everyone gives a good recall and a poor precision; alerting almost nobody, the "
                         "reverse. One wins by raising both."),
    "recall":           ("Rappel", "Recall"),
    "precision":        ("Précision", "Precision"),
    "recall_is":        ("{saved:,} {saved:sauvée|sauvées} sur {threatened:,} {threatened:menacée|menacées}",
                         "{saved:,} saved of {threatened:,} threatened"),
    "precision_is":     ("{well:,} {well:place bien employée|places bien employées} sur {used:,} {used:prise|prises}",
                         "{well:,} {well:place|places} well used of {used:,} taken"),
    "nothing":          ("rien à partager", "nothing to share"),

    # the forecast
    "forecast":         ("Le pronostic et la vérité", "Forecast against truth"),
    "forecast_lead":    ("Avant le tour 1, l'équipe a peint {painted:,} {painted:hexagone|hexagones}. En vérité, "
                         "{cut:,} {cut:a eu|ont eu} une liaison coupée aux piétons.",
                         "Before turn 1 the team painted {painted:,} {painted:hex|hexes}. In truth {cut:,} had a link "
                         "cut to pedestrians."),
    "forecast_whole":   ("Le pronostic vaut pour l'orage entier : il est comparé aux {n} tours, même après l'arrêt.",
                         "A forecast is of the whole storm: it is compared with all {n} turns, even after the end."),
    "forecast_none":    ("L'équipe n'a rien peint avant le tour 1.", "The team painted nothing before turn 1."),
    "forecast_alt":     ("Carte des hexagones : {hits:,} bien vus, {misses:,} manqués, {alarms:,} fausses alertes",
                         "Map of the hexes: {hits:,} hits, {misses:,} misses, {alarms:,} false alarms"),
    "hits":             ("Bien vus", "Hits"),
    "hits_what":        ("peints, et coupés", "painted, and cut"),
    "misses":           ("Manqués", "Misses"),
    "misses_what":      ("coupés, non peints", "cut, not painted"),
    "alarms":           ("Fausses alertes", "False alarms"),
    "alarms_what":      ("peints, jamais coupés", "painted, never cut"),
    "csi":              ("Indice de succès critique", "Critical success index"),
    "csi_what":         ("bien vus, sur tout ce qui fut peint ou coupé", "hits, of all that was painted or cut"),
    "rings":            ("Les presque-réussites comptent : score des fractions (FSS) par anneau de voisins, "
                         "de 0 (rien près) à 1 (parfait)",
                         "Near misses count: fractions skill score (FSS) by ring of neighbours, from 0 (nothing "
                         "near) to 1 (perfect)"),
    "ring":             ("Anneau", "Ring"),
    "ring_0":           ("l'hexagone même", "the hex itself"),
    "ring_n":           ("à {n} {n:hexagone|hexagones} près", "within {n} {n:hex|hexes}"),
    "fss":              ("FSS", "FSS"),
    "brier":            ("Score de Brier", "Brier score"),
    "brier_what":       ("0 est parfait, 0,25 vaut pile ou face", "0 is perfect, 0.25 is a coin toss"),
    "no_confidence":    ("Aucune confiance n'accompagnait le pronostic : ni score de Brier, ni diagramme de fiabilité.",
                         "No confidence came with the forecast: no Brier score and no reliability plot."),
    "reliability":      ("Fiabilité : ce qui fut coupé, selon la confiance donnée",
                         "Reliability: what was cut, by the confidence given"),
    "given":            ("Confiance donnée", "Confidence given"),
    "came":             ("Part coupée en vérité", "Share cut in truth"),
    "just_right":       ("juste", "just right"),
    "too_sure":         ("trop sûr", "too sure"),
    "too_shy":          ("trop prudent", "too shy"),
    "hexes":            ("Hexagones", "Hexes"),
    "n_hexes":          ("{n:,} {n:hexagone|hexagones}", "{n:,} {n:hex|hexes}"),
    "confidence":       ("Confiance", "Confidence"),
    "water_there":      ("Plan d'eau, rivière", "Open water, river"),
    "off":              ("Hors zone active", "Outside the active area"),

    # believed and true
    "twin":             ("Cru et vrai", "Believed and true"),
    "twin_lead":        ("À gauche, ce que l'équipe savait ; à droite, ce qui était vrai au même moment. Le curseur "
                         "mène du pronostic à la fin : flèches, Début et Fin ; la barre d'espace lance et arrête.",
                         "On the left, what the team knew; on the right, what was true at the same moment. The slider "
                         "leads from the forecast to the end: arrows, Home and End; the space bar plays and stops."),
    "believed":         ("Ce que l'équipe croyait", "What the team believed"),
    "true":             ("Ce qui était vrai", "What was true"),
    "believed_alt":     ("Carte : eau connue et son âge, hexagones alertés, en évacuation, évacués, liaisons crues "
                         "coupées, unités", "Map: known water and its age, hexes alerted, evacuating, evacuated, links "
                         "believed cut, units"),
    "true_alt":         ("Carte : eau vraie, hexagones alertés, en évacuation, évacués, liaisons coupées, unités",
                         "Map: true water, hexes alerted, evacuating, evacuated, cut links, units"),
    "counted":          ("Hexagones sous l'eau : {wet} · liaisons coupées : {cut}",
                         "Hexes under water: {wet} · links cut: {cut}"),
    "bulletin_says":    ("Bulletin : {said}", "Bulletin: {said}"),
    "no_bulletin":      ("Pas encore de bulletin", "No bulletin yet"),
    "end":              ("Fin", "End"),
    "over":             ("L'exercice est fini.", "The exercise is over."),
    "no_order":         ("Aucun ordre à ce tour.", "No order in this turn."),
    "orders_now":       ("Ordres de ce tour", "Orders of this turn"),
    "to_shelter_here":  ("{n} à mettre à l'abri", "{n} to shelter"),
    "gap_track":        ("Hexagones sous l'eau, tour par tour : vrai et connu",
                         "Hexes under water, turn by turn: true and known"),
    "legend":           ("Légende", "Legend"),
    "time":             ("Temps de l'exercice", "Time of the exercise"),
    "controls":         ("Commandes de la carte", "Controls of the map"),

    # the decisions
    "decisions":        ("Les décisions", "The decisions"),
    "decisions_lead":   ("Chaque ordre, ce qui était su alors, la raison donnée, ce qui en est venu. Le numéro du tour "
                         "mène la carte à ce moment.",
                         "Each order, what was known then, the reason given, what came of it. The turn's number leads "
                         "the map to that moment."),
    "no_decision":      ("L'équipe n'a donné aucun ordre.", "The team gave no order."),
    "order":            ("Ordre", "Order"),
    "known_then":       ("Ce qui était su", "What was known"),
    "true_then":        ("Ce qui était vrai", "What was true"),
    "reason":           ("Raison donnée", "Reason given"),
    "came_of_it":       ("Ce qui en est venu", "What came of it"),
    "search":           ("Chercher", "Search"),
    "show":             ("Montrer", "Show"),
    "show_all":         ("toutes les décisions", "all decisions"),
    "show_alert":       ("les alertes", "alerts"),
    "show_unit":        ("les unités", "units"),
    "show_other":       ("les autres ordres", "other orders"),
    "show_refused":     ("les ordres refusés", "refused orders"),
    "show_reason":      ("celles qui ont une raison", "those with a reason"),
    "kept":             ("{kept} sur {all}", "{kept} of {all}"),
    "go_to_turn":       ("Mener la carte au tour {n}", "Lead the map to turn {n}"),
    "verdict_refused":  ("refusé, règle {rule} : {why}", "refused by rule {rule}: {why}"),
    "verdict_withdrawn": ("retiré par l'équipe", "withdrawn by the team"),
    "verdict_unresolved": ("l'exercice s'est arrêté avant", "the exercise ended before it"),
    "unknown_all":      ("jamais observé", "never observed"),
    "dry_all":          ("à sec", "dry"),
    "dry_of":           ("{n:,} à sec", "{n:,} dry"),
    "wet_of":           ("{n:,} sous l'eau, {deep} cm au plus ({name})", "{n:,} under water, {deep} cm at most ({name})"),
    "unseen_of":        ("{n:,} jamais {n:observé|observés}", "{n:,} never observed"),
    "of_hexes":         ("{n:,} {n:hexagone|hexagones} : {list}", "{n:,} {n:hex|hexes}: {list}"),
    "oldest":           ("observation la plus fraîche : {n} {n:tour|tours}", "freshest look: {n} {n:turn|turns} old"),
    "told":             ("dit par des habitants", "told by residents"),
    "one_wet":          ("{deep} cm ({name})", "{deep} cm ({name})"),
    "seen_now":         ("vu ce tour", "seen this turn"),
    "seen_ago":         ("vu il y a {n} {n:tour|tours}", "seen {n} {n:turn|turns} ago"),
    "told_ago":         ("dit par des habitants, d'il y a {n} {n:tour|tours}", "told by residents, {n} {n:turn|turns} old"),
    "way":              ("liaison {link} : {state}", "link {link}: {state}"),
    "way_shut":         ("coupée", "cut"),
    "reached_none":     ("aucun hexagone de plus n'est alerté", "no further hex is alerted"),
    "reached":          ("{n:,} {n:hexagone alerté|hexagones alertés} : {people}",
                         "{n:,} {n:hex|hexes} alerted: {people}"),
    "saved_of":         ("{saved:,} {saved:sauvée|sauvées} sur {threatened:,} {threatened:menacée|menacées}",
                         "{saved:,} saved of {threatened:,} threatened"),
    "misused_of":       ("{n:,} {n:place prise|places prises} sans menace", "{n:,} {n:place|places} taken without a threat"),
    "lost_of":          ("{n:,} {n:victime|victimes}", "{n:,} {n:victim|victims}"),
    "nobody_threatened": ("personne n'était menacé", "nobody was threatened"),
    "arrived":          ("sur place au tour {n}", "there at turn {n}"),
    "never_arrived":    ("jamais sur place", "never there"),
    "blocked":          ("bloquée {n} {n:tour|tours}", "blocked for {n} {n:turn|turns}"),
    "hit_of":           ("{hit:,} sur {painted:,} {hit:coupé|coupés} en vérité", "{hit:,} of {painted:,} cut in truth"),
    "nothing_came":     ("rien", "nothing"),

    # regret
    "regret":           ("Le regret", "Regret"),
    "regret_early":     ("Chaque façon de jouer s'arrête elle aussi après le tour {n}. Les premiers tours donnent peu d'ordres, "
                         "et il faut du temps pour marcher : qui alerte partout n'a peut-être encore personne à l'abri.",
                         "Every way to play ends after turn {n} too. The first turns give few orders, and walking takes "
                         "time: alerting everyone may have nobody sheltered yet."),
    "regret_lead":      ("Le même orage et les mêmes dés, joués autrement. Rien ici ne juge l'équipe sur ce qu'elle ne "
                         "pouvait pas savoir : la connaissance parfaite est une borne.",
                         "The same storm and the same dice, played otherwise. Nothing here judges the team on what it "
                         "could not know: perfect knowledge is a bound."),
    "played":           ("L'équipe, comme elle a joué", "The team, as it played"),
    "do_nothing":       ("Ne rien faire", "Do nothing"),
    "alert_everyone":   ("Alerter tout le monde dès le tour 1", "Alert everyone from turn 1"),
    "baseline":         ("Le joueur de référence", "The baseline player"),
    "one_turn_earlier": ("Les mêmes ordres, un tour plus tôt", "The same orders, one turn earlier"),
    "perfect_knowledge": ("La connaissance parfaite", "Perfect knowledge"),
    "not_computed":     ("pas encore calculée", "not computed yet"),
    "saved":            ("Sauvées", "Saved"),
    "misused":          ("Places mal employées", "Places misused"),
    "gap":              ("Écart à l'équipe", "Against the team"),
    "regret_table":     ("Ce qu'aurait donné chaque façon de jouer", "What each way to play would have given"),
    "regret_chart":     ("Points de chaque façon de jouer", "Points of each way to play"),
    "alternative":      ("Façon de jouer", "Way to play"),
    "dropped":          ("Un tour plus tôt, {n} {n:ordre dépassait|ordres dépassaient} le budget du tour",
                         "One turn earlier, {n} {n:order was|orders were} beyond the turn's budget"),
    "dropped_none":     ("Un tour plus tôt, tous les ordres tenaient dans le budget.",
                         "One turn earlier, all orders were within the budget."),
    "earlier_refused":  ("{n} {n:ordre|ordres} de plus {n:a été refusé|ont été refusés} : l'équipe n'en savait pas "
                         "assez un tour plus tôt, ou sa cellule n'était pas encore assez nombreuse.",
                         "{n} more {n:order was|orders were} refused: the team did not know enough one turn earlier, "
                         "or its staff was not large enough yet."),

    # course of the exercise
    "shelters":         ("Le remplissage des abris", "How the shelters filled"),
    "shelters_lead":    ("{taken:,} {taken:place prise|places prises} sur {all:,}. La ligne haute de chaque cadre est "
                         "la capacité.",
                         "{taken:,} {taken:place|places} taken of {all:,}. The top line of each frame is the capacity."),
    "no_shelter":       ("Le district n'a pas d'abri.", "The district has no shelter."),
    "shelter_alt":      ("{name} : {taken:,} sur {all:,} à la fin", "{name}: {taken:,} of {all:,} at the end"),
    "full_at":          ("plein au tour {n}", "full at turn {n}"),
    "of_places":        ("{taken:,} / {all:,}", "{taken:,} / {all:,}"),
    "capital_lead":     ("Parti de {start}, le capital finit à {end} : {points} {n:point|points}.",
                         "From {start} the capital ended at {end}: {points} {n:point|points}."),
    "capital_alt":      ("Capital politique tour par tour, de {start} à {end}", "Political capital turn by turn, from {start} to {end}"),
    "no_fork":          ("La préfecture n'a rien exigé.", "The prefecture demanded nothing."),
    "fork":             ("La bifurcation : ce que vaut chaque réponse", "The fork: what each answer is worth"),
    "fork_quarter":     ("Secteur à évacuer", "Sector to evacuate"),
    "fork_answer":      ("Réponse", "Answer"),
    "obeyed":           ("obéi", "obeyed"),
    "refused":          ("refusé", "refused"),
    "unanswered":       ("sans réponse", "unanswered"),
    "fork_threatened":  ("Menacé en vérité", "Threatened in truth"),
    "yes":              ("oui", "yes"),
    "no":               ("non", "no"),
    "if_obeyed":        ("Obéir : points de capital", "Obey: points of capital"),
    "if_refused":       ("Refuser : points de capital", "Refuse: points of capital"),
    "fork_people":      ("Ce que sont devenues ses personnes", "What became of its people"),
    "would_be":         ("{answer} : {capital}", "{answer}: {capital}"),
    "cards":            ("Les cartes", "The cards"),
    "cards_lead":       ("Une carte n'ajoute pas de décision : elle durcit celles qui sont prises.",
                         "A card adds no decision: it makes those already taken harder."),
    "no_card":          ("Aucune carte n'est venue.", "No card came."),
    "card":             ("Carte", "Card"),
    "effect":           ("Effet", "Effect"),
    "from":             ("Origine", "From"),
    "from_deck":        ("tirée", "drawn"),
    "from_list":        ("de la liste préparée", "from the prepared list"),
    "from_inject":      ("jouée par l'animateur", "played by the instructor"),
    "announced":        ("Annoncée à l'équipe", "Announced to the team"),
    "note":             ("Note", "Note"),
    "bulletin":         ("Le bulletin et les ordres", "The bulletin and the orders"),
    "bulletin_lead":    ("Le bulletin se resserre autour de la vérité (niveau {level}). Au-dessous, le tour de chaque "
                         "ordre : décider avant de savoir, ou savoir trop tard.",
                         "The bulletin narrows around the truth (level {level}). Below, the turn of each order: decide "
                         "before knowing, or know too late."),
    "bulletin_alt":     ("Niveaux que le bulletin laisse ouverts, et ordres, par tour", "Levels that the bulletin leaves open, and orders, by turn"),
    "levels_open":      ("Niveaux encore possibles", "Levels still possible"),
    "true_level":       ("niveau vrai", "true level"),
    "orders_given":     ("Ordres donnés", "Orders given"),
    "kind_alert":       ("alertes", "alerts"),
    "kind_unit":        ("unités", "units"),
    "kind_other":       ("autres", "other"),
    "bulletin_table":   ("Par tour : niveaux ouverts, alertes, autres ordres", "By turn: levels open, alerts, other orders"),

    # the class
    "class_title":      ("La classe : le même orage, {n} équipes", "The class: the same storm, {n} teams"),
    "class_lead":       ("Les équipes dans l'ordre où elles ont été données ; rien n'est un classement.",
                         "The teams in the order given; nothing here is a ranking."),
    "class_table":      ("Les équipes, terme par terme", "The teams, term by term"),
    "class_terms":      ("Les termes, équipe par équipe", "The terms, team by team"),
    "class_rates":      ("Rappel et précision, équipe par équipe", "Recall and precision, team by team"),
    "class_forecasts":  ("Les pronostics", "The forecasts"),
    "late_short":       ("Trop tard", "Too late"),
    "left_short":       ("Jamais", "Never"),
    "first_alert":      ("Première alerte", "First alert"),
    "orders_count":     ("Ordres exécutés", "Orders carried out"),
    "never":            ("jamais", "never"),
    "painted":          ("Peints", "Painted"),
})
# fmt: on


def say(key: str, lang: str, **values: Any) -> str:
    """Return a text of the page, filled in; values are text, never templates.

    Examples
    --------
    >>> say("n_hexes", "en", n=1), say("kept", "fr", kept=3, all=12)
    ('1 hex', '3 sur 12')
    """
    return filled(spaced(_WORDS[key][LANGUAGES.index(lang)], lang), lang, **values)


def unfilled(key: str, lang: str) -> str:
    """Return a text whose fields a script of the page fills in."""
    return spaced(_WORDS[key][LANGUAGES.index(lang)], lang)


def sayable() -> tuple[str, ...]:
    """Return the keys of every text."""
    return tuple(_WORDS)
