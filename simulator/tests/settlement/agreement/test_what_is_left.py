"""What an institute leaves for its next run is kept in parts, and is in the next file once."""

from collections import Counter
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from simulator.domain.core.errors import InvalidInputError
from simulator.domain.core.ports import unit_of
from simulator.domain.core.slices import SLICE_RECORDS
from simulator.domain.ports.clearing import CarriedOver
from simulator.domain.settlement.blocks import SettledBlock
from simulator.domain.settlement.restored import LEFT_LENGTH_MAX, refuse_invalid_settlement
from simulator.domain.settlement.runs import LeftPart, SettlementRun
from simulator.service.settlement.carrying import NOTHING, carried_from
from simulator.service.settlement.runs import settle_until
from simulator.tests.settlement.agreement.merchant import DAYS, HOUR, Merchant
from simulator.tests.settlement.agreement.test_chargebacks_by_files import is_settled
from simulator.tests.settlement.test_runs import StoppedError, Stopping

MANY = 2 * SLICE_RECORDS + 2
ALL = "shares: {deferred: 1}"
# Up to the one that stores the run, of which those before it store its parts, and some after it.
COMMITS = range(6)


def left(run: SettlementRun, merchant: Merchant) -> list[CarriedOver]:
    """The parts of what a run left."""
    ids = sorted(merchant.store.ids_found(LeftPart, "run", run.id))
    texts = [run.left, *(merchant.store.get(LeftPart, each).left for each in ids)]
    return [msgspec.json.decode(each, type=CarriedOver) for each in texts]


def lines(merchant: Merchant) -> Counter[str]:
    """How many lines each payment has."""
    blocks = merchant.store.between(SettledBlock, "order", "", "~")
    records = [each for block in blocks for each in block.records()]
    return Counter(each.payment for each in records if each.type == "SETTLED")


def stored_parts(merchant: Merchant) -> int:
    """How many parts are there beside runs."""
    runs = {each.id for each in merchant.store.between(SettlementRun, "history", "", "~")}
    return sum(merchant.store.count_found(LeftPart, "run", each) for each in runs)


def sold(merchant: Merchant) -> list[str]:
    """Sales of a day, which all come a day later."""
    merchant.arm(ALL)
    return [merchant.pay("DB") for _ in range(MANY)]


def run_of(merchant: Merchant) -> SettlementRun:
    """The last run of its institute."""
    *_, run = (each for each in merchant.runs if each.institute == merchant.institute)
    return run


def test_a_run_keeps_what_is_left_in_parts_that_the_next_file_has_once(
    merchant: Merchant,
) -> None:
    sales = sold(merchant)
    merchant.begin_day(1)
    run = run_of(merchant)
    parts = left(run, merchant)

    assert max(len(each.entries) for each in parts) == SLICE_RECORDS
    assert [late.entry.payment for each in parts for late in each.entries] == sales

    merchant.begin_day(2)
    assert lines(merchant) == Counter(sales)
    assert is_settled(merchant)
    assert stored_parts(merchant) == 0


def test_others_have_their_turn_after_each_part(
    merchant: Merchant, monkeypatch: pytest.MonkeyPatch
) -> None:
    merchant.arm("shares: {chargeback_late: 1}")
    for _ in range(MANY):
        merchant.pay("DB")
    merchant.begin_day(1)
    since, most = 0, 0
    store = type(merchant.store)
    real_get, real_pause = store.get, store.pause

    def get(self: Any, kind: type, identity: str) -> Any:
        nonlocal since, most
        since += kind is LeftPart
        most = max(most, since)
        return real_get(self, kind, identity)

    def pause(self: Any, failures: int) -> None:
        nonlocal since
        since = 0
        real_pause(self, failures)

    monkeypatch.setattr(store, "get", get)
    monkeypatch.setattr(store, "pause", pause)
    merchant.begin_day(2)

    assert 1 <= most <= SLICE_RECORDS


