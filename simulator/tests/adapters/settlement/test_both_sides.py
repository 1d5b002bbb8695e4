"""What the institutes write, the gateway reads: the two sides share no module."""

from collections import Counter
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from pathlib import Path

import pytest
from msgspec.structs import replace

from simulator.adapters.settlement import reading
from simulator.adapters.settlement.reading import BITS, SHARES, read_lines
from simulator.adapters.simulators import load_simulators
from simulator.catalogue.brands import BRANDS
from simulator.catalogue.payment_types import PAYMENT_TYPES
from simulator.domain.core.money import Money
from simulator.domain.masking.masking import shown_text
from simulator.domain.ports.clearing import (
    CarriedOver,
    ClearingContract,
    ClearingEntry,
    DayOrder,
    DeferredEntry,
)
from simulator.domain.settlement.lines import SettlementFileError, SettlementLine

FORMS = {
    "Sandgate Clearing": ("SGCSV", "UTC"),
    "Sandgate Acquiring": ("SGFIX", "Europe/Berlin"),
    "Sandgate Bank": ("camt.053.001.08", "America/New_York"),
}
DAY, MERCHANT = date(2030, 1, 3), "0123456789abcdef0123456789abcdef"
RECORDED = frozenset(code for code, row in PAYMENT_TYPES.items() if row.record)
KINDS = ("DB", "CP", "RF", "CD", "CB", "CR", "PA", "RV")
CURRENCIES = ("EUR", "USD", "JPY", "GBP")
AT = datetime(2030, 1, 3, 12, tzinfo=UTC)


def entries(count: int) -> list[ClearingEntry]:
    """Movements of every kind in several currencies."""
    return [
        ClearingEntry(
            kind=KINDS[number % len(KINDS)],
            payment=f"8{number:031x}",
            merchant_number=MERCHANT,
            money=Money(Decimal(100 + number).quantize(Decimal("0.01")), CURRENCIES[number % 4]),
            instant=AT + timedelta(seconds=number),
            reference=f"{number:012}",
            last4="4242",
            brand="VISA",
            merchant_transaction_id=f"order-{number:06}",
            reason="000.100.203" if KINDS[number % len(KINDS)] == "CB" else "",
        )
        for number in range(count)
    ]


def written(
    folder: Path,
    institute: str,
    count: int,
    movements: list[ClearingEntry] | None = None,
    **more: object,
) -> list[Path]:
    """The files of a day, of so many movements or of these."""
    clearing = load_simulators().clearing
    drop, key = folder / "drop", folder / "key"
    drop.mkdir(exist_ok=True)
    key.mkdir(exist_ok=True)
    contracts = {MERCHANT: ClearingContract(merchant_number=MERCHANT)}
    order = DayOrder(drop=str(drop), key=str(key), contracts=contracts, **more)
    sent = entries(count) if movements is None else movements
    names = clearing.write_day(institute, DAY, sent, order).files
    return [drop / name for name in names if "summary" not in name]


def lines_in(paths: list[Path], institute: str) -> list[SettlementLine]:
    """The lines of these files."""
    return [line for path in paths for line in read_lines(path, *FORMS[institute])]


@pytest.mark.parametrize("institute", FORMS)
def test_every_movement_that_was_written_is_read(tmp_path: Path, institute: str) -> None:
    lines = lines_in(written(tmp_path, institute, 400), institute)

    moved = [each for each in lines if each.type in KINDS]
    assert Counter(each.type for each in moved) == dict.fromkeys(KINDS[:6], 50)
    sent = {each.reference: each for each in entries(400)}
    for line in moved:
        entry = sent[line.reference]
        assert (line.type, line.money.currency) == (entry.kind, entry.money.currency)
        assert line.money.amount == entry.money.amount
        assert line.is_credit is (line.type in ("DB", "CP", "CR"))
    assert len({each.id for each in lines}) == len(lines)


# What a movement does, what it is about, and whether its money goes to the merchant.
DIRECTIONS = (
    ("DB", "", True), ("PA.CP", "", True), ("CP", "", True), ("RB", "", True), ("RC", "", True),
    ("RF", "", False), ("CD", "", False), ("CB", "DB", False), ("CB", "RF", True),
    ("CR", "DB", True), ("CR", "RF", False), ("RV", "DB", False), ("RV", "RF", True),
)  # fmt: skip
# Each comes to nothing in euros, the last one in its own currency too.
NOTHING = (("1.00", "HUF"), ("0.01", "TND"), ("50.00", "IDR"), ("0.40", "JPY"))


