"""`sandgate demo`: every story holds, and an error in one names its step."""

import os
import pty
import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from scenarios.story import FORM_PATH, literal_text, load_story, stories
from simulator.tests.kit.running import clean_environment

SECONDS_MAX = 60
NAMES = list(stories())
# What libraries say of a document, in words that no author of a story knows.
FOREIGN = re.compile(r"`|\$|Errno|\b(Expected|Object|Invalid|str|int|enum|array)\b")
SECRETS = ("4200000000000000", "4200000000000018", "Bearer ", "cvv = 123")
GOOD = {
    "say": "A payment.",
    "call": {"path": "v1/payments", "form": {"paymentType": "DB"}},
    "expect": {"status": 400, "code": "200.300.404"},
}


def command_of(*arguments: str) -> list[str]:
    return [sys.executable, "-P", "-m", "simulator", "demo", *arguments]


def environment_in(folder: Path) -> dict[str, str]:
    return {**clean_environment(), "TMPDIR": str(folder), "COLUMNS": "100"}


def run_demo(folder: Path, *arguments: str) -> subprocess.CompletedProcess:
    return subprocess.run(
        command_of(*arguments),
        cwd=folder, env=environment_in(folder), stdin=subprocess.DEVNULL,
        capture_output=True, text=True, timeout=SECONDS_MAX,
    )  # fmt: skip


def a_story(folder: Path, *steps: object) -> str:
    path = folder / "own.yaml"
    path.write_text(yaml.safe_dump({"title": "Own", "about": "For a test.", "steps": [*steps]}))
    return str(path)


def test_seven_stories_are_shipped_and_listed_with_their_titles(tmp_path):
    listed = run_demo(tmp_path).stdout

    assert NAMES == [
        "3ds-challenge", "abandoned-checkout", "first-payment", "lost-answer", "refund-too-much",
        "settlement", "webhook-retries",
    ]  # fmt: skip
    assert [line.split()[0] for line in listed.splitlines()] == NAMES
    assert all(load_story(path).title in listed for path in stories().values())


MESSAGES = {
    "first-payment": {
        "merchant -> gateway: DB 92.00 EUR": 2, "gateway -> merchant: 400 800.100.203": 1,
    },
    "3ds-challenge": {"gateway -> directory server: AReq": 1, "RReq Y": 2, "CRes Y": 1},
    # The second payment looks like the first, and is shown all the same.
    "lost-answer": {"gateway -> acquirer: 0200": 2, "gateway -> acquirer: 0400": 1},
    # What was shown is not shown again with the next refund.
    "refund-too-much": {
        "merchant -> gateway: DB 92.00 EUR": 1, "gateway -> acquirer: RF 60.00 EUR": 1,
        "merchant -> gateway: RF 60.00 EUR": 2,
    },
    "settlement": {"/reports/v2/reconciliations/aggregations/2030-03-01.sandgate-clearing.": 1},
    "webhook-retries": {
        "09:00:00.000  gateway -> webhook endpoint: PAYMENT CREATED": 1,
        "09:01:00.000  gateway -> webhook endpoint: PAYMENT CREATED, attempt 2": 1,
    },
    # The card goes from the shopper to the gateway, past the merchant.
    "abandoned-checkout": {
        "shopper -> gateway: pays by form VISA": 1, "gateway -> shopper: 200 000.100.110": 1,
        "09:29:00.000  gateway -> webhook endpoint: shopperResultUrl": 1,
    },
}  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
def test_every_story_ends_as_it_is_written(name, tmp_path):
    story = load_story(stories()[name])

    ran = run_demo(tmp_path, name, "--fast")

    assert (ran.returncode, ran.stderr) == (0, "")
    expected = [step for step in story.steps if step.expect]
    assert ran.stdout.count("as expected") == len(expected)
    for number, step in enumerate(story.steps, 1):
        assert f"{number}. {step.say.split()[0]}" in ran.stdout
        assert step.expect is None or step.expect.code in ran.stdout
    assert ran.stdout.count("shop receives GET /done?id=") == sum(
        step.received for step in story.steps
    )
    shown = {message: ran.stdout.count(message) for message in MESSAGES[name]}
    assert shown == MESSAGES[name]
    assert "\x1b" not in ran.stdout
    assert [secret for secret in SECRETS if secret in ran.stdout] == []
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(("change", "said"), [
    ({"expect": {"status": 200}}, "step 2: status: expected '200', got '400'"),
    ({"expect": {"status": 400, "code": "000.100.110"}}, "step 2: code: expected '000.100.110'"),
    ({"expect": {"status": 400, "at": {"amount": "1.00"}}}, "step 2: amount: expected '1.00'"),
    ({"keep": {"payment": "nowhere"}}, "step 2: keep.payment: expected a member nowhere"),
    ({"call": {"path": "v1/payments/{paymnt}"}},
     "step 2: this step needs {paymnt}, which no step before it gives; given so far: shop; a brace "
     "that names nothing is written {brace}"),
    ({"call": {"path": "http://127.0.0.1:1"}},
     "step 2: expected an answer of http://127.0.0.1:1/, got: connection refused"),
    ({"call": {"path": "http://here:there/"}}, "step 2: "),
    ({"show": "unknown"}, "step 2: "),
    ({"show": "{paymnt}"}, "step 2: this step needs {paymnt}, which no step before it gives"),
])  # fmt: skip
def test_what_comes_otherwise_ends_it_with_status_1(change, said, tmp_path):
    ran = run_demo(tmp_path, a_story(tmp_path, GOOD, {**GOOD, **change}))

    assert ran.returncode == 1
    assert said in ran.stderr
    assert "Traceback" not in ran.stderr


