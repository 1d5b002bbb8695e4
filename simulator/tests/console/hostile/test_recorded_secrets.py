"""No secret that a person types is kept with what they do in the console."""

from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import urlencode

import pytest
import yaml
from msgspec.structs import replace

from simulator.adapters.console.recordings import FILE, STORIES_FILE
from simulator.domain.console.recording import Deed, found_in, storable_deed
from simulator.tests.console.test_recording import OWN_CARD, PAYMENT, root
from simulator.tests.console.test_stage import play
from simulator.tests.console.visitor import Visitor
from simulator.tests.kit.gateway import CONTROL_KEY, Gateway

DEED = Deed(
    at=datetime(2030, 1, 1, tzinfo=UTC), by="anna", say="x", method="GET", path="v1", status=200
)
__all__ = ["root"]


def typed_by(gateway: Gateway, text: str) -> str:
    """A text with the access token of a merchant, where it names one."""
    return text.replace("TOKEN", gateway.merchant.token)


def files_of(tmp_path: Path, root: str) -> str:
    """What is stored of recordings and stories."""
    data = tmp_path / "data"
    found = (data / root.split("/")[2] / FILE, data / STORIES_FILE)
    return "".join(path.read_text() for path in found if path.exists())


@pytest.mark.parametrize(
    ("text", "secret"),
    [
        ("t TOKEN", "TOKEN"),
        ("TOKEN", "TOKEN"),
        ("cvv: 739 abc", "cvv: 739"),
        (f"card {OWN_CARD}", OWN_CARD),
        (CONTROL_KEY, CONTROL_KEY),
    ],
)
def test_no_text_that_is_recorded_holds_a_secret(
    gateway: Gateway, anna: Visitor, root: str, tmp_path: Path, text: str, secret: str
) -> None:
    sent = {**PAYMENT, "v:merchantMemo": typed_by(gateway, text), "v:card.cvv": "123"}
    anna.post(f"{root}/workbench", sent)
    anna.post(f"{root}/recording/keep", {"title": "Kept"})

    pages = (anna.get(f"{root}/recording.yaml"), anna.get(f"{root}/workbench?again=0"))
    for found in (*(each.text for each in pages), files_of(tmp_path, root)):
        assert "merchantMemo" in found and typed_by(gateway, secret) not in found


def test_no_request_that_is_kept_holds_what_opens_a_receiver(
    anna: Visitor, root: str, tmp_path: Path
) -> None:
    anna.post(
        f"{root}/workbench", {**PAYMENT, "v:notificationUrl": "https://shop.example/x?k=op3n"}
    )
    anna.post(f"{root}/recording/keep", {"title": "Kept"})

    pages = (anna.get(f"{root}/recording.yaml"), anna.get(f"{root}/workbench?again=0"))
    for found in (*(each.text for each in pages), files_of(tmp_path, root)):
        assert "https://shop.example/x?***" in found and "op3n" not in found


@pytest.mark.parametrize("field", ["v:", "about", "more"])
@pytest.mark.parametrize("name", [OWN_CARD, "TOKEN", f"customParameters[{OWN_CARD}]"])
def test_the_workbench_takes_no_secret_for_a_name(
    gateway: Gateway, anna: Visitor, root: str, tmp_path: Path, field: str, name: str
) -> None:
    name = typed_by(gateway, name)
    fields = {"v:": {f"v:{name}": "x"}, "more": {"more": f"{name}=x"}}
    sent = {**PAYMENT, **fields.get(field, {"operation": "query_payment", "about": name})}

    for path in ("workbench", "workbench/check"):
        if (field, path) != ("about", "workbench/check"):
            answer = anna.post(f"{root}/{path}", sent)
            assert "got one" in answer.text and name not in answer.text
            assert answer.status_code == (200 if path.endswith("/check") else 400)
    assert name not in files_of(tmp_path, root)


@pytest.mark.parametrize("title", [OWN_CARD, f"card {OWN_CARD}", "TOKEN", f"key {CONTROL_KEY}"])
def test_a_title_that_is_a_secret_is_refused(
    gateway: Gateway, anna: Visitor, root: str, tmp_path: Path, title: str
) -> None:
    title = typed_by(gateway, title)
    anna.post(f"{root}/start", {"name": "pay"})

    assert anna.post(f"{root}/recording/keep", {"title": title}).status_code == 400
    assert anna.get(f"{root}/recording.yaml?{urlencode({'title': title})}").status_code == 400
    assert title not in anna.get("/console/lessons").text + files_of(tmp_path, root)


