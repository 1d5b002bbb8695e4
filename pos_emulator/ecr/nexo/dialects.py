"""Where tills and terminals differ: how amounts are written, and what AdditionalResponse is.

Amounts of a till are numbers or texts; those of the terminal are numbers.
"""

from decimal import Decimal
from enum import Enum
from urllib.parse import urlencode

from iso4217 import Currency

from pos_emulator.ecr.nexo.messages import Body
from pos_emulator.ecr.nexo.outcomes import Condition, NexoError, NexoOutcome


class Additional(Enum):
    """What the member AdditionalResponse is: a sentence, or URL-encoded pairs."""

    TEXT = "text"
    FORM = "form"


def response_of(outcome: NexoOutcome, additional: Additional) -> Body:
    """The member Response."""
    written = {"Result": outcome.result.value}
    if outcome.condition:
        written["ErrorCondition"] = outcome.condition.value
    if explained := _explained(outcome, additional):
        written["AdditionalResponse"] = explained
    return written


def amount_of(written: object, currency: str, where: str) -> Decimal:
    """An amount that was written as a number or a text, in no more decimals than its currency has.

    Raises NexoError.
    """
    amount = Decimal(str(written))
    try:
        exponent = Currency(currency).exponent or 0
    except ValueError:
        place = where.rpartition(".")[0]
        text = f"{place}.Currency: expected a currency of ISO 4217, received {currency}"
        raise NexoError(Condition.MESSAGE_FORMAT, text) from None
    unit = Decimal(1).scaleb(-exponent)
    if amount % unit:
        text = f"{where}: expected {exponent} decimals of {currency}, received more"
        raise NexoError(Condition.MESSAGE_FORMAT, text)
    return amount.quantize(unit)


def _explained(outcome: NexoOutcome, additional: Additional) -> str:
    pairs = {"message": outcome.message, "refusalReason": outcome.reason}
    said = {name: value for name, value in pairs.items() if value}
    return urlencode(said) if additional is Additional.FORM else ": ".join(said.values())
