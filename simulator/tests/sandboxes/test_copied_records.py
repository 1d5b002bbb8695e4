"""Each kind of record has its rule for copies of a sandbox, and so has what may lead out of one."""

import re
from datetime import UTC, datetime
from typing import Any, get_args, get_type_hints

import msgspec
import pytest
from msgspec.structs import replace

from simulator.adapters.ids import RandomIds
from simulator.adapters.store.copies import changed_body
from simulator.adapters.store.kinds import KINDS, SERVER_RECORDS, codecs
from simulator.adapters.vault import KeyVault
from simulator.domain.acquiring.host_entries import LostRequest
from simulator.domain.acquiring.messages import message_of, reversal_of, route_in, terminal_of
from simulator.domain.acquiring.requests import AcquirerRequest
from simulator.domain.copied_records import COPIED, along
from simulator.domain.copies import CopyDefaults, SandboxCopy, decide_copy
from simulator.domain.core.entities import Sandbox
from simulator.domain.core.errors import InvalidInputError
from simulator.domain.core.money import Money
from simulator.domain.core.records import PaymentType
from simulator.domain.settlement.blocks import SettledBlock, block_of, unpacked
from simulator.domain.three_d_secure.authentications import Authentication, AuthenticationStage
from simulator.tests.kit.making import a_context
from simulator.tests.settlement.test_csv_files import SALE

AT = datetime(2026, 1, 1, tzinfo=UTC)
LEADS = re.compile("url|address|secret|seal|password|token|capabilit|key|sent|redirect|due")
# What goes along though its name says that it may lead out of a copy, or is done there later.
HARMLESS = {
    "Awaited.due": "the payment ends in the copy alone",
    "CardEntry.redirects": "says that the page of the copy asks the shopper",
    "Execution.due": "the payment is made in the copy alone",
    "Movement.due": "an authorization lapses at the card host of the sandbox",
    "Return.due": "the chargeback is booked in the copy alone",
    "SettlementDue.due": "the files of the copy are its own",
    "SettlementRun.keys": "names of settlements, not secrets",
    "Terminal.keys": "ids of keys",
    "TerminalKeys.sealed": "opens with the key of both; a terminal pays by a token besides",
}


def a_copy() -> tuple[Sandbox, SandboxCopy]:
    """A sandbox, and a copy of it."""
    was = a_context().ports.sandbox
    return was, decide_copy(was, 7, CopyDefaults(RandomIds(), KeyVault(bytes(32)), AT))


def structs_in(hint: Any) -> list[type]:
    """The structures that a type is made of."""
    if isinstance(hint, type) and issubclass(hint, msgspec.Struct):
        return [hint]
    return [each for part in get_args(hint) for each in structs_in(part)]


def fields_of(kind: type) -> set[str]:
    """The names of the fields of a record, and of what stands in it."""
    hints = get_type_hints(kind)
    names = set(kind.__struct_fields__)
    for hint in hints.values():
        for each in structs_in(hint):
            names |= fields_of(each)
    return names


def test_each_kind_of_record_of_a_sandbox_has_its_rule() -> None:
    assert set(COPIED) == {kind.record for kind in KINDS} - set(SERVER_RECORDS)


def test_nothing_that_leads_out_of_a_copy_goes_along_undecided() -> None:
    found = {
        f"{kind.__name__}.{name}"
        for kind, rule in COPIED.items()
        if rule is along
        for name in fields_of(kind)
        if LEADS.search(name)
    }
    assert found == set(HARMLESS)


def test_every_secret_of_a_copied_sandbox_is_a_new_one() -> None:
    was, copy = a_copy()
    secrets = {name for name in fields_of(Sandbox) if LEADS.search(name) and "keys" not in name}
    assert secrets == {"key_sealed", "control_key_hash", "control_key_sealed", "sealed", "tokens",
                       "password"}  # fmt: skip
    for name in ("id", "psp", "division", "key_sealed", "control_key_hash", "control_key_sealed"):
        assert getattr(copy.sandbox, name) != getattr(was, name)
    for before, after in zip(was.merchants, copy.sandbox.merchants, strict=True):
        assert after.id != before.id and after.sftp is None
        assert {each.hash for each in after.tokens}.isdisjoint(each.hash for each in before.tokens)


def test_the_reversal_of_a_lost_request_names_the_copy() -> None:
    was, copy = a_copy()
    channel = was.merchants[0].channels[0].id
    ask = AcquirerRequest(
        type=PaymentType.DB, payment="8" * 32, entity=channel, trace=7,
        money=Money(92, "EUR"), brand="VISA",
    )  # fmt: skip
    message = reversal_of(message_of(ask, was.id, at=AT, currency="978"), "0400")
    lost = LostRequest(id="8" * 32, due=AT, message=message)

    after = copy.changes[LostRequest](lost).message

    route, own = route_in(after), copy.sandbox.merchants[0].channels[0].id
    assert (route.sandbox, route.entity, route.payment) == (copy.sandbox.id, own, "8" * 32)
    assert after["41"] == terminal_of(copy.sandbox.id, own)
    assert after["42"] == own[:15]
    assert {**after, **dict.fromkeys(("41", "42", "60"))} == {
        **message, **dict.fromkeys(("41", "42", "60")),
    }  # fmt: skip


@pytest.mark.parametrize(
    ("stage", "ends", "expected"),
    [
        ("passed", {"answered": "Y", "returned": "Y"}, "passed"),
        # As earlier builds left one whose payment had gone on to the acquirer.
        ("answered", {"answered": "Y", "returned": "Y"}, "passed"),
        ("answered", {}, "passed"),
        ("answered", {"answered": "Y"}, "method"),
        ("challenge", {"returned": "Y"}, "method"),
        ("challenge", {}, "method"),
        ("method", {}, "method"),
    ],
)
def test_an_authentication_is_begun_anew_unless_it_is_over(
    stage: str, ends: dict[str, str], expected: str
) -> None:
    known = Authentication(
        id="8" * 32, stage=AuthenticationStage(stage), server_id="s", secret="s",
        message_version="2.2.0", **ends,
    )  # fmt: skip
    assert a_copy()[1].changes[Authentication](known).stage == expected


def test_a_sandbox_with_a_record_that_cannot_be_read_is_not_copied() -> None:
    _, copy = a_copy()
    change = (codecs()[LostRequest].read, copy.changes[LostRequest])
    lost = LostRequest(id="8" * 32, due=AT, message={"60": "zz", "t": "0400"})

    with pytest.raises(InvalidInputError, match="records that can be copied"):
        changed_body(msgspec.json.encode((1, lost)), change)


def test_what_is_packed_in_a_block_of_settlement_names_the_copy() -> None:
    was, copy = a_copy()
    line = replace(SALE, to=replace(SALE.to, merchant=was.merchants[0].id))
    block = block_of("run", 1, SALE.to.merchant_account, [line])

    (after,) = unpacked(copy.changes[SettledBlock](block).packed)

    assert after.to.merchant == copy.sandbox.merchants[0].id
    assert replace(after, to=line.to) == line