def test_a_code_in_a_title_is_masked(anna: Visitor, root: str) -> None:
    anna.post(f"{root}/start", {"name": "pay"})
    anna.post(f"{root}/recording/keep", {"title": "With cvv: 739"})
    assert "With cvv: ***" in anna.get("/console/lessons").text


def test_what_an_answer_says_in_secret_is_not_recorded(
    anna: Visitor, root: str, tmp_path: Path
) -> None:
    anna.get("/console/lessons")
    stage = anna.post("/console/lessons", {"story": "webhook-retries"}).headers["Location"]
    own = stage.removesuffix("/stage")
    anna.get(stage)
    anna.post(f"{own}/recording", {"deed": "begin"})
    for number in (1, 2):
        play(anna, stage, number)

    document = yaml.safe_load(anna.get(f"{own}/recording.yaml").text)

    assert document["steps"][0]["control"]["document"] == {"url": "inbox", "skip_activation": True}
    assert '"secret"' not in files_of(tmp_path, own)


@pytest.mark.parametrize(
    ("document", "expected"),
    [
        ({"match": {"number": "4200000000000000"}}, {"match": {"number": "4200000000000000"}}),
        ({"match": {"card.number": OWN_CARD}}, {"match": {"card.number": "4200000000000000"}}),
        ({"texts": [f"card {OWN_CARD}", "cvv: 739"], "times": 1}, None),
        ({"secret": "4711" * 16, OWN_CARD: "x", "url": "inbox"}, {"url": "inbox"}),
    ],
)
def test_documents_are_kept_without_secrets(
    document: dict[str, object], expected: dict[str, object] | None
) -> None:
    kept = storable_deed(replace(DEED, document=document)).document
    if expected is not None:
        assert kept == expected
    assert OWN_CARD not in repr(kept) and "739" not in repr(kept)


@pytest.mark.parametrize("name", ["apiToken", "accessKey", "jwt"])
def test_what_an_answer_has_under_a_secret_name_is_not_kept(name: str) -> None:
    body = {"id": "8a" * 16, "customParameters": {name: "zebra-quince-81-zebra"}}

    assert found_in(body) == {"id": "8a" * 16}


SECRET = "zebra-quince-81"


def test_what_repeats_a_secret_of_the_same_request_is_kept_and_shown_nowhere(
    anna: Visitor, root: str, tmp_path: Path
) -> None:
    more = f"customParameters[apiToken]={SECRET}\ncustomParameters[note]={SECRET}"
    memo = {"v:merchantMemo": f"by {SECRET}"}
    assert anna.post(f"{root}/workbench", {**PAYMENT, **memo, "more": more}).status_code == 200
    anna.post(f"{root}/recording/keep", {"title": "Kept"})

    pages = (anna.get(f"{root}/recording.yaml"), anna.get(f"{root}/workbench?again=0"))
    for found in (*(each.text for each in pages), files_of(tmp_path, root)):
        assert "by ***" in found and SECRET not in found


def test_what_an_answer_repeats_of_a_secret_is_masked_on_its_page(anna: Visitor, root: str) -> None:
    more = f"customParameters[apiToken]={SECRET}\ncustomParameters[note]=note {SECRET}"
    page = anna.post(f"{root}/workbench", {**PAYMENT, "more": more}).text
    assert "&#34;note ***&#34;" in page and f"&#34;note {SECRET}" not in page


@pytest.mark.parametrize("part", ["form", "query", "document"])
def test_a_deed_repeats_no_secret_of_its_request(part: str) -> None:
    sent = {"customParameters[apiToken]": SECRET, "note": f"n {SECRET}", f"x[{SECRET}]": "y"}
    found = {"note": f"said by {SECRET}", "id": "8a" * 16}
    named = {"path": f"v1/{SECRET}", "about": SECRET, "say": f"With {SECRET}.", "found": found}

    kept = storable_deed(replace(DEED, **{part: sent}, **named))

    assert getattr(kept, part) == {"note": "n ***"} and kept.found == {"id": "8a" * 16}
    assert SECRET not in repr(kept)


def test_no_list_under_a_secret_name_is_kept() -> None:
    numbers = {"card.number": ["4200000000000000"]}
    document = {"apiTokens": [SECRET], "notes": [f"n {SECRET}"], **numbers}
    kept = storable_deed(replace(DEED, document=document)).document
    assert kept == {"notes": ["n ***"], **numbers}


def test_what_an_answer_repeats_of_a_secret_is_not_kept() -> None:
    body = {"id": "8a" * 16, "customParameters": {"apiToken": SECRET, "note": f"n {SECRET}"}}
    assert found_in(body) == {"id": "8a" * 16}
