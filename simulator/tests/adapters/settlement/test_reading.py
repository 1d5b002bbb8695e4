"""The three parsers: files that were written by hand, and what a file that is not whole does.

The samples were written by hand from docs/reference/settlement-files.md.
"""

import shutil
from collections.abc import Callable
from datetime import datetime
from decimal import Decimal
from hashlib import sha256
from pathlib import Path
from resource import RUSAGE_SELF, getrusage

import pytest

from simulator.adapters.settlement import reading
from simulator.adapters.settlement.reading import hash_of, read_lines
from simulator.domain.core.money import Money
from simulator.domain.settlement.lines import SettlementFileError, SettlementLine

SAMPLES = Path(__file__).parent / "samples"
FIXED, TABLE, STATEMENT = (
    "sandgate_acquiring_2030-01-03_001.sgfix",
    "sandgate_clearing_2030-01-03_001.csv",
    "sandgate_bank_2030-01-03_001.xml",
)
FORMS = {
    FIXED: ("SGFIX", "Europe/Berlin"),
    TABLE: ("SGCSV", "UTC"),
    STATEMENT: ("camt.053.001.08", "America/New_York"),
}
EVERY = pytest.mark.parametrize("name", FORMS)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A drop folder with the samples."""
    return Path(shutil.copytree(SAMPLES, tmp_path / "drop"))


def lines_of(path: Path) -> list[SettlementLine]:
    """The lines of a file, by the format that its name says."""
    return list(read_lines(path, *FORMS[path.name]))


def test_a_fixed_file(folder: Path) -> None:
    lines = lines_of(folder / FIXED)

    assert [each.type for each in lines] == [
        "DB", "CP", "RF", "DB", "CB", "DB", "CAPTURE_FEE", "MONTHLY", "BATCH", "DB", "BATCH",
    ]  # fmt: skip
    yen, dinar = lines[3], lines[5]
    assert (yen.money, yen.gross, yen.rate) == (
        Money(Decimal(1000), "JPY"), Money(Decimal("6.00"), "EUR"), Decimal("0.006"),
    )  # fmt: skip
    assert dinar.money == Money(Decimal("7.500"), "KWD")
    assert lines[0].requested_at == datetime.fromisoformat("2030-01-03T10:11:12+01:00")
    assert lines[0].fee is None, "the format has no fee at a line"
    assert (lines[4].reason, lines[4].reason_text) == ("000.100.203", "not enough money")
    assert lines[-1].is_credit and not lines[-1].is_success


def test_a_table(folder: Path) -> None:
    lines = lines_of(folder / TABLE)

    assert lines[1].merchant_transaction_id == 'order, with a "comma"'
    assert (lines[0].payment[-1], lines[0].reference, lines[0].last4) == (
        "1", "000000000001", "4242",
    )  # fmt: skip
    assert [each.fee for each in lines[:3]] == [Decimal("0.73"), Decimal("0.29"), Decimal("0.09")]
    assert lines[1].is_part and not lines[0].is_part
    assert {each.merchant_number[:4] for each in lines} == {"0123", "fedc"}


def test_a_statement(folder: Path) -> None:
    lines = lines_of(folder / STATEMENT)

    assert [each.requested_at for each in lines] == [None] * 8, "the format has no time"
    assert lines[1].money == Money(Decimal("25.00"), "USD")
    assert lines[1].rate == Decimal("0.91") and lines[1].is_part
    assert lines[1].merchant_transaction_id == "", "NOTPROVIDED is none"
    assert lines[2].reason_text == "not enough money on the account"
    payouts = lines[-2:]
    assert [(each.batch, each.is_credit) for each in payouts] == [
        ("3001020001", True), ("3001030001", True),
    ]  # fmt: skip


@EVERY
def test_the_sums_of_the_lines_are_what_is_paid(folder: Path, name: str) -> None:
    paid: dict[str, Decimal] = {}
    earned: dict[str, Decimal] = {}
    for line in lines_of(folder / name):
        signed = line.gross.amount if line.is_credit else -line.gross.amount
        side = paid if line.type == "BATCH" else earned
        fee = Decimal(0) if line.type == "BATCH" else (line.fee or 0)
        side[line.batch] = side.get(line.batch, Decimal(0)) + signed - fee

    assert {batch: paid[batch] for batch in earned} == earned


def cut(path: Path) -> None:
    """Its last tenth is missing."""
    content = path.read_bytes()
    path.write_bytes(content[: len(content) * 9 // 10])


def cut_after_a_line(path: Path) -> None:
    """Its last line is missing."""
    path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[:-1]))


def empty(path: Path) -> None:
    """There is nothing in it."""
    path.write_bytes(b"")


def without_a_line(path: Path) -> None:
    """The second movement is missing, and everything else is there."""
    content = path.read_bytes()
    if path.suffix == ".xml":
        start = content.index(b"<TxDtls>", content.index(b"S0001"))
        end = content.index(b"</TxDtls>", start) + len(b"</TxDtls>")
        path.write_bytes(content[:start] + content[end:])
    else:
        lines = content.splitlines(keepends=True)
        path.write_bytes(b"".join(each for each in lines if b"S0002" not in each))


def with_another_amount(path: Path) -> None:
    """One amount is a cent higher."""
    swaps = {".sgfix": (b"000000009200", b"000000009201"), ".csv": (b"92.00", b"92.01"),
             ".xml": (b"92.00", b"92.01")}  # fmt: skip
    path.write_bytes(path.read_bytes().replace(*swaps[path.suffix]))


def in_another_encoding(path: Path) -> None:
    """UTF-16."""
    path.write_bytes(path.read_bytes().decode("utf-8").encode("utf-16"))


def with_more_behind(path: Path) -> None:
    """A second file follows in it."""
    path.write_bytes(path.read_bytes() * 2)


def of_letters(path: Path) -> None:
    """An amount is a word."""
    path.write_bytes(
        path.read_bytes().replace(b"92.00", b"ninety").replace(b"0000009200", b"NINETYEURO")
    )


DAMAGES = (cut, cut_after_a_line, empty, without_a_line, with_another_amount,
           in_another_encoding, with_more_behind, of_letters)  # fmt: skip


@EVERY
@pytest.mark.parametrize("damage", DAMAGES)
def test_nothing_is_taken_from_a_file_that_is_not_whole(
    folder: Path, name: str, damage: Callable[[Path], None]
) -> None:
    path = folder / name
    damage(path)
    _hash_anew(path)
    taken: list[SettlementLine] = []

    with pytest.raises(SettlementFileError) as refused:
        for line in read_lines(path, *FORMS[name]):
            taken.append(line)

    assert taken == []
    assert path.stem in str(refused.value) and "expected" in str(refused.value)


@pytest.mark.parametrize(("name", "where"), [(FIXED, "record 3"), (TABLE, "record 1")])
def test_lines_in_another_order_are_refused(folder: Path, name: str, where: str) -> None:
    path = folder / name
    lines = path.read_bytes().splitlines(keepends=True)
    first, second = (n for n, line in enumerate(lines) if b"S0001" in line or b"S0002" in line)
    lines[first], lines[second] = lines[second], lines[first]
    path.write_bytes(b"".join(lines))
    _hash_anew(path)

    with pytest.raises(SettlementFileError, match=f"{name}, {where}: expected .*ine of the batch"):
        lines_of(path)


@EVERY
def test_others_have_their_turn_while_a_file_is_found_to_be_whole(
    folder: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reading, "PART_LINES", 2)
    pauses: list[int] = []

    lines = read_lines(folder / name, *FORMS[name], pause=lambda: pauses.append(1))
    next(lines)

    assert len(pauses) == -(-len(lines_of(folder / name)) // 2)


def _hash_anew(path: Path) -> None:
    """The summary names the hash of the damaged table: the hash alone must not find it."""
    if path.suffix == ".csv":
        summary = path.with_suffix(".summary.csv")
        old = hash_of(SAMPLES / path.name)
        summary.write_text(summary.read_text("utf-8").replace(old, hash_of(path)), "utf-8")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (b"a1929492", b"b1929492"),
        (b"EUR,9,", b"EUR,8,"),
        (b"81.69", b"81.70"),
        (b"3001030002", b"3001030003"),
        (b"clearing_2030-01-03_001.csv", b"clearing_2030-01-03_002.csv"),
        (b"<END>", b""),
    ],
)
def test_a_summary_that_says_something_else_refuses_the_table(
    folder: Path, before: bytes, after: bytes
) -> None:
    summary = (folder / TABLE).with_suffix(".summary.csv")
    content = summary.read_bytes()
    assert before in content
    summary.write_bytes(content.replace(before, after, 1))

    with pytest.raises(SettlementFileError, match=r"summary|hash"):
        lines_of(folder / TABLE)


def test_a_table_without_its_summary_is_not_whole(folder: Path) -> None:
    (folder / TABLE).with_suffix(".summary.csv").unlink()

    with pytest.raises(SettlementFileError, match="no such file"):
        lines_of(folder / TABLE)


@pytest.mark.parametrize(
    "declared",
    [
        '<!DOCTYPE Document [<!ENTITY a "aaaaaaaaaa">]>',
        '<!DOCTYPE Document SYSTEM "file:///etc/passwd">',
        '<!DOCTYPE Document [<!ENTITY % x SYSTEM "http://127.0.0.1:1/x"> %x;]>',
    ],
)
def test_a_statement_with_a_document_type_is_refused(folder: Path, declared: str) -> None:
    path = folder / STATEMENT
    text = path.read_text("utf-8")
    path.write_text(text.replace("<Document", f"{declared}<Document", 1), "utf-8")

    with pytest.raises(SettlementFileError):
        lines_of(path)


@pytest.mark.parametrize("endless", [b'<a b="', b"<a>", b"<a/>", b"<!--"])
def test_a_statement_with_a_part_that_does_not_end_is_refused_before_it_is_read(
    folder: Path, endless: bytes
) -> None:
    """An attribute of two gigabytes was once kept in memory until it ended."""
    path = folder / STATEMENT
    head, between, _ = path.read_bytes().partition(b"<BkToCstmrStmt>")
    size = 64 * 1024 * 1024
    with path.open("wb") as file:
        file.write(head + between)
        file.writelines([endless * 100_000] * (size // len(endless) // 100_000))

    before = getrusage(RUSAGE_SELF).ru_maxrss
    with pytest.raises(SettlementFileError):
        lines_of(path)

    assert getrusage(RUSAGE_SELF).ru_maxrss - before < 48 * 1024


def test_a_balance_that_does_not_follow_refuses_the_statement(folder: Path) -> None:
    path = folder / STATEMENT
    text = path.read_text("utf-8")
    path.write_text(text.replace('<Amt Ccy="EUR">7.00</Amt>', '<Amt Ccy="EUR">8.00</Amt>', 1))

    with pytest.raises(SettlementFileError, match="CLBD"):
        lines_of(path)


@pytest.mark.parametrize(
    ("name", "before", "after"),
    [
        (FIXED, b"3001030001C000000000007703S", b"3001030001C000000000007704S"),
        (FIXED, b"3001030001C000000000007703S", b"3001030001D000000000007703S"),
        (FIXED, b"CAPTURE_FEE", b"CAPTURE_FED"),
        (FIXED, b"000001000000", b"000000000000"),
        (STATEMENT, b"<BkToCstmrStmt>", b"<BkToCstmrDbtCdtNtfctn>"),
        (STATEMENT, b"<Cd>MONTHLY</Cd>", b"<Cd>WEEKLY</Cd>"),
        (STATEMENT, b'<Amt Ccy="EUR">92.00</Amt>', b'<Amt Ccy="USD">92.00</Amt>'),
        (STATEMENT, b"<NtryDtls>", b"<NtryDtls><NtryDtls>"),
        (TABLE, b",92.00,", b",+92.00,"),
        (TABLE, b"000000000001,A1B2C3", b"1" * 300 + b",A1B2C3"),
        (TABLE, b",MONTHLY,", b",WEEKLY,"),
    ],
)
def test_what_no_sum_covers_is_checked_too(
    folder: Path, name: str, before: bytes, after: bytes
) -> None:
    path = folder / name
    content = path.read_bytes()
    assert before in content
    path.write_bytes(_closed_again(content.replace(before, after, 1), after))
    _hash_anew(path)

    with pytest.raises(SettlementFileError):
        lines_of(path)


def _closed_again(content: bytes, after: bytes) -> bytes:
    """The elements that were opened otherwise are closed likewise."""
    if b"BkToCstmrDbtCdtNtfctn" in after:
        return content.replace(b"</BkToCstmrStmt>", b"</BkToCstmrDbtCdtNtfctn>")
    if b"<NtryDtls><NtryDtls>" in after:
        return content.replace(b"</NtryDtls>", b"</NtryDtls></NtryDtls>", 1)
    return content


def test_a_summary_that_has_a_batch_twice_refuses_the_table(folder: Path) -> None:
    summary = (folder / TABLE).with_suffix(".summary.csv")
    lines = summary.read_bytes().splitlines(keepends=True)
    summary.write_bytes(b"".join([*lines[:2], lines[1], *lines[3:]]))

    with pytest.raises(SettlementFileError, match="once"):
        lines_of(folder / TABLE)


def test_a_long_file_is_refused_before_it_is_read(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = folder / FIXED
    with path.open("r+b") as file:
        file.truncate(reading.FILE_BYTES_MAX + 1)

    with pytest.raises(SettlementFileError, match="bytes"):
        lines_of(path)


@EVERY
def test_more_lines_than_allowed_are_refused(
    folder: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reading, "LINES_MAX", 7)

    with pytest.raises(SettlementFileError, match="at most 7 lines"):
        lines_of(folder / name)


@EVERY
def test_any_byte_that_is_changed_is_refused_or_read(folder: Path, name: str) -> None:
    """Whatever a byte becomes: the lines are refused, or all of them are there."""
    path = folder / name
    content, expected = path.read_bytes(), len(lines_of(path))
    for place in range(0, len(content), 37):
        for other in (0, 0x20, 0x3C, 0x39, 0xFF):
            path.write_bytes(content[:place] + bytes([other]) + content[place + 1 :])
            _hash_anew_of(path, content)
            try:
                assert len(lines_of(path)) == expected
            except SettlementFileError as refused:
                assert refused.file.startswith(path.stem[:10])


def _hash_anew_of(path: Path, before: bytes) -> None:
    if path.suffix == ".csv":
        summary = path.with_suffix(".summary.csv")
        original = (SAMPLES / summary.name).read_text("utf-8")
        old = sha256(before).hexdigest()
        summary.write_text(original.replace(old, hash_of(path)), "utf-8")