@pytest.mark.parametrize("institute", FORMS)
@pytest.mark.parametrize(("amount", "currency"), NOTHING)
@pytest.mark.parametrize("is_left", [False, True])
def test_a_movement_that_settles_at_zero_is_read_as_what_it_is(
    tmp_path: Path, institute: str, amount: str, currency: str, *, is_left: bool
) -> None:
    """The statement took the sign of the units: a refund of HUF 1.00 came as a credit."""
    usual, money = entries(1)[0], Money(Decimal(amount), currency)
    moves = {
        f"{number:012}": (kind, about, is_credit)
        for number, (kind, about, is_credit) in enumerate(DIRECTIONS)
    }
    sent = [
        replace(
            usual, kind=kind, about_kind=about, reference=name, payment=f"8{name:0>31}", money=money
        )
        for name, (kind, about, _) in moves.items()
    ]

    left = CarriedOver(entries=tuple(DeferredEntry(due=DAY, entry=each) for each in sent))

    paths = written(
        tmp_path, institute, 0, [] if is_left else sent, carried=left if is_left else CarriedOver()
    )
    lines = lines_in(paths, institute)

    moved = {each.reference: each for each in lines if each.type in RECORDED}
    assert {name: each.is_credit for name, each in moved.items()} == {
        name: is_credit for name, (*_, is_credit) in moves.items()
    }
    assert {each.gross for each in moved.values()} == {Money(Decimal("0.00"), "EUR")}


@pytest.mark.parametrize("institute", FORMS)
@pytest.mark.parametrize("trouble", ["empty", "cut", "trailer"])
def test_trouble_with_a_file_is_found(tmp_path: Path, institute: str, trouble: str) -> None:
    clearing = load_simulators().clearing
    faults = clearing.read_faults(f"file: {trouble}\n")
    paths = written(tmp_path, institute, 100, faults=faults)

    with pytest.raises(SettlementFileError):
        lines_in(paths, institute)


@pytest.mark.parametrize("institute", FORMS)
def test_a_day_without_movements_is_whole(tmp_path: Path, institute: str) -> None:
    assert [
        each for each in lines_in(written(tmp_path, institute, 0), institute) if each.type in KINDS
    ] == []


LONG = 3_000


@pytest.fixture(scope="module")
def long_file(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[SettlementLine]]:
    """A file of thousands of lines, and its lines."""
    (path,) = written(tmp_path_factory.mktemp("long"), "Sandgate Acquiring", LONG)
    lines = lines_in([path], "Sandgate Acquiring")
    assert len(lines) > LONG * 3 // 4
    return path, lines


@pytest.mark.parametrize("share", range(SHARES))
def test_an_id_that_comes_twice_in_a_long_file_is_found_in_every_share_of_its_ids(
    long_file: tuple[Path, list[SettlementLine]], tmp_path: Path, share: int
) -> None:
    """Ids are looked through a share at a time, and lines far from each other may have one id."""
    source, lines = long_file
    of_share = [line for line in lines if (hash(line.id) & BITS) % SHARES == share]
    first, last = of_share[0], lines[-2]
    path = tmp_path / source.name
    path.write_bytes(source.read_bytes().replace(last.id.encode(), first.id.encode()))

    with pytest.raises(SettlementFileError) as refused:
        lines_in([path], "Sandgate Acquiring")

    error = refused.value
    assert (error.file, error.record) == (path.name, last.place)
    assert error.expected == "a settlement id once"
    # One id in ten looks like a card number, and is masked.
    assert error.got == repr(shown_text(f"{first.id} as in record {first.place}", 40))


def test_two_ids_with_one_mark_are_two_ids(
    long_file: tuple[Path, list[SettlementLine]], monkeypatch: pytest.MonkeyPatch
) -> None:
    path, lines = long_file
    monkeypatch.setattr(reading, "BITS", 0xFF)

    assert lines_in([path], "Sandgate Acquiring") == lines


LARGEST = Decimal("9999999999.99")
STRANGE = ("order\n12345", "order\r\n1", "tab\t1", "nul\x00", "line\u2028", "esc\x1b[2J", "\x85",
           'a"b,c;d', "Größe 日本語 " + "x" * 240)  # fmt: skip


def unusual() -> list[ClearingEntry]:
    """Movements of every brand, with strange references, and of the largest amount."""
    usual = entries(1)[0]
    found = [replace(usual, brand=brand) for brand in BRANDS]
    found += [replace(usual, merchant_transaction_id=sent) for sent in STRANGE]
    found += [replace(usual, money=Money(LARGEST, currency)) for currency in ("EUR", *LARGE)]
    return [
        replace(each, payment=f"8{number:031x}", reference=f"{number:012}")
        for number, each in enumerate(found)
    ]


LARGE = ("JPY", "KWD", "USD", "CLF", "GBP")


@pytest.mark.parametrize("institute", FORMS)
def test_no_payment_makes_a_day_unreadable(tmp_path: Path, institute: str) -> None:
    lines = lines_in(written(tmp_path, institute, 0, unusual()), institute)

    moved = {each.reference: each for each in lines if each.type in KINDS}
    plain = {each.reference for each in unusual() if each.money.amount < LARGEST}
    assert plain <= moved.keys()
    assert all(len(each.brand) <= 16 for each in lines)
    assert {each.merchant_transaction_id for each in moved.values()}.isdisjoint(STRANGE[:7])
    if institute == "Sandgate Clearing":
        assert {each.merchant_transaction_id for each in moved.values()} >= {*STRANGE[7:]}
        assert {each.brand for each in lines} >= {brand[:16] for brand in BRANDS}
