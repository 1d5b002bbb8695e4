"""What the shopper does on the redirect page of a payment, where a behaviour says it for him."""

from collections.abc import Sequence
from typing import NamedTuple

from simulator.domain.acquiring.requests import AcquirerRequest, Visit
from simulator.domain.core.records import Look, Script
from simulator.domain.steering.matching_scripts import match_scripts, steers_shopper, steps_of


class ShopperSteering(NamedTuple):
    """What the shopper does, if anything is known of it, and the scripts that counted."""

    visit: Visit | None = None
    counted: tuple[Script | Look, ...] = ()


NO_SHOPPER = ShopperSteering()


def shopper_of(
    ask: AcquirerRequest, scripts: Sequence[Script], *, bank: str | None, decided_by: str
) -> ShopperSteering:
    """What the shopper of a redirected payment does: the newest script that matches and steers the
    shopper alone, else `bank`, the step of the behaviour that answers for the acquirer. Called for
    a redirected payment alone.
    """
    script_match = match_scripts(ask, [each for each in scripts if steers_shopper(each)])
    script = script_match.answers
    if script is not None:
        visit = Visit(str(steps_of(script)["bank"]), f"script {script.id}")
        return ShopperSteering(visit, script_match.counted)
    return ShopperSteering(None if bank is None else Visit(bank, decided_by), script_match.counted)
