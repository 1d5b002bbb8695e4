"""Reading the fields of a record, each error naming file and record."""

from collections.abc import Callable
from datetime import date
from decimal import Decimal, InvalidOperation
from typing import NamedTuple, NoReturn, TypeVar

from simulator.domain.settlement.lines import NUMBER_LENGTH_MAX, SettlementFileError, decimals_of

SHOWN_LENGTH_MAX = 40
Value = TypeVar("Value")


class Record(NamedTuple):
    """A record of a file, by its number from 1; 0 is the file as a whole."""

    file: str
    number: int

    def refuse(self, expected: str, got: object) -> NoReturn:
        """Raise SettlementFileError for this record."""
        text = str(got)[:SHOWN_LENGTH_MAX]
        raise SettlementFileError(self.file, self.number, expected=expected, got=repr(text))

    def demand(self, name: str, *, expected: object, got: object) -> None:
        """Refuse a record where a control value is another."""
        if expected != got:
            self.refuse(f"{name} {expected}", got)

    def number_in(self, name: str, text: str) -> int:
        """A whole number without a sign."""
        if not (text.isascii() and text.isdigit() and len(text) <= NUMBER_LENGTH_MAX + 2):
            self.refuse(f"{name} in digits", text)
        return int(text)

    def date_in(self, name: str, text: str) -> date:
        """A date, with dashes or without."""
        return self._read(f"{name} as a date", date.fromisoformat, text)

    def amount_in(self, name: str, text: str, currency: str) -> Decimal:
        """An amount with the decimals of its currency, maybe below zero."""
        amount = self._read(f"{name} as an amount", Decimal, text)
        decimals = decimals_of(currency)
        is_exact = amount.is_finite() and amount.as_tuple().exponent == -decimals
        if not is_exact or len(text) > NUMBER_LENGTH_MAX:
            self.refuse(f"{name} in {currency} with {decimals} decimals", text)
        return amount

    def rate_in(self, name: str, text: str) -> Decimal:
        """An exchange rate, above zero."""
        rate = self._read(f"{name} as a rate", Decimal, text)
        if not rate.is_finite() or rate <= 0 or len(text) > NUMBER_LENGTH_MAX:
            self.refuse(f"{name} as a rate", text)
        return rate

    def currency_in(self, name: str, text: str) -> str:
        """A currency code."""
        if not (len(text) == 3 and text.isascii() and text.isalpha() and text.isupper()):
            self.refuse(f"{name} as a currency", text)
        return text

    def choice_in(self, name: str, text: str, known: tuple[str, ...]) -> str:
        """One of a few words."""
        if text not in known:
            self.refuse(f"{name} {' or '.join(known)}", text)
        return text

    def _read(self, expected: str, read: Callable[[str], Value], text: str) -> Value:
        try:
            return read(text)
        except (ValueError, InvalidOperation):
            self.refuse(expected, text)