@pytest.mark.parametrize("commits", COMMITS)
def test_what_is_left_is_settled_once_where_a_run_was_stopped(
    merchant: Merchant, commits: int
) -> None:
    sales = sold(merchant)
    merchant.begin_day(1)
    sales += sold(merchant)
    merchant.clock.advance(DAYS)
    stopping = replace(merchant.context.ports, store=Stopping(merchant.store, commits))
    with pytest.raises(StoppedError):
        settle_until(stopping, merchant.institute, None)

    for number in range(2, 4):
        merchant.begin_day(number)

    assert lines(merchant) == Counter(sales)
    assert is_settled(merchant)
    assert stored_parts(merchant) == 0


@pytest.mark.parametrize("trouble", ["cut", "late"])
def test_what_is_left_beside_a_file_in_trouble_is_settled_once(
    merchant: Merchant, trouble: str
) -> None:
    sales = sold(merchant)
    merchant.begin_day(1)
    merchant.arm(f"{ALL}\nfile: {trouble}")
    sales += [merchant.pay("DB") for _ in range(MANY)]

    for number in range(2, 6):
        merchant.begin_day(number)

    assert lines(merchant) == Counter(sales)
    assert is_settled(merchant)


class OfFormerLevel:
    """A store beside that of a gateway which knows no parts."""

    def __init__(self, store: object):
        self._store = store

    def __getattr__(self, name: str) -> object:
        return getattr(self._store, name)

    def keeps(self, kind: type) -> bool:
        return kind is not LeftPart


def test_a_gateway_that_knows_no_parts_finds_all_that_was_left_with_the_run(
    merchant: Merchant,
) -> None:
    sales = sold(merchant)
    merchant.clock.advance(HOUR)
    beside = replace(merchant.context.ports, store=OfFormerLevel(merchant.store))
    (*_, run) = settle_until(beside, merchant.institute, None)

    found = msgspec.json.decode(run.left, type=CarriedOver, strict=True)
    assert [late.entry.payment for late in found.entries] == sales
    assert stored_parts(merchant) == 0

    merchant.begin_day(2)
    assert lines(merchant) == Counter(sales)
    assert is_settled(merchant)


def test_a_long_text_is_not_decoded_in_one_piece(
    merchant: Merchant, monkeypatch: pytest.MonkeyPatch
) -> None:
    sold(merchant)
    merchant.begin_day(1)
    run, first = run_of(merchant), left(run_of(merchant), merchant)[0]
    entries = [*map(msgspec.json.encode, first.entries * 3), b'{"due": "2030-01-05"}']
    text = b'{"entries": [' + b", ".join(entries) + b"]}"
    pauses: list[int] = []
    store = type(merchant.store)
    monkeypatch.setattr(store, "pause", lambda _, failures: pauses.append(failures))

    run = replace(run, left=text.decode())
    carried, problem = carried_from(merchant.context.ports, run, run.day)

    assert carried == NOTHING and "cannot be read" in problem
    assert len(pauses) == 3


def test_what_older_gateways_kept_as_one_text_is_settled_once(merchant: Merchant) -> None:
    sales = sold(merchant)
    merchant.begin_day(1)
    run, parts = run_of(merchant), left(run_of(merchant), merchant)
    text = msgspec.json.encode(
        CarriedOver(
            entries=tuple(late for each in parts for late in each.entries),
            payouts=parts[0].payouts,
            late=parts[0].late,
        )
    ).decode()
    beside = tuple(merchant.store.find(LeftPart, "run", run.id))
    merchant.store.commit(unit_of(replace(run, left=text), removes=beside))

    merchant.begin_day(2)

    assert lines(merchant) == Counter(sales)
    assert is_settled(merchant)


@pytest.mark.parametrize(
    "part",
    [
        LeftPart(id="2030-01-03.sandgate-bank.000001", run="2030-01-03.sandgate", left="{}"),
        LeftPart(id="a.000001", run="a", left=" " * (LEFT_LENGTH_MAX + 1)),
    ],
)
def test_a_part_that_no_gateway_stored_is_refused(part: LeftPart) -> None:
    with pytest.raises(InvalidInputError):
        refuse_invalid_settlement(part)
