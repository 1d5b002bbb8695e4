"""Records as the console lists them: pages, the newest first."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import islice
from typing import Any, NamedTuple

from msgspec.structs import replace

from simulator.domain.checkouts.checkouts import Checkout, CheckoutStage, stage_of
from simulator.domain.core.entities import Sandbox
from simulator.domain.core.hosts import HOSTS, Host
from simulator.domain.core.ports import HasStore, key_of
from simulator.domain.core.records import Payment
from simulator.domain.core.slices import with_pauses
from simulator.domain.masking.openings import CUT, SHOWN
from simulator.domain.payments.ledger import newest_entries

PAGE_LENGTH = 25
# So many records are looked through for those that fit before a person asks to go on.
LOOKED_MAX, LOOKED_AT_ONCE = 2_000, 50
END = "~"
# What lists show of what was sent.
LISTED = ("paymentType", "amount", "currency")
EVERYTHING = ("", END)


class RecordPage(NamedTuple):
    """A page of records, newest first, and how many there are in all."""

    records: Sequence[Any]
    in_all: int
    page: int

    @property
    def pages(self) -> int:
        """How many pages there are; one where there is no record."""
        return max(1, -(-self.in_all // PAGE_LENGTH))


class PaymentFilter(NamedTuple):
    """Which payments are looked for; what is empty may be anything."""

    digits: str = ""
    state: str = ""
    type: str = ""

    def fits(self, payment: Payment) -> bool:
        """Whether a payment is looked for."""
        last = payment.card.last4Digits if payment.card else ""
        found = PaymentFilter(last or "", payment.state.value, payment.type.value)
        return all(wanted in ("", has) for wanted, has in zip(self, found, strict=True))


class FoundRecords(NamedTuple):
    """Records that fit, newest first: those among the `looked` ones that were looked through, of
    which the oldest has the number `start`, counted from the oldest of all.
    """

    records: Sequence[Any]
    looked: int
    start: int


def list_newest(
    ports: HasStore, kind: type, index: str, page: int, *, bounds: tuple[str, str] = EVERYTHING
) -> RecordPage:
    """A page of the records between these bounds of an ordered index. Costs what it returns; a
    number beyond the last page is the last page.
    """
    _, count = ports.store.page(kind, index, bounds, start=0, most=0)
    page = min(max(1, page), max(1, -(-count // PAGE_LENGTH)))
    stop = count - (page - 1) * PAGE_LENGTH
    start = max(0, stop - PAGE_LENGTH)
    found: Iterable[Any] = ports.store.page(kind, index, bounds, start=start, most=stop - start)[0]
    return RecordPage([*map(as_listed, with_pauses(ports, found))][::-1], count, page)


def as_listed(record: Any) -> Any:
    """A record without what no list shows of it: thousands of parameters take a megabyte."""
    return replace(record, sent={name: record.sent[name] for name in LISTED if name in record.sent})


def list_ledger(ports: HasStore, page: int) -> RecordPage:
    """A page of ledger entries, those of payments and those of settlements."""
    skip = (max(1, page) - 1) * PAGE_LENGTH
    found, count = newest_entries(ports, skip=skip, most=PAGE_LENGTH)
    if found or page <= 1:
        return RecordPage(found, count, max(1, page))
    return list_ledger(ports, -(-count // PAGE_LENGTH))


def payments_among(ports: HasStore, ids: Iterable[str]) -> frozenset[str]:
    """Those of the ids that are of stored payments: a page links to no other."""
    return frozenset(each for each in ids if ports.store.get(Payment, each) is not None)


def list_of_reference(ports: HasStore, merchant: str, reference: str, page: int) -> RecordPage:
    """A page of the payments with a merchantTransactionId: those of the test host, then those of
    the live host.
    """
    within = key_of(merchant, reference)
    return list_newest(ports, Payment, "reference", page, bounds=_bounds(within))


def _is_any(record: Any) -> bool:
    return True


def find_newest(
    ports: HasStore,
    kind: type,
    merchant: str,
    fits: Callable[[Any], bool] = _is_any,
    *,
    host: Host,
    below: int | None = None,
) -> FoundRecords:
    """The newest PAGE_LENGTH records of a merchant on a host that fit, among the newest LOOKED_MAX
    that are numbered below `below`: no index is kept for what people alone look for. Most fit, so
    few more are read than shown.
    """
    bounds = _bounds(key_of(merchant, host))
    _, count = ports.store.page(kind, "host_history", bounds, start=0, most=0)
    start = stop = count if below is None else min(below, count)
    last = max(0, stop - LOOKED_MAX)
    found: list[tuple[int, Any]] = []
    while start > last and len(found) <= PAGE_LENGTH:
        begun = max(last, start - LOOKED_AT_ONCE)
        looked: Iterable[Any]
        looked, _ = ports.store.page(kind, "host_history", bounds, start=begun, most=start - begun)
        numbered = enumerate(with_pauses(ports, looked), begun)
        found += [(place, as_listed(one)) for place, one in numbered if fits(one)][::-1]
        start = begun
    if len(found) > PAGE_LENGTH:
        found = found[:PAGE_LENGTH]
        start = found[-1][0]
    return FoundRecords([one for _, one in found], stop - start, start)


def whole_id(ports: HasStore, sandbox: Sandbox, text: str) -> str:
    """The id of a checkout for one that was cut, if it is among the newest; else the text: by more
    signs than are shown, or fewer, the rest could be tried sign by sign.
    """
    begun = text.removesuffix(CUT)
    if text != f"{begun}{CUT}" or len(begun) != SHOWN:
        return text
    places = ((merchant.id, host) for merchant in sandbox.merchants for host in HOSTS)
    for merchant, host in places:
        fits = lambda one: one.id.startswith(begun)  # noqa: E731
        for found in find_newest(ports, Checkout, merchant, fits, host=host).records:
            return str(found.id)
    return text


def has_payments_on(ports: HasStore, merchants: Iterable[str], host: Host) -> bool:
    """Whether any of these merchants has a payment on a host."""
    bounds = (_bounds(key_of(merchant, host)) for merchant in merchants)
    return any(
        ports.store.page(Payment, "host_history", each, start=0, most=0)[1] for each in bounds
    )


def stages_of(ports: HasStore, checkouts: Iterable[Checkout]) -> Mapping[str, CheckoutStage]:
    """Where each checkout stands, by its id."""
    shown = islice(checkouts, PAGE_LENGTH)
    return {one.id: stage_of(_attempt_of(ports, one)) for one in shown}


def _attempt_of(ports: HasStore, checkout: Checkout) -> Payment | None:
    return ports.store.get(Payment, checkout.attempt) if checkout.attempt else None


def _bounds(within: str) -> tuple[str, str]:
    return key_of(within, ""), key_of(within, END)
