"""What the shopper does on the redirect page of a payment, where a behaviour says it for him."""

from collections.abc import Sequence
from typing import NamedTuple

from scenarios.steering.matching_scripts import hear, speaks_for_the_shopper, steps_of
from simulator.domain.acquiring.requests import AcquirerRequest, Visit
from simulator.domain.core.records import Script


class Heard(NamedTuple):
    """What the shopper does, if anything is known of it, and the scripts that counted."""

    visit: Visit | None = None
    counted: tuple[Script, ...] = ()


UNKNOWN = Heard()


def shopper_of(
    ask: AcquirerRequest, scripts: Sequence[Script], *, bank: str | None, decided_by: str
) -> Heard:
    """What the shopper of a redirected payment does: the newest script that fits and speaks of him
    alone, else `bank`, the step of the behaviour that answers for the acquirer.
    """
    if not ask.redirects:
        return UNKNOWN
    hearing = hear(ask, [each for each in scripts if speaks_for_the_shopper(each)])
    script = hearing.answers
    if script is not None:
        visit = Visit(str(steps_of(script)["bank"]), f"script {script.id}")
        return Heard(visit, hearing.counted)
    return Heard(None if bank is None else Visit(bank, decided_by), hearing.counted)
