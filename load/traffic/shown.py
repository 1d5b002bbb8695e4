"""Texts that a gateway wrote, as the reports of a load run show them."""

from reports.words import readable
from simulator.client.shown.masking import masked_text

TEXT_LENGTH_MAX, LINE_LENGTH_MAX = 120, 1000
# A text is masked before it is cut, for a part of a number is no number: so much more of it.
READ_BEYOND = 1000


def shown_text(text: str, length_max: int = TEXT_LENGTH_MAX) -> str:
    """The beginning of a text in one line, without card numbers, credentials and control
    characters.
    """
    shown = readable(masked_text(text[: length_max + READ_BEYOND]))
    return " ".join(shown.split())[:length_max]
