"""What people do in the console is recorded, and becomes a story that can be played."""

import re
from datetime import UTC, datetime
from pathlib import Path

import pytest
import yaml

from scenarios.story import read_story
from simulator.adapters.console.recordings import FILE
from simulator.client.wire import Answer
from simulator.derive.schemas.examples import EXAMPLES
from simulator.domain.console.recording import (
    DEEDS_MAX,
    Deed,
    Recording,
    found_in,
    record,
    storable,
    storable_deed,
)
from simulator.grammar.choices import PROFILES
from simulator.tests.console.test_stage import STORY, play, shown
from simulator.tests.console.visitor import Visitor, person_of
from simulator.tests.kit.gateway import Gateway
from simulator.tests.sandboxes.test_snapshots import made_in, restore, snapshot

# Passes the check of its last digit, and is on no list.
OWN_CARD = "4539578763621486"
PAYMENT = {
    "operation": "create_payment",
    "deed": "send",
    "v:paymentType": "PA",
    "v:amount": "92.00",
    "v:currency": "EUR",
    "v:paymentBrand": "VISA",
    "v:card.number": "4200000000000000",
    "v:card.holder": "Jane Jones",
    "v:card.expiryMonth": "05",
    "v:card.expiryYear": "2034",
    "v:card.cvv": "987",
}


@pytest.fixture
def root(anna: Visitor, sandbox: str) -> str:
    """Where the pages of the sandbox are; it records."""
    anna.get(f"/console/{sandbox}/stage")
    assert anna.post(f"/console/{sandbox}/recording", {"deed": "begin"}).status_code == 303
    return f"/console/{sandbox}"


def recorded(visitor: Visitor, root: str) -> dict[str, object]:
    """The document of the story."""
    saved = visitor.get(f"{root}/recording.yaml")
    assert saved.headers["content-disposition"] == 'attachment; filename="recording.yaml"'
    return dict(yaml.safe_load(saved.text))


def play_all(visitor: Visitor, stage: str, count: int) -> str:
    """The page at the end of a story that goes as it says."""
    for number in range(1, count):
        assert "Otherwise than" not in play(visitor, stage, number)
    visitor.post(f"{stage}/next")
    return shown(visitor, stage, lambda page: "The end." in page)


def test_what_a_trainer_does_becomes_a_story_that_is_played(anna: Visitor, root: str) -> None:
    anna.post(f"{root}/workbench", PAYMENT)
    payment = anna.get(f"{root}/payments").text.split('href="payments/')[1].split('"')[0]
    anna.act(f"{root}/payments/{payment}", {"type": "CP", "amount": "60.00"})
    anna.post(f"{root}/scripts", {"behaviour": "insufficient-funds", "times": "1"})
    anna.post(f"{root}/clock/advance", {"by": "1h"})
    anna.post(f"{root}/workbench", {**PAYMENT, "v:paymentType": "DB"})
    anna.post(f"{root}/start", {"name": "pay"})
    anna.post(f"{root}/recording", {"deed": "end"})
    anna.post(f"{root}/start", {"name": "pay"})

    document = recorded(anna, root)
    steps = read_story(document, "recording").steps

    assert [bool(each.call) for each in steps] == [True, True, False, False, True, True]
    assert steps[1].call is not None and steps[1].call.path == "v1/payments/{payment_1}"
    assert steps[4].expect is not None and steps[4].expect.code == "800.100.203"
    assert payment not in repr(document)

    moved = anna.post(f"{root}/recording/keep", {"title": "Insufficient funds"})
    page = anna.get(moved.headers["Location"]).text
    name = page.split('value="recorded-')[1].split('"')[0]
    assert "Insufficient funds" in page
    stage = anna.post("/console/lessons", {"story": f"recorded-{name}"}).headers["Location"]
    anna.get(stage)
    assert "Otherwise than" not in play_all(anna, stage, len(steps))
    saved = anna.get(f"/console/lessons/recorded-{name}/file").text
    assert yaml.safe_load(saved)["title"] == "Insufficient funds"
    assert anna.post(f"/console/lessons/recorded-{name}/remove").status_code == 303
    assert "Insufficient funds" not in anna.get("/console/lessons").text
    assert anna.get(f"/console/lessons/recorded-{name}/file").status_code == 404


def test_braces_that_were_typed_are_no_names_of_the_story(anna: Visitor, root: str) -> None:
    texts = ["a{b}c12345678901", "{shopper}", "{{amount_1}}"]
    for text in texts:
        answer = anna.post(
            f"{root}/workbench", {**PAYMENT, "more": f"merchantTransactionId={text}"}
        )
        assert answer.status_code == 200
    sent = [step["call"]["form"]["merchantTransactionId"] for step in recorded(anna, root)["steps"]]
    assert sent == ["a{brace}b}c12345678901", "{brace}shopper}", "{{brace}amount_1}}"]

    anna.post(f"{root}/recording", {"deed": "end"})
    moved = anna.post(f"{root}/recording/keep", {"title": "With braces"})
    page = anna.get(moved.headers["Location"]).text
    name = page.split('value="recorded-')[1].split('"')[0]
    stage = anna.post("/console/lessons", {"story": f"recorded-{name}"}).headers["Location"]
    anna.get(stage)
    assert "Otherwise than" not in play_all(anna, stage, len(texts))