@pytest.mark.parametrize(("written", "got"), [
    ("a{brace}b}c", "a{b}c"),
    ("{brace}shop}", "{shop}"),
    ("{brace}brace}", "{brace}"),
    ('{"a": {"b": 1}}', '{"a": {"b": 1}}'),
])  # fmt: skip
def test_a_brace_can_be_written_that_names_nothing(written, got, tmp_path):
    form = {
        "paymentType": "PA", "amount": "1.00", "currency": "EUR", "card.number": "4200000000000000",
        "card.expiryMonth": "05", "card.expiryYear": "2034", "descriptor": written,
    }  # fmt: skip
    expect = {"status": 200, "at": {"descriptor": written}}
    step = {"say": "A payment.", "call": {"path": "v1/payments", "form": form}, "expect": expect}

    ran = run_demo(tmp_path, a_story(tmp_path, step))

    assert (ran.returncode, ran.stderr) == (0, "")
    assert f"descriptor = {got}\n" in ran.stdout
    assert literal_text(got) == (written if "{brace" in written else got)


@pytest.mark.parametrize(("step", "said"), [
    ({**GOOD, "wait": 5}, "wait"),
    ({"say": "A payment.", "call": GOOD["call"]}, "step 2: expect: expected what has to come"),
    ({**GOOD, "control": GOOD["call"]}, "expected one of call, control, received"),
    ({"say": "Nothing.", "expect": {"status": 200}}, "expected call or control"),
    ({"say": 5}, 'step 2: say: expected a text in quotes, such as "92.00", got a number\n'),
    ({**GOOD, "kep": {}}, "kep: expected one of say, call, control, received, expect, keep, show "
     "(nearest: keep), got unknown field 'kep'\n"),
    ({**GOOD, "expect": {"status": 200, "code": 0.1}}, "expect.code: expected a text in quotes"),
    ({**GOOD, "call": {"path": "v1/payments", "form": {"card.number": 4200000000000000}}},
     'call.form.card.number: expected a text in quotes, such as "92.00", got a number\n'),
    ({**GOOD, "call": {"paht": "v1/payments"}}, "call.paht: expected one of path, method, by, "
     "form, query, document (nearest: path), got unknown field 'paht'\n"),
    ({**GOOD, "call": "4200000000000000"}, "call: expected a mapping, got '420000******0000'\n"),
    ({**GOOD, "call": {**GOOD["call"], "by": "shopper"}},
     "call.by: expected shopper at a call to v1/checkouts/ID/payment"),
    ({**GOOD, "call": {**GOOD["call"], "by": "acquirer"}},
     "call.by: expected one of merchant, shopper, got 'acq"),
    ("a text", "step 2: expected a mapping, got 'a text'\n"),
])  # fmt: skip
def test_a_broken_story_ends_with_status_2_and_names_file_and_step(step, said, tmp_path):
    ran = run_demo(tmp_path, a_story(tmp_path, GOOD, step))

    assert (ran.returncode, ran.stdout) == (2, "")
    assert "own.yaml: step 2: " in ran.stderr
    assert said in ran.stderr
    assert not FOREIGN.search(ran.stderr)


