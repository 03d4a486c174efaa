"""What a build report says, in French and in English; ``gis.wording`` fills it in."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from gis.webmap_words import LANGUAGES
from gis.wording import filled, spaced, written
from sim.errors import ExerciseError

# fmt: off
# key                fr, en
_WORDS: Mapping[str, tuple[str, str]] = MappingProxyType({
    "title":            ("Rapport de construction", "Build report"),
    "lead":             ("Ce qui a été lu de cette ville, ce qui a été laissé, et jusqu'où s'y fier.",
                         "What was read of this town, what was left out, and how far to trust it."),
    "not_a_map":        ("Terrain d'exercice : ce n'est pas une carte des inondations. Ne décidez rien "
                         "de réel avec.",
                         "Exercise ground, not a flood map. Decide nothing real with it."),
    "sheet":            ("{columns} × {rows} hexagones de 260 m · {width} × {height} km · {crs}",
                         "{columns} × {rows} hexes of 260 m · {width} × {height} km · {crs}"),
    "contents":         ("Sommaire", "Contents"),
    # ------------------------------------------------------------------ figures at the top
    "figure_active":    ("hexagones actifs sur {n:,}", "active hexes of {n:,}"),
    "figure_residents": ("habitants", "residents"),
    "figure_unshelterable": ("ne peuvent s'abriter à l'étage", "cannot be safe upstairs"),
    "figure_quarters":  ("{n:quartier|quartiers}", "{n:quarter|quarters}"),
    "figure_shelters":  ("{n:abri|abris}, {places:,} places", "{n:shelter|shelters}, {places:,} places"),
    "figure_links":     ("côtés d'hexagone avec une rue", "hex edges with a street"),
    "figure_sure":      ("certitude moyenne du tissu", "mean certainty of the fabric"),
    # ------------------------------------------------------------------ sections
    "warnings":         ("À savoir avant de jouer", "Before you play"),
    "warnings_none":    ("Rien à signaler : les données de cette ville répondent à tout.",
                         "Nothing to report: this town's data answer everything."),
    "attention":        ("Attention", "Mind"),
    "note":             ("À noter", "Note"),
    "maps":             ("La ville en cartes", "The town in maps"),
    "maps_lead":        ("Le nord est en haut. Les hexagones voilés sont hors jeu : ni bâtis, ni peuplés, ou "
                         "coupés du reste.",
                         "North is up. Veiled hexes are out of play: not built, not populated, or cut off "
                         "from the rest."),
    "counts":           ("Ce qui est en jeu", "What is in play"),
    "read":             ("Ce qui a été lu", "What was read"),
    "left_out":         ("Ce qui a été laissé, et pourquoi", "What was left out, and why"),
    "left_out_lead":    ("{n:,} {n:élément lu n'a|éléments lus n'ont} pas servi. Rien n'est écarté en silence.",
                         "{n:,} {n:feature|features} read but not used. Nothing is dropped in silence."),
    "left_out_none":    ("Rien n'a été laissé.", "Nothing was left out."),
    "corrections":      ("Ce qui a été corrigé à la main", "What was corrected by hand"),
    "corrections_lead": ("{n:,} {n:valeur donnée|valeurs données} par l'animateur à la place de celles du calcul.",
                         "{n:,} {n:value|values} given by the instructor in place of the reckoned."),
    "what":             ("Objet", "What"),
    "where":            ("Où", "Where"),
    "was":              ("Calculé", "Reckoned"),
    "became":           ("Corrigé", "Corrected"),
    "sources":          ("Sources et licence", "Sources and licence"),
    # ------------------------------------------------------------------ maps
    "map_fabric":       ("Tissu urbain", "Urban fabric"),
    "map_fabric_lead":  ("Il fixe la densité, le ruissellement et les étages refuges.",
                         "It fixes density, run-off and who is safe upstairs."),
    "map_sure":         ("Certitude du tissu", "How sure each fabric is"),
    "map_sure_lead":    ("Sombre : lu sur des bâtiments et l'usage du sol. Clair : deviné.",
                         "Dark: read from buildings and land use. Pale: guessed."),
    "map_links":        ("Liaisons", "Links"),
    "map_links_lead":   ("La meilleure rue qui passe d'un hexagone à l'autre : c'est elle que l'eau coupe.",
                         "The best street from a hex to the next: what water will cut."),
    "map_links_few":    ("Planche trop grande pour toutes les montrer : les plus grandes seulement.",
                         "The sheet is too large to show all: only the larger ones."),
    "map_people":       ("Habitants, abris et bases", "People, shelters and bases"),
    "map_people_lead":  ("Habitants à l'hectare ; limites des quartiers en gris.",
                         "Residents per hectare; quarter limits in grey."),
    "map_relief":       ("Relief", "Relief"),
    "map_relief_lead":  ("Altitude moyenne de chaque hexagone.", "Mean altitude of every hex."),
    "map_water":        ("Eau et points bas", "Water and low points"),
    "map_water_lead":   ("Eau qui resterait sur les rues si chaque cuvette était pleine.",
                         "Water left standing on the streets if every bowl were full."),
    "open_water":       ("Plan ou cours d'eau", "Open water or stream"),
    "out_of_play":      ("Hors jeu", "Out of play"),
    "nobody":           ("Personne", "Nobody"),
    "below":            ("moins de {to}{unit}", "under {to}{unit}"),
    "between":          ("{of} à {to}{unit}", "{of} to {to}{unit}"),
    "above":            ("{of}{unit} et plus", "{of}{unit} and over"),
    "all_sure":         ("{n:,} {n:hexagone actif|hexagones actifs} sur {of:,} : {range}. Une carte ne montrerait rien de plus.",
                         "{n:,} {n:active hex|active hexes} of {of:,}: {range}. A map would show nothing more."),
    "all_dry":          ("Aucun point bas : si l'eau ne trouvait pas d'avaloir, elle s'écoulerait partout sans rester sur une rue.",
                         "No low point: with every drain blocked, water would run off and stand on no street."),
    "no_low_point":     ("Pas de point bas", "No low point"),
    "hexes":            ("{n:,} {n:hexagone|hexagones}", "{n:,} {n:hex|hexes}"),
    "bridge":           ("Pont", "Bridge"),
    "underpass":        ("Passage souterrain", "Underpass"),
    "barrier":          ("Obstacle permanent", "Permanent barrier"),
    "quarter_limit":    ("Limite de quartier", "Quarter limit"),
    # ------------------------------------------------------------------ tables
    "fabric":           ("Tissu", "Fabric"),
    "active_hexes":     ("Hexagones actifs", "Active hexes"),
    "residents":        ("Habitants", "Residents"),
    "certainty":        ("Certitude", "Certainty"),
    "share":            ("Part", "Share"),
    "total":            ("Total", "Total"),
    "how_found":        ("D'où vient le tissu", "What the fabric was read from"),
    "link_class":       ("Classe de liaison", "Link class"),
    "edges":            ("Côtés", "Edges"),
    "structures":       ("Ouvrages et obstacles", "Structures and barriers"),
    "facility":         ("Lieu", "Place"),
    "wanted":           ("Voulus", "Wanted"),
    "on_the_map":       ("Sur la carte lue", "In the extract"),
    "taken":            ("Repris", "Taken from it"),
    "completed":        ("Placés par le calcul", "Placed by reckoning"),
    "list_of_places":   ("Liste des lieux", "List of places"),
    "hex":              ("Hexagone", "Hex"),
    "name":             ("Nom", "Name"),
    "places":           ("Places", "Places"),
    "shelter":          ("Abri", "Shelter"),
    "station":          ("Station de mesure", "Measuring station"),
    "police":           ("Commissariat", "Police station"),
    "technical":        ("Centre technique", "Technical centre"),
    "layer":            ("Couche", "Layer"),
    "number":           ("Nombre", "Number"),
    "reason":           ("Pourquoi", "Why"),
    "file":             ("Fichier", "File"),
    "size":             ("Taille", "Size"),
    "date":             ("Date des données", "Date of the data"),
    "no_date":          ("non dite", "not stated"),
    "versions":         ("Versions", "Versions"),
    "district_hash":    ("Empreinte du district", "Hash of the district"),
    "ground_hash":      ("Empreinte du terrain", "Hash of the ground"),
    "rules":            ("Règles {version}, table « {region} »", "Rules {version}, table “{region}”"),
    "credit":           ("Crédit", "Credit"),
    "licence":          ("Licence", "Licence"),
    "ground":           ("Terrain", "Ground"),
    "native_pixel":     ("Pixel du MNT", "Pixel of the DEM"),
    "pixel":            ("Pixel du terrain", "Pixel of the ground"),
    "per_hex":          ("{n:,} par hexagone", "{n:,} to a hex"),
    "vertical_step":    ("Pas des altitudes", "Step of the elevations"),
    "no_step":          ("plus fin que le mètre", "finer than a metre"),
    "open_water_share": ("Part du terrain en eau", "Share of the ground under water"),
    "channels":         ("Cours d'eau creusés", "Watercourses cut in"),
    "culverts":         ("Ponceaux", "Culverts"),
    "culverts_said":    ("{opened:,} {opened:ouvert|ouverts} ; {under:,} {under:reste|restent} sous terre (plus de 150 m)",
                         "{opened:,} opened; {under:,} {under:stays|stay} under the ground (over 150 m)"),
    "decks":            ("Tabliers de pont ôtés", "Bridge decks taken away"),
    "decks_said":       ("{n:,} {n:pixel|pixels}", "{n:,} {n:pixel|pixels}"),
    "source_osm":       ("Extrait OpenStreetMap", "OpenStreetMap extract"),
    "source_dem":       ("Modèle de terrain (MNT)", "Elevation model (DEM)"),
    "source_population": ("Population", "Population"),
    "source_corrections": ("Corrections", "Corrections"),
    # ------------------------------------------------------------------ layers of an extract
    "roads":            ("rues et chemins", "roads and paths"),
    "railways":         ("voies ferrées", "railways"),
    "waterways":        ("cours d'eau", "watercourses"),
    "water":            ("plans d'eau", "water areas"),
    "walls":            ("murs et clôtures", "walls and fences"),
    "gates":            ("portes et passages", "gates and crossings"),
    "landuse":          ("usages du sol", "land uses"),
    "coastlines":       ("traits de côte", "coastlines"),
    "buildings":        ("bâtiments", "buildings"),
    "places_of_use":    ("lieux et services", "places and services"),
    "population":       ("population", "population"),
    # ------------------------------------------------------------------ what a fabric was read from
    "landuse and buildings":  ("usage du sol et bâtiments", "land use and buildings"),
    "landuse only":           ("usage du sol seul", "land use alone"),
    "buildings only":         ("bâtiments seuls", "buildings alone"),
    "population and streets": ("population et trame des rues", "population and street pattern"),
    "streets":                ("trame des rues seule", "street pattern alone"),
    "nothing mapped":         ("rien de cartographié", "nothing mapped"),
    # ------------------------------------------------------------------ warnings
    "w_guessed_most":   ("La plupart des tissus ont été devinés",
                         "Most fabrics were guessed"),
    "w_guessed_some":   ("Une partie des tissus a été devinée", "Some fabrics were guessed"),
    "w_guessed_text":   ("{share} des hexagones actifs n'ont ni bâtiment ni usage du sol dans l'extrait : "
                         "leur tissu vient de {how}. Vérifiez sur la carte les quartiers que vous connaissez.",
                         "{share} of the active hexes have neither building nor land use in the extract: "
                         "their fabric comes from {how}. Check the quarters you know on the map."),
    "how_people":       ("la population et du tracé des rues", "population and the pattern of streets"),
    "how_streets":      ("la seule trame des rues", "the pattern of streets alone"),
    "w_roads_only":     ("L'extrait ne montre presque pas de bâtiments",
                         "The extract shows hardly any building"),
    "w_roads_only_text": ("Les étages sont donc supposés, et avec eux le nombre de ceux qui ne peuvent pas "
                          "se réfugier en haut. Un extrait complet (et non les seules rues) ferait mieux.",
                          "Storeys are assumed, and with them how many cannot be safe upstairs. A full "
                          "extract, rather than one of roads, would do better."),
    "w_unsure":         ("Le tissu n'est sûr qu'à {share} en moyenne", "The fabric is only {share} sure on average"),
    "w_unsure_text":    ("Fiez-vous au dessin d'ensemble plus qu'à un hexagone donné.",
                         "Trust the overall drawing rather than any one hex."),
    "w_step":           ("Le MNT a des marches de {step} m", "The DEM has steps of {step} m"),
    "w_step_text":      ("L'eau coupe une rue dès 30 cm : à ces marches, l'eau se pose par plaques, et le "
                         "point bas exact d'une rue n'est pas connu.",
                         "Water cuts a street from 30 cm: on such steps it settles in patches, and the exact "
                         "low point of a street is not known."),
    "w_coarse":         ("Le MNT est grossier : des pixels de {n} m", "The DEM is coarse: pixels of {n} m"),
    "w_coarse_text":    ("Une rue, un talus ou un passage souterrain y disparaît. Un MNT plus fin "
                         "changerait la carte de l'eau.",
                         "A street, a bank or an underpass vanishes in it. A finer DEM would change the map "
                         "of the water."),
    "w_voids":          ("Le MNT a des trous", "The DEM has holes"),
    "w_voids_text":     ("{share} de ses pixels sont vides ou absurdes ; ils sont remplis d'après leurs voisins.",
                         "{share} of its pixels are empty or absurd; they are filled from their neighbours."),
    "w_undeclared":     ("Le MNT porte des altitudes absurdes", "The DEM holds absurd elevations"),
    "w_undeclared_text": ("{n:,} {n:pixel n'est pas déclaré vide et n'a|pixels ne sont pas déclarés vides et n'ont} pas d'altitude "
                          "possible ; {n:il est rempli|ils sont remplis} d'après les voisins.",
                          "{n:,} {n:pixel is|pixels are} not declared empty and {n:holds|hold} no possible "
                          "elevation; filled from the neighbours."),
    "w_cover":          ("Le MNT ne couvre pas tout", "The DEM does not cover everything"),
    "w_cover_text":     ("Il couvre {share} de la planche ; le bord qui manque est rempli d'après ses voisins.",
                         "It covers {share} of the sheet; the missing rim is filled from its neighbours."),
    "w_flats":          ("Un plan d'eau a été reconnu à son altitude plate",
                         "Open water was told by its flat elevation"),
    "w_flats_text":     ("{n:,} {n:surface plate|surfaces plates} du MNT ({ha:,} ha), sans rue, {n:est tenue|sont tenues} pour de "
                         "l'eau que l'extrait ne montre pas partout. Si c'est une plaine, le fleuve est faux.",
                         "{n:,} {n:flat|flats} of the DEM ({ha:,} ha), without streets, {n:is|are} taken for "
                         "water that the extract may not show. If it is a plain, the water is wrong."),
    "w_cut":            ("Un cours d'eau passe {n} m sous le MNT", "A watercourse runs {n} m below the DEM"),
    "w_cut_text":       ("Le MNT lui barrait la route (pont, remblai ou couvert d'arbres) : il a été creusé "
                         "jusqu'à s'écouler.",
                         "The DEM barred its way (a bridge, a bank or trees): it was cut until it flows."),
    "w_sheet_rain":     ("Pluie sur la planche seulement", "Rain on the sheet only"),
    "w_sheet_rain_text": ("Plus d'un cinquième du bassin de {n:,} {n:cours d'eau|cours d'eau} est hors de la planche, où "
                         "l'exercice ne fait pas pleuvoir : {which}. Un hydrogramme d'entrée (--weather) y remédie.",
                         "More than a fifth of the catchment of {n:,} {n:watercourse|watercourses} lies outside the "
                         "sheet, where the exercise has no rain: {which}. An inflow (--weather) makes up for it."),
    "catchment":        ("{name} ({hex} : {km2} km² dehors, {share})", "{name} ({hex}: {km2} km² outside, {share})"),
    "catchment_at_least": ("{name} ({hex} : au moins {km2} km² dehors, {share})",
                         "{name} ({hex}: at least {km2} km² outside, {share})"),
    "nameless":         ("un cours d'eau sans nom", "a nameless watercourse"),
    "w_unseen":         ("Le MNT s'arrête à {n} km de la planche", "The DEM ends {n} km from the sheet"),
    "w_unseen_text":    ("Ce qui vient de plus loin n'est pas connu : les bassins versants sont « au moins » cela. Un "
                         "MNT plus large le dirait.",
                         "What comes from farther is not known: catchments are \"at least\" that. A wider DEM "
                         "would tell."),
    "w_density":        ("Les habitants sont calculés, pas comptés", "Residents are reckoned, not counted"),
    "w_density_text":   ("Sans fichier de population, chaque hexagone reçoit la densité de son tissu. Le total "
                         "peut être loin du recensement : --population le corrige.",
                         "Without a population file every hex gets the density of its fabric. The total may "
                         "be far from the census: --population mends it."),
    "w_moved":          ("Des habitants ont été déplacés d'un hexagone à l'autre",
                         "Residents were moved to a neighbouring hex"),
    "w_moved_text":     ("Les {people:,} habitants de {n:,} {n:hexagone|hexagones} hors jeu sont comptés dans "
                         "l'hexagone actif le plus proche, pour que le total reste juste.",
                         "The {people:,} residents of {n:,} {n:hex|hexes} out of play are counted in the "
                         "nearest active hex, so that the total stays right."),
    "w_outside":        ("{share} de la population lue vit hors de la planche",
                         "{share} of the population read lives off the sheet"),
    "w_outside_text":   ("{people:,} personnes sur {total:,} ne sont pas dans l'exercice : la planche ne couvre "
                         "qu'une partie du fichier.",
                         "{people:,} people of {total:,} are not in the exercise: the sheet covers only part "
                         "of the file."),
    "w_rows":           ("Des lignes du fichier de population ne se lisent pas",
                         "Rows of the population file cannot be read"),
    "w_rows_text":      ("{n:,} {n:ligne sans cellule ou sans nombre a été laissée|lignes sans cellule ou sans nombre ont été laissées}.",
                         "{n:,} {n:row|rows} without a cell or a number {n:was|were} left out."),
    "w_cut_off":        ("Des îlots habités sont hors jeu", "Populated islets are out of play"),
    "w_cut_off_text":   ("{n:,} {n:hexagone bâti n'est relié|hexagones bâtis ne sont reliés} au reste par aucune rue de l'extrait "
                         "({people:,} habitants).",
                         "{n:,} built {n:hex is|hexes are} joined to the rest by no street of the extract "
                         "({people:,} residents)."),
    "w_parts":          ("La ville est en {n} morceaux", "The town is in {n} parts"),
    "w_parts_text":     ("Ils ne se rejoignent qu'à travers des hexagones hors jeu (bois, gorge, champs).",
                         "They join only through hexes out of play (wood, gorge, fields)."),
    "w_police":         ("Aucun commissariat dans l'extrait", "No police station in the extract"),
    "w_police_text":    ("Les patrouilles partent de {where}, {n:choisi|choisis} par le calcul.",
                         "Patrols start from {where}, chosen by reckoning."),
    "w_shelters":       ("Trop peu d'écoles et de salles pour faire les abris",
                         "Too few schools and halls to make the shelters"),
    "w_shelters_text":  ("{completed:,} {completed:abri|abris} sur {n:,} {completed:est placé|sont placés} sur un hexagone peuplé "
                         "sans bâtiment désigné. Donnez-leur un vrai nom avant de jouer.",
                         "{completed:,} of the {n:,} {n:shelter|shelters} {completed:stands|stand} on a populated hex with no "
                         "building named. Give them a real name before play."),
    "w_stations":       ("Les stations de mesure sont inventées", "The measuring stations are invented"),
    "w_stations_text":  ("{completed:,} sur {n:,} sont posées sur des points bas peuplés : l'extrait n'en montre pas assez.",
                         "{completed:,} of {n:,} stand on populated low points: the extract shows too few."),
    "w_low":            ("Des écoles sont trop basses pour servir d'abri", "Some schools lie too low to be shelters"),
    "w_low_text":       ("{n:,} {n:lieu a été écarté|lieux ont été écartés} parce que l'eau y viendrait.",
                         "{n:,} {n:place was|places were} passed over because water would reach {n:it|them}."),
    "w_broken":         ("L'extrait est coupé ou incomplet", "The extract is cut or incomplete"),
    "w_broken_text":    ("{n:,} {n:élément a|éléments ont} un contour ou un tracé brisé : {n:il n'est lu qu'en partie|ils ne sont lus qu'en partie}, "
                         "ou pas du tout.",
                         "{n:,} {n:feature has|features have} a broken outline or line, and {n:is|are} read in part, or not at all."),
    "w_sea":            ("La mer n'est pas dessinée partout", "The sea is not drawn everywhere"),
    "w_sea_text":       ("Un bout du trait de côte s'arrête dans la planche, ou a la mer des deux côtés : la mer n'y est pas dessinée.",
                         "A piece of the coastline ends inside the sheet, or has the sea on both sides: no sea is drawn there."),
    "w_estuary":        ("De l'eau a été reconnue à son altitude sous la mer",
                         "Open water was told by its elevation below the sea"),
    "w_estuary_text":   ("{share} de la planche, au bord d'un trait de côte qui s'arrête, est sous le niveau de la mer et sans rue : "
                         "c'est pris pour de l'eau. Si c'est un polder, cette eau est fausse.",
                         "{share} of the sheet, beside a coastline that ends, lies below the sea without streets: it is "
                         "taken for water. If it is a polder, that water is wrong."),
    "w_stopped":        ("Des rues butent sur un obstacle", "Some streets end at a barrier"),
    "w_stopped_text":   ("{n:,} {n:passage ne compte|passages ne comptent} pas : l'eau, le rail ou un mur y passe sans "
                         "pont, gué ni porte connus.",
                         "{n:,} {n:crossing does|crossings do} not count: water, rail or a wall passes there with no known "
                         "bridge, ford or gate."),
    "w_date":           ("L'extrait ne dit pas sa date", "The extract states no date"),
    "w_date_text":      ("Les rues récentes peuvent y manquer.", "Recent streets may be missing."),
    "and":              (" et ", " and "),
})

# What a reason of the manifest means; a reason that no row matches is said as it is. ``{tag}`` is the
# tag that the reason holds, in the reader's words where ``_TAGS`` has them.
_REASONS: tuple[tuple[str, str, str], ...] = (
    (r"off the sheet",                  "hors de la planche", "off the sheet"),
    (r"outside the area asked",         "hors de la zone lue", "outside the area read"),
    (r"highway=construction",           "rues en travaux", "streets under construction"),
    (r"highway=proposed",               "rues en projet", "streets only planned"),
    (r"highway=(?:disused|abandoned|razed)", "rues abandonnées", "abandoned streets"),
    (r"highway=platform",               "quais et arrêts, pas des rues", "platforms of stops, not streets"),
    (r"highway=corridor",               "couloirs de bâtiment", "corridors inside buildings"),
    (r"highway=(?:rest_area|services)", "aires de repos, pas des rues", "rest areas, not streets"),
    (r"highway=(.+)",                   "genre de voie inconnu ici : {tag}", "a kind of road unknown here: {tag}"),
    (r"railway=(?:disused|abandoned|razed|dismantled)", "voies abandonnées", "tracks out of use"),
    (r"railway=construction",           "voies en travaux", "tracks under construction"),
    (r"railway=proposed",               "voies en projet", "tracks only planned"),
    (r"railway=(.+)",                   "n'est pas une voie : {tag}", "not a track: {tag}"),
    (r"waterway=(.+)",                  "n'est pas un cours d'eau : {tag}", "not a watercourse: {tag}"),
    (r"barrier=yes",                    "obstacle dont le genre n'est pas dit", "a barrier of no stated kind"),
    (r"barrier=(.+)",                   "n'arrête personne : {tag}", "stops nobody: {tag}"),
    (r"service=driveway",               "allées privées : elles ne relient rien", "driveways: they link nothing"),
    (r"service=parking_aisle",          "allées de parking", "aisles of car parks"),
    (r"access=no",                      "interdites à tous", "closed to everyone"),
    (r"private (.+)",                   "privées : {tag}", "private: {tag}"),
    (r"(.+) closed to pedestrians",     "interdites aux piétons : {tag}", "closed to pedestrians: {tag}"),
    (r"route=ferry",                    "bacs : ce n'est pas une rue", "ferries: not a street"),
    (r"an open line, not an outline",   "une ligne ouverte, pas un contour", "an open line, not an outline"),
    (r"twice in the extract",           "deux fois dans l'extrait", "twice in the extract"),
    (r"position missing or off the globe", "sans position", "without a position"),
    (r"outline broken or incomplete in the extract", "contour brisé ou incomplet", "broken or incomplete outline"),
    (r"kept in part: its outline .*",   "gardés en partie : contour refermé au bord de l'extrait", "kept in part: outline closed at the edge of the extract"),
    (r"kept in part: .*",               "gardées en partie : des points manquent", "kept in part: some points are missing"),
    (r"no two neighbouring nodes .*",   "tracé absent de l'extrait", "their line is not in the extract"),
    (r"its nodes have numbers below 0.*", "dessinés dans JOSM et jamais envoyés", "drawn in JOSM, never uploaded"),
    (r"under cover \(.*\)",             "couverts : l'eau n'est pas à l'air", "covered: no open water"),
    (r"coastline: ends inside .*",      "trait de côte qui s'arrête dans la planche", "coastline that ends inside the sheet"),
    (r"coastline: the sea is on both .*", "terrain entre deux mers, pris pour terre", "ground with the sea on both sides, taken for land"),
    (r"crossing: water with no bridge or ford", "butent sur l'eau sans pont ni gué", "end at water with no bridge or ford"),
    (r"crossing: rail with no level crossing",  "butent sur le rail sans passage", "end at rails with no level crossing"),
    (r"crossing: wall with no gate",    "butent sur un mur sans porte", "end at a wall with no gate"),
)

# Tags in plain words; any other is shown as OpenStreetMap writes it, its proper name anywhere.
_TAGS: Mapping[str, tuple[str, str]] = MappingProxyType({
    "highway=service":    ("voies de desserte", "service roads"),
    "highway=track":      ("chemins", "tracks"),
    "highway=footway":    ("allées et trottoirs", "footways"),
    "highway=path":       ("sentiers", "paths"),
    "highway=steps":      ("escaliers", "steps"),
    "highway=cycleway":   ("pistes cyclables", "cycleways"),
    "highway=bridleway":  ("pistes cavalières", "bridleways"),
    "highway=elevator":   ("ascenseurs", "lifts"),
    "highway=busway":     ("voies de bus", "busways"),
    "highway=raceway":    ("circuits", "racetracks"),
    "highway=bus_stop":   ("arrêts de bus", "bus stops"),
    "railway=platform":   ("quais", "platforms"),
    "railway=station":    ("gares", "stations"),
    "railway=turntable":  ("ponts tournants", "turntables"),
    "waterway=weir":      ("seuils", "weirs"),
    "waterway=dam":       ("barrages", "dams"),
    "waterway=waterfall": ("chutes d'eau", "waterfalls"),
    "waterway=lock_gate": ("portes d'écluse", "lock gates"),
    "waterway=boatyard":  ("chantiers navals", "boatyards"),
    "barrier=handrail":   ("mains courantes", "handrails"),
    "barrier=kerb":       ("bordures de trottoir", "kerbs"),
    "barrier=block":      ("blocs", "blocks"),
    "barrier=bollard":    ("bornes", "bollards"),
    "barrier=ditch":      ("fossés", "ditches"),
    "barrier=cable_barrier": ("glissières à câble", "cable barriers"),
})
# fmt: on


@dataclass(frozen=True, slots=True)
class Reason:
    """A reason in plain words, and the tag that goes with it where no word is known for it."""

    text: str
    tag: str = ""


class Words:
    """Texts of a report in one language.

    Examples
    --------
    >>> Words("fr").say("hexes", n=1), Words("en").say("hexes", n=1204)
    ('1 hexagone', '1,204 hexes')
    >>> Words("en").reason("highway=proposed"), Words("en").reason("barrier=wicket")
    (Reason(text='streets only planned', tag=''), Reason(text='stops nobody:', tag='barrier=wicket'))

    """

    def __init__(self, lang: str) -> None:
        if lang not in LANGUAGES:
            raise ExerciseError(f"no report in language {lang!r}: choose {' or '.join(LANGUAGES)}")
        self.lang = lang
        self._at = LANGUAGES.index(lang)

    def say(self, key: str, **values: Any) -> str:
        """Text of a key, filled in; values are text, never templates."""
        return spaced(filled(_WORDS[key][self._at], self.lang, **values), self.lang)

    def known(self, key: str) -> str:
        """Text of a key, or the key itself where there is none."""
        return self.say(key) if key in _WORDS else key

    def number(self, value: float, digits: int = 0) -> str:
        """A number as the language writes it."""
        return written(value, self.lang, digits)

    def percent(self, share: float) -> str:
        """A share of 1, in whole percent; never 0 or 100 % of what is more or less than that."""
        whole = round(100 * share)
        if share > 0 and whole == 0:
            return "< 1\u00a0%" if self.lang == "fr" else "< 1%"
        if share < 1 and whole == 100:
            whole = 99
        return f"{whole}\u00a0%" if self.lang == "fr" else f"{whole}%"

    def reason(self, reason: str) -> Reason:
        """A reason of the manifest in plain words."""
        for pattern, *plain in _REASONS:
            match = re.fullmatch(pattern, reason)
            if match is None:
                continue
            text, tag = plain[self._at], ""
            if "{tag}" in text:
                # a reason is a tag, or names a kind of road
                tag = reason if "=" in reason else f"highway={match.group(1)}"
                known = _TAGS[tag][self._at] if tag in _TAGS else ""
                text, tag = text.replace("{tag}", known).rstrip(), "" if known else tag
            return Reason(spaced(text, self.lang), tag)
        return Reason(reason)
