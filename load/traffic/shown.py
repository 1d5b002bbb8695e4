"""Texts that a gateway wrote, as the reports of a load run show them."""

from collections.abc import Iterable
from os.path import commonprefix

from msgspec.structs import replace

from load.ledger.records import LedgerLine, RequestRecord
from load.plan.plan import LoadPlan
from reports.words import readable
from simulator.client.shown.masking import Masking

TEXT_LENGTH_MAX, LINE_LENGTH_MAX = 120, 1000
# A text is masked before it is cut, for a part of a secret or of a number is none: so much more of
# it is read. A part may stand at the end of that; no number is longer, nor a secret unless given.
END = 1000
# A secret that is quoted for an address is so many times as long.
QUOTED = 3


class ShownTexts:
    """Shows texts without the secrets of a run, however short those that it was given are; the
    generated ones may be thousands.
    """

    def __init__(self, given: Iterable[str] = (), generated: Iterable[str] = ()):
        secrets = tuple(given)
        self._masking = Masking(*secrets)
        self._end = max((END, *(QUOTED * len(each.encode()) for each in secrets)))
        for each in generated:
            self._masking.learn(each)

    def __call__(self, text: str, length_max: int = TEXT_LENGTH_MAX) -> str:
        """The beginning of a text in one line, without secrets, card numbers, credentials and
        control characters. It ends with a whole word: another process may know of more secrets,
        and would not find a part of one.
        """
        line = " ".join(readable(self._masked(text, length_max)).split())
        if len(line) <= length_max:
            return line
        return line[: length_max + 1].rpartition(" ")[0] or "..."

    def record(self, line: LedgerLine) -> LedgerLine:
        """A line of a ledger, as a process wrote it that knew fewer secrets."""
        if not isinstance(line, RequestRecord) or not line.reason:
            return line
        return replace(line, reason=self(line.reason, LINE_LENGTH_MAX))

    def lines(self, lines: Iterable[str]) -> str:
        """Lines likewise."""
        return "\n".join(self(each, LINE_LENGTH_MAX) for each in lines)

    def _masked(self, text: str, length_max: int) -> str:
        read = text[: length_max + 2 * self._end]
        shown = self._masking.text(read)
        if read == text:
            return shown
        # A masked text may be far shorter than what was read: what reads the same without the end
        # is what stands before it.
        return commonprefix([shown, self._masking.text(read[: -self._end])])


# What knows no run.
shown_text = ShownTexts()


def shown_texts(plan: LoadPlan) -> ShownTexts:
    """Return what shows texts without the secrets of a run."""
    return ShownTexts((plan.token, *plan.secrets), plan.generated_secrets)
