"""Steps about files of bank days that are pushed to a server of the merchant's own."""

from collections.abc import Iterator
from pathlib import Path

from pytest_bdd import given, parsers, then, when

from features.steps.simulators.clock import SPAN, parse_span
from features.support.assertions import NO_ANSWER, Judge
from features.support.merchant_server import MerchantServer, serving_merchant
from features.support.settlement import SettledMerchant


@given(
    parsers.re(r"the merchant has a server of its own(?P<shut> that lets in no one)?"),
    target_fixture="own_server",
)
def open_own_server(
    settled: SettledMerchant, tmp_path: Path, shut: str | None
) -> Iterator[MerchantServer]:
    with serving_merchant(tmp_path / "own") as server:
        server.is_open = shut is None
        merchant = settled.merchant
        settled.control.set_push_target(merchant.sandbox, merchant.entity, **server.target)
        yield server


@given("its server lets the gateway in again")
def let_in(settled: SettledMerchant, own_server: MerchantServer) -> None:
    settled.control.drain(settled.merchant.sandbox)
    own_server.is_open = True


@when("its files are pushed again")
def push_again(settled: SettledMerchant) -> None:
    for run in settled.runs:
        settled.control.push_again(settled.merchant.sandbox, run["id"])


@when(parsers.re(rf"{SPAN} pass(es)? for its files"))
def pass_time(settled: SettledMerchant, span: str) -> None:
    settled.pass_time(parse_span(span))


@then("its server has the file as it is fetched, and nothing else but its digest")
def has_file(settled: SettledMerchant, own_server: MerchantServer, judge: Judge) -> None:
    settled.control.drain(settled.merchant.sandbox)
    (fetched,) = settled.files
    came = own_server.files
    expected = {fetched.name: fetched.read_bytes()}
    same = {name: came.get(name) for name in expected}
    judge.holds("the file", NO_ANSWER, same == expected, expected=f"{fetched.name} as fetched",
                came=", ".join(came))  # fmt: skip
    others = {*came} - {fetched.name}
    judge.same("other files", NO_ANSWER, expected={f"{fetched.name}.sha256"}, came=others)


@then("its server has no file")
def has_none(settled: SettledMerchant, own_server: MerchantServer, judge: Judge) -> None:
    settled.control.drain(settled.merchant.sandbox)
    judge.same("files", NO_ANSWER, expected=[], came=[*own_server.files])
