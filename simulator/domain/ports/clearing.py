"""The port to the clearing institutes: what they know of movements of money, and their files.

An entry holds nothing but what passed over the connection to the acquirer: an institute knows no
number of a card beyond its last four digits.
"""

from collections.abc import Callable, Iterable, Mapping
from datetime import date, datetime
from decimal import Decimal
from typing import Literal, Protocol

import msgspec

from simulator.domain.core.money import Money

FileTrouble = Literal["late", "empty", "cut", "trailer", "twice"]


class UnknownInstituteError(LookupError):
    """No clearing institute has the name; the text has those there are."""


class SettlementFaultsError(ValueError):
    """A fault plan that cannot be followed: where, what was expected, what was received."""


class SettlementOrderError(ValueError):
    """A run that an institute cannot make: what was expected, what was received."""


# Between the type of what gives back another payment and the type of that one.
OF = " of "


class ClearingEntry(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One movement of money as the institute knows it.

    `kind` is a payment type; what moves nothing (PA) costs a fee, and a debit that a bank
    returned is a CB. `payment` is the gateway's id, `about` that of the payment it refers to.
    `about_kind` is the type of the payment that a reversal, a refund, a chargeback, or what takes
    one back, is about in the end: a sale where it names none, "RF of CD" where that gives back
    another. A reversal without one moves nothing.
    `instant` is an aware time in UTC, `reference` field 37 of ISO 8583. `region` chooses the
    interchange. `left` is what a bank can still charge back of the sale, of that which a refund
    gives back, or of the one that a chargeback is about: all of it where it is None.
    """

    kind: str
    payment: str
    merchant_number: str
    money: Money
    instant: datetime
    about: str = ""
    about_kind: str = ""
    reference: str = ""
    auth_code: str = ""
    acquirer_reference: str = ""
    last4: str = ""
    brand: str = ""
    account: Literal["card", "bank"] = "card"
    merchant_transaction_id: str = ""
    entry_mode: str = ""
    region: Literal["domestic", "intra", "inter"] = "domestic"
    reason: str = ""
    reason_text: str = ""
    sub_merchant: str = ""
    facilitator: str = ""
    is_part: bool = False
    left: Decimal | None = None


class ClearingContract(msgspec.Struct, frozen=True, kw_only=True):
    """How the institute pays a merchant number (5 to 32 characters). `result_file` is the name
    of the merchant's own file of the day, for the answer key; without one it has that of the
    institute's. One that is not `is_standing` counts in runs in which it has a movement.
    """

    merchant_number: str
    settlement_currency: str = "EUR"
    fails_payout: bool = False
    result_file: str = ""
    is_standing: bool = True


class SettlementFaults(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The faults an institute plants in a day: a share of the movements that a fault can
    apply to, in ten thousandths, or how many of them; and trouble with the file itself. Where
    the merchants' banks reject the payouts of the day, the next run repeats them.
    """

    seed: int = 0
    shares: dict[str, int] = {}
    counts: dict[str, int] = {}
    file: FileTrouble | None = None
    rejects_payouts: bool = False


class DeferredEntry(msgspec.Struct, frozen=True, kw_only=True):
    """An entry that is delivered in the run of bank day `due`, or the first one after it."""

    due: date
    entry: ClearingEntry
    planted: str | None = None


class OpenPayout(msgspec.Struct, frozen=True, kw_only=True):
    """A payout that the merchant's bank rejected: what the merchant gets, below zero if it owes, in
    the smallest unit of the currency.
    """

    merchant_number: str
    batch: str
    units: int
    currency: str


class CarriedOver(msgspec.Struct, frozen=True, kw_only=True):
    """What an institute takes from one run to the next. `late` names files that wait in the drop
    folder under a name that begins with a dot.
    """

    entries: tuple[DeferredEntry, ...] = ()
    payouts: tuple[OpenPayout, ...] = ()
    late: tuple[str, ...] = ()


class Payout(msgspec.Struct, frozen=True, kw_only=True):
    """A bank transfer of a run; `net` is below zero if the merchant owes."""

    merchant_number: str
    batch: str
    net: Money
    is_paid: bool


class WrittenDay(msgspec.Struct, frozen=True, kw_only=True):
    """What a run wrote: names in the drop folder and in the folder of keys. `released` are files of
    the run before, which were late. `charged_back` says how much of which payment the institute
    takes by chargebacks of its own.
    """

    files: tuple[str, ...]
    released: tuple[str, ...] = ()
    keys: tuple[str, ...]
    lines: int
    payouts: tuple[Payout, ...]
    carried: CarriedOver
    charged_back: dict[str, Decimal] = {}


def go_on() -> None:
    """The pause of a run that need not let others go first."""


class DayOrder(msgspec.Struct, frozen=True, kw_only=True):
    """What a run of a bank day is given: where its files go (paths), whom the institute pays, and
    what an earlier run left. A merchant number without a contract has that of `others`, where there
    is one. `number` counts the files of the day. Where it does not `charge_back`, chargebacks that
    are due wait for the next run, and none is planted. About so many movements are `expected`.
    `pause` is called after every few hundred lines, so that others may go first.
    """

    drop: str
    key: str
    contracts: Mapping[str, ClearingContract]
    others: ClearingContract | None = None
    faults: SettlementFaults = SettlementFaults()
    carried: CarriedOver = CarriedOver()
    number: int = 1
    charge_back: bool = True
    expected: int = 0
    pause: Callable[[], object] = go_on


class InstituteForm(msgspec.Struct, frozen=True):
    """How the files of an institute are to be read: their format and their time zone, and whether
    their lines have the ids of payments.
    """

    form: str
    zone: str
    names_payments: bool


class ClearingInstitutes(Protocol):
    """All clearing institutes. Each method raises UnknownInstituteError for an unknown name."""

    @property
    def names(self) -> tuple[str, ...]:
        """The institutes, the default one first."""

    def form(self, institute: str) -> InstituteForm:
        """How its files are to be read."""

    def window(self, institute: str, day: date) -> tuple[datetime, datetime]:
        """The cut-off before bank day `day` and the one of it, in UTC; movements from the first on
        and before the second belong to its run.
        """

    def next_cut_off(self, institute: str, now: datetime) -> tuple[date, datetime]:
        """The first bank day whose cut-off is after `now`, and that instant in UTC."""

    def read_faults(self, text: str) -> SettlementFaults:
        """A fault plan in YAML. Raises SettlementFaultsError."""

    def write_day(
        self, institute: str, day: date, entries: Iterable[ClearingEntry], order: DayOrder
    ) -> WrittenDay:
        """Write the files of a bank day and their keys; `entries` is read once, in any order.

        Raises SettlementOrderError for an entry without a contract, or above a limit.
        """


class HasClearing(Protocol):
    @property
    def clearing(self) -> ClearingInstitutes: ...