def test_a_lesson_that_goes_otherwise_is_recorded_as_it_went(anna: Visitor) -> None:
    anna.get("/console/lessons")
    stage = anna.post("/console/lessons", {"story": STORY}).headers["Location"]
    root = stage.removesuffix("/stage")
    anna.get(stage)
    anna.post(f"{root}/recording", {"deed": "begin"})
    play(anna, stage, 1)
    anna.post(f"{stage}/back")
    anna.post(f"{stage}/stops", {"acquirer": "1"})
    anna.post(f"{stage}/next")
    page = shown(anna, stage, lambda text: "Held: " in text)
    held = page.split("/held/")[1].split('"')[0]
    anna.post(f"{root}/held/{held}", {"action": "answer", "answer": "lost-card"})
    shown(anna, stage, lambda text: "Otherwise than" in text)

    steps = read_story(recorded(anna, root), "recording").steps

    assert [bool(each.control) for each in steps] == [True, False]
    assert steps[0].control is not None and steps[0].control.document["behaviour"] == "lost-card"
    assert steps[1].expect is not None and steps[1].expect.code == "800.100.165"


def test_what_a_shopper_sent_is_recorded_as_of_the_shopper(anna: Visitor) -> None:
    anna.get("/console/lessons")
    stage = anna.post("/console/lessons", {"story": "abandoned-checkout"}).headers["Location"]
    root = stage.removesuffix("/stage")
    anna.get(stage)
    anna.post(f"{root}/recording", {"deed": "begin"})
    play(anna, stage, 1)
    assert "(shopper to gateway)" in play(anna, stage, 2)

    steps = read_story(recorded(anna, root), "recording").steps

    assert [each.call and each.call.by for each in steps] == ["merchant", "shopper"]
    moved = anna.post(f"{root}/recording/keep", {"title": "Paid by form"})
    name = anna.get(moved.headers["Location"]).text.split('value="recorded-')[1].split('"')[0]
    again = anna.post("/console/lessons", {"story": f"recorded-{name}"}).headers["Location"]
    anna.get(again)
    assert "(shopper to gateway)" in play_all(anna, again, len(steps))


def test_no_card_number_of_a_person_is_kept(
    gateway: Gateway, anna: Visitor, root: str, tmp_path: Path
) -> None:
    page = anna.post(f"{root}/workbench", {**PAYMENT, "v:card.number": OWN_CARD}).text
    assert "Answer 200" in page
    copies = page.partition("The same request")[2]
    kept = (tmp_path / "data" / root.split("/")[2] / FILE).read_text()
    for text in (copies, kept, anna.get(f"{root}/recording.yaml").text):
        assert "4200000000000000" in text
        assert OWN_CARD not in text
        assert not re.search(r"cvv\W{1,8}987", text)


@pytest.mark.parametrize(
    ("sent", "expected"),
    [
        ({"card.number": OWN_CARD}, {"card.number": "4200000000000000"}),
        ({"card.number": OWN_CARD, "paymentBrand": "MASTER"}, {"card.number": "5454545454545454"}),
        ({"card.number": "5200000000000015"}, {"card.number": "5200000000000015"}),
        ({"card.cvv": "9876"}, {"card.cvv": "1234"}),
        ({"customParameters[note]": f"card {OWN_CARD}"}, None),
        ({"threeDSecure.token": "secret", "amount": "1.00"}, None),
    ],
)
def test_published_test_values_stay_and_others_give_way(
    sent: dict[str, str], expected: dict[str, str] | None
) -> None:
    found = storable(sent)
    if expected is not None:
        assert {name: found[name] for name in expected} == expected
    assert OWN_CARD not in repr(found) and "'secret'" not in repr(found)


@pytest.mark.parametrize("identity", EXAMPLES)
def test_examples_are_kept_as_they_are(identity: str) -> None:
    for example in EXAMPLES[identity].values():
        kept = {**example.sent, **({"card.cvv": "1234"} if "card.cvv" in example.sent else {})}
        assert storable(example.sent) in (kept, example.sent)


def test_a_document_keeps_no_secret_that_is_a_number() -> None:
    document = {"cvv": 739, "n": int(OWN_CARD), "times": 3, "steps": {"pin": 1234, "on": True}}
    deed = Deed(
        at=datetime(2030, 1, 1, tzinfo=UTC), by="a", say="x", method="POST", path="scripts",
        status=201, document=document, is_control=True,
    )  # fmt: skip
    assert storable_deed(deed).document == {"times": 3, "steps": {"on": True}}


