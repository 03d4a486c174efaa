"""The commands: their words, what follows them, what they do, in English and in French."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from types import MappingProxyType

from sim.rules import Confidence, Protection, UnitKind


class Section(Enum):
    """Where help lists a command."""

    ORDERS = "help_orders"
    LOOK = "help_look"
    GAME = "help_game"


@dataclass(frozen=True, slots=True)
class Command:
    """A command: its words, what follows them, what it does, an example; English then French."""

    section: Section
    words: tuple[str, str]
    usage: tuple[str, str]
    what: tuple[str, str]
    example: tuple[str, str]
    short: tuple[str, ...] = ()

    def word(self, lang: str) -> str:
        """Return its word in a language."""
        return self.words[1 if lang == "fr" else 0]

    def shown(self, lang: str) -> tuple[str, str, str]:
        """Return usage, what it does and an example, in a language."""
        i = 1 if lang == "fr" else 0
        usage = f"{self.words[i]} {self.usage[i]}".rstrip()
        return usage, self.what[i], f"{self.words[i]} {self.example[i]}".rstrip()


_O, _L, _G = Section.ORDERS, Section.LOOK, Section.GAME
# fmt: off
COMMANDS: Mapping[str, Command] = MappingProxyType({
    "forecast": Command(_O, ("forecast", "pronostic"), ("HEX[+R] … [sure|likely|possible]", "HEX[+R] … [sûr|probable|possible]"),
                        ("paint hexes that will be cut, within R of each", "peindre les hexagones qui seront coupés, à R de chacun"),
                        ("2314+1 2501 likely", "2314+1 2501 probable")),
    "alert":    Command(_O, ("alert", "alerter"), ("HEX [RADIUS] [shelter|up|out]", "HEX [RAYON] [abri|monter|hors]"),
                        ("alert a disk of hexes, perhaps with an option", "alerter un disque d'hexagones, avec une option au besoin"),
                        ("2314 1 # water at the underpass", "2314 1 # eau au passage souterrain"), ("a",)),
    "move":     Command(_O, ("move", "envoyer"), ("UNIT HEX", "UNITÉ HEX"),
                        ("send a unit to a hex", "envoyer une unité sur un hexagone"), ("3 2011", "P1 2011"), ("m",)),
    "door":     Command(_O, ("door", "porte"), ("PATROL HEX", "PATROUILLE HEX"),
                        ("alert a hex door to door", "alerter un hexagone de porte en porte"), ("3 2011", "3 2011"), ("d",)),
    "pump":     Command(_O, ("pump", "pomper"), ("PUMP LINK", "MOTOPOMPE LIAISON"),
                        ("lower the water on a link by 18 cm", "baisser l'eau d'une liaison de 18 cm"), ("P1 2314-2315", "P1 2314-2315")),
    "bridge":   Command(_O, ("bridge", "passerelle"), ("PUMP LINK", "MOTOPOMPE LIAISON"),
                        ("lay a footbridge over a link", "poser une passerelle sur une liaison"), ("P2 2314-2315", "P2 2314-2315")),
    "clear":    Command(_O, ("clear", "degager"), ("UNIT LINK", "UNITÉ LIAISON"),
                        ("clear the road of a link", "dégager la chaussée d'une liaison"), ("4 2314-2315", "4 2314-2315")),
    "reserve":  Command(_O, ("reserve", "reserver"), ("PATROL HEX-HEX-…", "PATROUILLE HEX-HEX-…"),
                        ("keep a chain of links free of crowds", "garder une suite de liaisons libre de foule"), ("2 2314-2315-2316", "2 2314-2315-2316")),
    "protect":  Command(_O, ("protect", "proteger"), ("QUARTER shelter|up|out", "QUARTIER abri|monter|hors"),
                        ("change a quarter's option", "changer l'option d'un quartier"), ("4 up", "4 monter")),
    "close":    Command(_O, ("close", "fermer"), ("SHELTER", "ABRI"), ("close a shelter", "fermer un abri"), ("2", "2")),
    "open":     Command(_O, ("open", "ouvrir"), ("SHELTER", "ABRI"), ("open a shelter again", "rouvrir un abri"), ("2", "2")),
    "deliver":  Command(_O, ("deliver", "livrer"), ("BOAT HEX", "BATEAU HEX"),
                        ("bring supplies to an isolated hex", "ravitailler un hexagone isolé"), ("B1 2314", "B1 2314")),
    "obey":     Command(_O, ("obey", "obeir"), ("", ""), ("do what the prefecture asks", "faire ce que la préfecture demande"), ("", "")),
    "refuse":   Command(_O, ("refuse", "refuser"), ("", ""), ("refuse what the prefecture asks", "refuser ce que la préfecture demande"), ("", "")),
    "undo":     Command(_O, ("undo", "annuler"), ("[NUMBER]", "[NUMÉRO]"),
                        ("withdraw the last order, or one by its number", "reprendre le dernier ordre, ou celui d'un numéro"), ("2", "2"), ("u",)),
    "try":      Command(_L, ("try", "essayer"), ("ORDER | UNIT", "ORDRE | UNITÉ"),
                        ("what an order would do, or what a unit may be ordered", "ce qu'un ordre ferait, ou ce qu'une unité peut faire"),
                        ("move 3 2011", "envoyer 3 2011")),
    "map":      Command(_L, ("map", "carte"), ("[HEX]", "[HEX]"), ("draw the map, about a hex", "dessiner la carte, autour d'un hexagone"), ("2314", "2314"), ("c",)),
    "north":    Command(_L, ("north", "nord"), ("", ""), ("move the map", "déplacer la carte"), ("", ""), ("n",)),
    "south":    Command(_L, ("south", "sud"), ("", ""), ("move the map", "déplacer la carte"), ("", ""), ("s",)),
    "east":     Command(_L, ("east", "est"), ("", ""), ("move the map", "déplacer la carte"), ("", ""), ("e",)),
    "west":     Command(_L, ("west", "ouest"), ("", ""), ("move the map", "déplacer la carte"), ("", ""), ("w", "o")),
    "legend":   Command(_L, ("legend", "legende"), ("", ""), ("signs of the map", "signes de la carte"), ("", "")),
    "look":     Command(_L, ("look", "voir"), ("HEX", "HEX"), ("all that is known of a hex and of its links", "tout ce qu'on sait d'un hexagone et de ses liaisons"), ("2314", "2314"), ("l", "v")),
    "units":    Command(_L, ("units", "unites"), ("", ""), ("where the units are, what they do", "où sont les unités, ce qu'elles font"), ("", "")),
    "shelters": Command(_L, ("shelters", "abris"), ("", ""), ("places taken", "places prises"), ("", "")),
    "quarters": Command(_L, ("quarters", "quartiers"), ("", ""), ("people, alerts, options", "habitants, alertes, options"), ("", "")),
    "reports":  Command(_L, ("reports", "signalements"), ("", ""), ("what residents told, and how long ago", "ce que disent les habitants, et depuis quand"), ("", "")),
    "news":     Command(_L, ("news", "nouvelles"), ("", ""), ("all that happened in the last turn", "tout ce qui s'est passé au dernier tour"), ("", "")),
    "orders":   Command(_L, ("orders", "ordres"), ("", ""), ("orders of the turn, refusals, what is left", "ordres du tour, refus, ce qui reste"), ("", "")),
    "status":   Command(_L, ("status", "point"), ("", ""), ("turn, bulletin, capital", "tour, bulletin, capital"), ("", "")),
    "end":      Command(_G, ("end", "fin"), ("", ""), ("resolve the turn", "résoudre le tour"), ("", "")),
    "quit":     Command(_G, ("quit", "quitter"), ("", ""), ("save and leave; --resume goes on", "enregistrer et partir ; --resume reprend"), ("", ""), ("save", "sauver", "exit", "q")),
    "help":     Command(_G, ("help", "aide"), ("[COMMAND]", "[COMMANDE]"), ("this list, or more on a command", "cette liste, ou une commande"), ("alert", "alerter"), ("h", "?")),
})

OPTION_WORDS: Mapping[Protection, tuple[str, ...]] = MappingProxyType({
    Protection.SHELTER: ("shelter", "abri", "abri local"),
    Protection.UP:      ("up", "monter", "haut"),
    Protection.OUT:     ("out", "hors", "hors zone"),
})
CONFIDENCE_WORDS: Mapping[Confidence, tuple[str, ...]] = MappingProxyType({
    Confidence.SURE:     ("sure", "sûr"),
    Confidence.LIKELY:   ("likely", "probable"),
    Confidence.POSSIBLE: ("possible", "possible"),
})
UNIT_WORDS: Mapping[UnitKind, tuple[str, ...]] = MappingProxyType({
    UnitKind.PATROL: ("patrol", "patrouille", ""),
    UnitKind.PUMP:   ("pump", "motopompe", "p"),
    UnitKind.BOAT:   ("boat", "bateau", "b"),
})
# fmt: on
