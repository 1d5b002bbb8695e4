"""Reading the fields of a record, each error naming file and record."""

import re
from collections.abc import Callable
from datetime import date
from decimal import Decimal
from functools import cache
from typing import NamedTuple, NoReturn, TypeVar

from simulator.domain.core.currencies import decimals_of
from simulator.domain.masking.masking import shown_text
from simulator.domain.settlement.lines import NUMBER_LENGTH_MAX, SettlementFileError

SHOWN_LENGTH_MAX = 40
AMOUNT = re.compile(r"-?[0-9]+(?:\.[0-9]+)?", re.ASCII)
Value = TypeVar("Value")


@cache
def _form_of_amounts(currency: str) -> re.Pattern[str]:
    decimals = decimals_of(currency)
    return re.compile(rf"-?[0-9]+\.[0-9]{{{decimals}}}" if decimals else "-?[0-9]+", re.ASCII)


class Record(NamedTuple):
    """A record of a file, by its number from 1; 0 is the file as a whole."""

    file: str
    number: int

    def refuse(self, expected: str, got: object) -> NoReturn:
        """Raise SettlementFileError for this record. What came is cut and masked: the number of a
        card may stand in any field.
        """
        text = shown_text(str(got), SHOWN_LENGTH_MAX)
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
        if not _form_of_amounts(currency).fullmatch(text) or len(text) > NUMBER_LENGTH_MAX:
            self.refuse(f"{name} in {currency} with {decimals_of(currency)} decimals", text)
        return Decimal(text)

    def rate_in(self, name: str, text: str) -> Decimal:
        """An exchange rate, above zero."""
        if not AMOUNT.fullmatch(text) or len(text) > NUMBER_LENGTH_MAX or Decimal(text) <= 0:
            self.refuse(f"{name} above zero", text)
        return Decimal(text)

    def text_in(self, name: str, text: str, longest: int) -> str:
        """A text of so many characters at most."""
        if len(text) > longest:
            self.refuse(f"{name} of at most {longest} characters", text)
        return text

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
        except ValueError:
            self.refuse(expected, text)