def test_a_recording_has_a_limit() -> None:
    deed = Deed(
        at=datetime(2030, 1, 1, tzinfo=UTC), by="anna", say="x", method="GET", path="v1", status=200
    )
    recording = Recording(is_on=True)
    for _ in range(DEEDS_MAX + 5):
        recording = record(recording, deed)
    assert len(recording.deeds) == DEEDS_MAX and recording.is_full
    assert record(Recording(), deed) == Recording()


@pytest.mark.parametrize("title", ["", " ", "x" * 81, "a\0b"])
def test_a_title_is_short_and_can_be_read(anna: Visitor, root: str, title: str) -> None:
    anna.post(f"{root}/start", {"name": "pay"})
    assert anna.post(f"{root}/recording/keep", {"title": title}).status_code == 400


def test_without_a_deed_there_is_no_story_and_an_operator_keeps_none(
    gateway: Gateway, anna: Visitor, root: str
) -> None:
    assert anna.get(f"{root}/recording.yaml").status_code == 400
    assert anna.post(f"{root}/recording", {"deed": "erase"}).status_code == 400
    operator = person_of(gateway, "operator", "olga")
    operator.get(f"{root}/stage")
    operator.post(f"{root}/start", {"name": "pay"})
    assert operator.get(f"{root}/recording.yaml").status_code == 200
    assert operator.post(f"{root}/recording/keep", {"title": "Mine"}).status_code == 403


def test_the_workbench_remembers_what_was_sent(anna: Visitor, root: str) -> None:
    anna.post(f"{root}/workbench", {**PAYMENT, "v:amount": "17.31"})
    page = anna.get(f"{root}/workbench").text
    assert "Sent before" in page and "17.31 EUR" in page
    again = anna.get(f"{root}/workbench?again=0&operation=create_payment").text
    assert 'name="v:amount" value="17.31"' in again
    assert anna.get(f"{root}/workbench?again=50").status_code == 200


def test_the_workbench_of_a_restored_sandbox_remembers_nothing(
    gateway: Gateway, anna: Visitor
) -> None:
    identity, _ = made_in(gateway)
    taken = snapshot(gateway, identity).content
    bench = f"/console/{identity}/workbench"
    anna.get(bench)
    anna.post(bench, {**PAYMENT, "v:amount": "17.31"})
    assert "17.31 EUR" in anna.get(bench).text
    gateway.control("DELETE", f"/sandboxes/{identity}")
    assert restore(gateway, taken).status_code == 201

    assert "17.31 EUR" not in anna.get(bench).text
    anna.post(bench, {**PAYMENT, "v:amount": "17.32"})
    page = anna.get(bench).text
    assert "17.31 EUR" not in page and "17.32 EUR" in page


NAMES = ["my.order.ref", "my_order.ref", "my.order_ref", "my_order_ref"]


@pytest.mark.parametrize("profile", PROFILES)
def test_what_stands_under_a_name_with_dots_is_named_in_later_steps(
    gateway: Gateway, anna: Visitor, profile: str
) -> None:
    made = gateway.control("POST", "/sandboxes", {"profile": profile}).json["id"]
    root = f"/console/{made}"
    anna.get(f"{root}/stage")
    anna.post(f"{root}/recording", {"deed": "begin"})
    values = {name: f"ORDER-2026-ABCDEFG{number}" for number, name in enumerate(NAMES)}
    more = "\n".join(f"customParameters[{name}]={value}" for name, value in values.items())
    for _ in range(2):
        assert anna.post(f"{root}/workbench", {**PAYMENT, "more": more}).status_code == 200

    moved = anna.post(f"{root}/recording/keep", {"title": "With dots"})
    name = anna.get(moved.headers["Location"]).text.split('value="recorded-')[1].split('"')[0]
    stage = anna.post("/console/lessons", {"story": f"recorded-{name}"}).headers["Location"]
    anna.get(stage)
    assert "Otherwise than" not in play_all(anna, stage, 2)

    journal = gateway.control("GET", f"/sandboxes/{stage.split('/')[2]}/journal").json["entries"]
    sent = [each["request"] for each in journal if each.get("method") == "POST"]
    assert len(sent) == 2
    for request in sent:
        assert {each: request[f"customParameters[{each}]"] for each in NAMES} == values


@pytest.mark.parametrize("name", ["a.b", "customParameters[a.b]", 'a"b', "a[b", "a]b", "a\\b", ""])
def test_what_an_answer_has_under_any_name_is_found_again(name: str) -> None:
    body = {"match": {name: {"x": "ORDER-2026-ABCDEFG"}}}
    (path,) = found_in(body)
    assert Answer(200, {}, body).at(path) == "ORDER-2026-ABCDEFG"


def test_a_secret_of_a_request_that_is_a_name_of_the_answer_is_not_kept() -> None:
    secret = 'zebra"]quince-81'
    found = found_in({"match": {secret: "ORDER-2026-ABCDEFG"}})
    deed = Deed(
        at=datetime(2030, 1, 1, tzinfo=UTC), by="a", say="x", method="POST", path="scripts",
        status=201, document={"apiToken": secret}, is_control=True, found=found,
    )  # fmt: skip
    assert found and not storable_deed(deed).found
