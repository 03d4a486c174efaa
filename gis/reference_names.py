"""Names of the reference town: invented, in the vein of a Russian town in Manchuria."""

from gis.reference_chance import Chance

TOWN = "Averskoïe"
RIVER = "Soun"
LAKE = "Lac des Grues"

PEOPLE = (
    "Abramov", "Beketov", "Boutine", "Chabline", "Chen Tianhua", "Danilov", "Dolgov", "Fadéïev",
    "Fan Daming", "Galitch", "Gao Wenbin", "Gorine", "He Yulan", "Ivachev", "Jeltov", "Kazarine",
    "Kirpotine", "Kovalev", "Lanskoï", "Li Shufang", "Liou Fengzhi", "Loujine", "Ma Guolin",
    "Melnik", "Mirov", "Orlovski", "Ostrov", "Pankov", "Polianski", "Qin Meihua", "Radine",
    "Rojkov", "Savine", "Sedov", "Song Zhenhai", "Sorokine", "Sun Baolin", "Tarassov",
    "Tian Xiuying", "Toumanov", "Vesnine", "Volkhov", "Wang Delin", "Xu Yongfu", "Yakovlev",
    "Yang Jingtai", "Zaïtsev", "Zhao Minghe", "Zimine", "Zoubov",
)  # fmt: skip
THINGS = (
    "Acacias", "Aiguilleurs", "Ateliers", "Baigneurs", "Bateliers", "Blés", "Bouleaux", "Brasseurs",
    "Briquetiers", "Cerisiers", "Chaudronniers", "Colombes", "Cordiers", "Dragons", "Fabricants",
    "Farines", "Forges", "Fourreurs", "Glaces", "Graines", "Grues", "Hirondelles", "Imprimeurs",
    "Jardiniers", "Joncs", "Lanternes", "Libellules", "Lilas", "Maraîchers", "Mariniers",
    "Mélèzes", "Merciers", "Meuniers", "Oies", "Ormes", "Osiers", "Pêcheurs", "Peupliers", "Pins",
    "Pivoines", "Pruniers", "Roseaux", "Sables", "Saules", "Sculpteurs", "Sources", "Tanneurs",
    "Théiers", "Tilleuls", "Tisserands", "Tonneliers", "Tourneurs", "Traîneaux", "Verriers",
)  # fmt: skip
AVENUES = (
    "de la Gare", "de la Cathédrale", "du Grand Marché", "de la Lune", "de l'Orient", "du Progrès",
    "des Ingénieurs", "de la Concorde", "du Fleuve", "des Marchands", "de l'Hippodrome",
    "de Sibérie", "de l'Académie", "du Neuf-Mars", "des Expositions", "de l'Harmonie",
    "des Tracteurs", "du Nord", "de la Paix", "du Jardin botanique", "des Manufactures",
    "de Changbai", "de l'Amour", "du Théâtre", "du Lac", "des Cheminots", "de la Steppe",
)  # fmt: skip
SHELTERS = (
    ("school", "Lycée n° 1"), ("school", "École du Pristan"), ("school", "Collège des Tilleuls"),
    ("school", "École n° 7"), ("school", "Lycée Boutine"), ("school", "École des Mélèzes"),
    ("school", "Collège de Xinfa"), ("school", "École des Cheminots"), ("school", "Lycée n° 14"),
    ("school", "École des Bateliers"), ("college", "Institut des arts et métiers"),
    ("university", "Université forestière"), ("community_centre", "Maison de la culture"),
    ("community_centre", "Maison du peuple"), ("townhall", "Mairie"),
    ("sports_hall", "Gymnase des Grues"), ("sports_hall", "Palais des glaces"),
    ("sports_hall", "Halle des sports"),
)  # fmt: skip
POLICE = ("Commissariat central", "Commissariat du Fleuve", "Commissariat des Tours")
STATIONS = (
    "Sonde du Vieux Bras", "Sonde des Joncs", "Sonde de la Halle", "Sonde du Moulin",
    "Sonde des Oies", "Sonde de l'Écluse", "Sonde du Bas-Port", "Sonde des Sables",
    "Sonde du Lin", "Sonde de la Digue", "Sonde des Saules", "Sonde du Faubourg",
)  # fmt: skip
TECHNICAL = ("Centre technique des Forges", "Centre technique du Port")
QUARTERS = {
    "OLD_TOWN": ("Vieille ville", "Pristan"),
    "SLAB_BLOCKS": ("Danwei des Tracteurs", "Danwei du Lin", "Danwei du Sucre", "Cité du Rail"),
    "TOWER_COMPOUND": ("Tours de Fuxin", "Grand Large", "Jardins de Changbai", "Nouvelle Rive"),
    "COMMERCIAL": ("Quartier de la Gare", "Nouveau Centre", "Halles"),
    "INDUSTRIAL": ("Port aux grains", "Usines Fadéïev", "Les Forges", "Les Briqueteries"),
    "URBAN_VILLAGE": ("Hekou", "Baitou", "Petit Xinfa", "Liushu"),
    "PARK": ("Parc des Grues", "Jardin botanique", "Bois des Mélèzes", "Promenade des Roseaux"),
    "FARMLAND": ("Plaine de Xinfa", "Les Sarrasins", "Terres noires", "Champs du Moulin"),
}


def street_names(chance: Chance, main: list[int], local: list[int]) -> dict[int, str]:
    """Name of every line of the grid: avenues and boulevards for main roads, streets for others."""
    grand = chance.shuffled(list(AVENUES))
    named = {
        line: f"{'Avenue' if k % 2 else 'Boulevard'} {grand[k % len(grand)]}"
        for k, line in enumerate(main)
    }
    small = [f"Rue {who}" for who in PEOPLE] + [f"Rue des {what}" for what in THINGS]
    small += [f"Ruelle des {what}" for what in THINGS] + [f"Passage {who}" for who in PEOPLE]
    small = chance.shuffled(small)
    return named | {line: small[k % len(small)] for k, line in enumerate(local)}
