"""What a fault says, in the language of whoever meets it.

A fault that is raised with a ``Refusal`` is told in any language; others are an operator's, and are
told in the words of the program.
"""

from exercises.injects_file import InjectsError
from exercises.order_forms import FaultyOrderError
from exercises.order_words import refused
from exercises.system_words import refused_by_system
from exercises.voice import SOURCE, voice
from sim.refusal import Refusal


def kept_words(fault: Exception, lang: str) -> str:
    """Return what a fault says that is kept for any language; '' where it is not."""
    if isinstance(fault, InjectsError):
        return fault.said(lang)
    if isinstance(fault, FaultyOrderError):
        return f"{refused(fault.refusal, lang)} (§{fault.refusal.rule})"
    for part in fault.args:
        if isinstance(part, Refusal):
            return refused(part, lang)
    if isinstance(fault, OSError):
        return refused(refused_by_system(fault), lang)
    return ""


def fault_said(fault: Exception, lang: str) -> str:
    r"""Return what a fault says.

    Parameters
    ----------
    fault : Exception
    lang : {"fr", "en"}

    Examples
    --------
    >>> from sim.errors import ExerciseError
    >>> from sim.refusal import refuse
    >>> fault_said(ExerciseError(refuse("", "{shelter} is full", shelter="2")), "fr")
    '2\xa0: abri complet'
    >>> fault_said(ExerciseError("room.json cannot be read"), "fr")
    'la salle ne peut pas le faire\xa0: room.json cannot be read'
    """
    if said := kept_words(fault, lang):
        return said
    if lang == SOURCE:
        return str(fault)
    return voice(lang).phrase("the room cannot do it: {why}", why=str(fault))
