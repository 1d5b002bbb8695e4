"""Texts that a gateway wrote, as the reports of a load run show them."""

from collections.abc import Iterable

from load.plan.plan import LoadPlan
from reports.words import readable
from simulator.client.shown.masking import Masking

TEXT_LENGTH_MAX, LINE_LENGTH_MAX = 120, 1000
# A text is masked before it is cut, for a part of a secret or of a number is none: so much more of
# it. Of that the end is dropped, where a part may stand.
READ_BEYOND, END = 2000, 1000


class ShownTexts:
    """Shows texts without the secrets of a run, however short those that it was given are; the
    generated ones may be thousands.
    """

    def __init__(self, given: Iterable[str] = (), generated: Iterable[str] = ()):
        self._masking = Masking(*given)
        for each in generated:
            self._masking.learn(each)

    def __call__(self, text: str, length_max: int = TEXT_LENGTH_MAX) -> str:
        """The beginning of a text in one line, without secrets, card numbers, credentials and
        control characters.
        """
        return " ".join(readable(self._masked(text, length_max)).split())[:length_max]

    def lines(self, lines: Iterable[str]) -> str:
        """Lines likewise."""
        return "\n".join(self(each, LINE_LENGTH_MAX) for each in lines)

    def _masked(self, text: str, length_max: int) -> str:
        read = text[: length_max + READ_BEYOND]
        shown = self._masking.text(read)
        return shown if read == text else shown[:-END]


# What knows no run.
shown_text = ShownTexts()


def shown_texts(plan: LoadPlan) -> ShownTexts:
    """Return what shows texts without the secrets of a run."""
    return ShownTexts((plan.token, *plan.secrets), plan.generated_secrets)