@pytest.mark.parametrize(("text", "said"), [
    ("steps: [", "own.yaml: expected YAML"),
    ("- a list", "own.yaml: document: expected a mapping"),
    ("title: T\nabout: A\n", "own.yaml: steps: expected a value, got nothing"),
    ("title: T\nabout: A\nsteps: []\n", "own.yaml: steps: expected at least one step"),
])  # fmt: skip
def test_a_file_that_is_no_story_ends_with_status_2(text, said, tmp_path):
    (tmp_path / "own.yaml").write_text(text)

    ran = run_demo(tmp_path, "own.yaml")

    assert ran.returncode == 2
    assert said in ran.stderr


@pytest.mark.parametrize("name", NAMES)
def test_the_card_of_a_checkout_does_not_pass_the_merchant(name):
    calls = [step.call for step in load_story(stories()[name]).steps if step.call]

    assert [call.path for call in calls if FORM_PATH.fullmatch(call.path)
            and call.method == "POST" and call.by != "shopper"] == []  # fmt: skip


def test_a_checkout_that_cannot_be_paid_is_named(tmp_path):
    call = {"path": "v1/checkouts/none/payment", "by": "shopper", "form": {"paymentBrand": "VISA"}}

    ran = run_demo(tmp_path, a_story(tmp_path, {**GOOD, "call": call}))

    assert ran.returncode == 1
    assert "step 1: expected a checkout that can be paid, got status 404 for its form" in ran.stderr


def test_what_a_name_says_is_secret_is_not_shown(tmp_path):
    form = {"paymentType": "DB", "customParameters[tan]": "928374"}

    shown = run_demo(
        tmp_path, a_story(tmp_path, {**GOOD, "call": {"path": "v1/payments", "form": form}})
    )

    assert shown.returncode == 0
    assert "customParameters[tan] = ***" in shown.stdout
    assert "928374" not in shown.stdout


@pytest.mark.parametrize("part", ["form", "query"])
def test_what_repeats_a_secret_of_its_request_is_not_shown(tmp_path, part):
    sent = {"customParameters[tan]": "928374", "customParameters[note]": "is 928374"}
    form = {"paymentType": "DB", **(sent if part == "form" else {})}
    call = {"path": "v1/payments", "form": form, "query": {} if part == "form" else sent}
    at = {"customParameters.note": "another 928374"}
    story = a_story(tmp_path, {**GOOD, "call": call, "expect": {"status": 200, "at": at}})

    ran = run_demo(tmp_path, story)

    assert ran.returncode == 1 and "***" in ran.stdout + ran.stderr
    assert "928374" not in ran.stdout + ran.stderr


def test_a_sandbox_that_cannot_be_made_ends_with_status_2(tmp_path):
    path = Path(a_story(tmp_path, GOOD))
    path.write_text(path.read_text() + "sandbox: {seed: seven}\n")

    ran = run_demo(tmp_path, str(path))

    assert ran.returncode == 2
    assert "own.yaml: sandbox: " in ran.stderr
    assert "Traceback" not in ran.stderr


def test_an_unknown_story_ends_with_status_2_and_the_nearest(tmp_path):
    ran = run_demo(tmp_path, "first-paymnt")

    assert ran.returncode == 2
    assert "(nearest: first-payment), got 'first-paymnt'" in ran.stderr
    assert run_demo(tmp_path, "nowhere.yaml").returncode == 2


def at_a_terminal(folder: Path, *arguments: str, keys: bytes) -> subprocess.CompletedProcess:
    ours, theirs = pty.openpty()
    try:
        os.write(ours, keys)
        return subprocess.run(
            command_of(a_story(folder, GOOD, GOOD), *arguments),
            cwd=folder, env=environment_in(folder), stdin=theirs,
            capture_output=True, text=True, timeout=SECONDS_MAX,
        )  # fmt: skip
    finally:
        os.close(ours)
        os.close(theirs)


def test_at_a_terminal_each_step_waits_for_enter(tmp_path):
    ran = at_a_terminal(tmp_path, keys=b"\n\n")

    assert (ran.returncode, ran.stdout.count("[Enter]")) == (0, 2)


def test_fast_waits_for_nothing(tmp_path):
    ran = at_a_terminal(tmp_path, "--fast", keys=b"")

    assert (ran.returncode, ran.stdout.count("[Enter]")) == (0, 0)


def test_a_story_fits_a_terminal_of_eighty_columns(tmp_path):
    environment = {**environment_in(tmp_path), "COLUMNS": "80"}
    ran = subprocess.run(
        command_of("3ds-challenge", "--fast"), cwd=tmp_path, env=environment,
        stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=SECONDS_MAX,
    )  # fmt: skip

    assert ran.returncode == 0, ran.stderr
    assert [line for line in ran.stdout.splitlines() if len(line) > 80] == []
    assert "Merchant in Integrator\n       Test Mode" in ran.stdout
