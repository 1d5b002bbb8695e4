"""Pages of checkouts, registrations and ledger entries, payments by the last digits of a card, the
journal as it goes on, and what a trainer may act on.
"""

import re
from pathlib import Path
from time import monotonic

import gevent
import pytest

from simulator.adapters.console.stages import StageBoard
from simulator.adapters.journal import MemoryJournal
from simulator.adapters.store.files import LocalDisk
from simulator.service.console import lists
from simulator.tests.console.visitor import Visitor, person_of
from simulator.tests.kit.event_loop import looks_during
from simulator.tests.kit.gateway import Gateway

CHECKOUT = {"amount": "92.00", "currency": "EUR", "paymentType": "DB"}
OTHER_CARD = {"paymentBrand": "MASTER", "card.number": "5555555555554444"}
NEWEST = re.compile(r'data-newest="(\d+)"')


@pytest.fixture
def root(sandbox: str) -> str:
    """Where the pages of the sandbox are."""
    return f"/console/{sandbox}"


def test_checkouts_are_listed_with_their_stages(gateway: Gateway, anna: Visitor, root: str) -> None:
    whole = {"entityId": gateway.merchant.entity_id, **CHECKOUT}
    first, second = (gateway.send("/v1/checkouts", whole).json["id"] for _ in range(2))
    clock = f"{root.replace('/console', '/sandboxes')}/clock/advance"
    gateway.control("POST", clock, {"by": "31m"})

    page = anna.get(f"{root}/checkouts").text

    assert page.index(second) < page.index(first)
    assert page.count("unpaid") == 2 and page.count(">over<") == 2


def test_registrations_show_what_is_stored_and_what_was_removed(
    gateway: Gateway, anna: Visitor, root: str
) -> None:
    stored = gateway.post(createRegistration="true").json["registrationId"]
    removed = gateway.post(createRegistration="true").json["registrationId"]
    gateway.client.simulate_delete(
        f"/v1/registrations/{removed}",
        params={"entityId": gateway.merchant.entity_id},
        headers={"Authorization": f"Bearer {gateway.merchant.token}"},
    )

    page = anna.get(f"{root}/registrations").text

    assert stored in page and removed in page and "4200000000000000" not in page
    assert page.count("<td>stored</td>") == 1 and page.count("<td>removed ") == 1


def test_the_ledger_has_pages(
    gateway: Gateway, anna: Visitor, root: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lists, "PAGE_LENGTH", 2)
    made = [gateway.post().json["id"] for _ in range(3)]

    first, second = (anna.get(f"{root}/ledger?page={page}").text for page in (1, 2))

    assert made[2] in first and made[0] not in first
    assert made[0] in second and made[2] not in second


def test_four_digits_find_the_payments_of_a_card(
    gateway: Gateway, anna: Visitor, root: str
) -> None:
    other = gateway.post(**OTHER_CARD).json["id"]
    sale = gateway.post().json["id"]

    found = anna.get(f"{root}/search?q=4444")

    page = anna.get(found.headers["Location"]).text
    assert other in page and sale not in page


def test_older_payments_are_looked_through_on_request(
    gateway: Gateway, anna: Visitor, root: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lists, "LOOKED_MAX", 2)
    oldest = gateway.post(**OTHER_CARD).json["id"]
    for _ in range(2):
        gateway.post()

    first = anna.get(f"{root}/payments?digits=4444").text
    (onward,) = re.findall(r'rel="next" href="([^"]+)"', first)
    second = anna.get(f"{root}/payments{onward.replace('&amp;', '&')}").text

    assert oldest not in first and "None among the newest 2" in first
    assert oldest in second and 'rel="next"' not in second


def test_of_many_payments_of_a_card_the_newest_are_shown_and_the_rest_on_request(
    gateway: Gateway, anna: Visitor, root: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lists, "PAGE_LENGTH", 2)
    made = [gateway.post().json["id"] for _ in range(3)]

    first = anna.get(f"{root}/payments?digits=0000").text
    (onward,) = re.findall(r'rel="next" href="([^"]+)"', first)
    second = anna.get(f"{root}/payments{onward.replace('&amp;', '&')}").text

    assert [each in first for each in made] == [False, True, True]
    assert [each in second for each in made] == [True, False, False]


def test_digits_that_are_refused_show_no_part_of_a_card(anna: Visitor, root: str) -> None:
    refused = anna.get(f"{root}/payments?digits=4012001037141112")
    assert refused.status_code == 400
    assert "40120010" not in refused.text and "16 characters" in refused.text


@pytest.mark.parametrize("digits", ["44", "44445", "44a4", "٤٤٤٤"])
def test_other_than_four_digits_are_refused(anna: Visitor, root: str, digits: str) -> None:
    assert anna.get(f"{root}/payments?digits={digits}").status_code == 400


def test_the_journal_answers_as_soon_as_there_is_more(
    gateway: Gateway, anna: Visitor, root: str
) -> None:
    gateway.post()
    newest = NEWEST.findall(anna.get(f"{root}/journal").text)[0]
    waiting = gevent.spawn(anna.get, f"{root}/journal/now?after={newest}")
    gevent.sleep(0)
    assert not waiting.ready()

    began = monotonic()
    ndc = gateway.post().json["ndc"]
    part = waiting.get(timeout=5)

    assert ndc[-12:] in part.text and monotonic() - began < 5
    assert int(NEWEST.findall(part.text)[0]) > int(newest)


@pytest.mark.parametrize("part", ["journal", "stage"])
def test_what_comes_while_a_page_is_drawn_is_not_waited_for(
    gateway: Gateway, anna: Visitor, root: str, part: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    read, late = MemoryJournal.iterate_newest_first, []

    def read_while_another_pays(journal: MemoryJournal, **before: int) -> object:
        entries = list(read(journal, **before))
        if not late:
            late.append(gateway.post().json["ndc"])
        return iter(entries)

    gateway.post()
    monkeypatch.setattr(MemoryJournal, "iterate_newest_first", read_while_another_pays)
    known = re.findall(r'data-(?:newest|version)="([^"]+)"', anna.get(f"{root}/{part}").text)[0]
    with gevent.Timeout(5):
        now = anna.get(f"{root}/{part}/now?after={known}").text

    assert late and known not in re.findall(r'data-(?:newest|version)="([^"]+)"', now)


def test_300_readers_wait_and_all_are_answered(gateway: Gateway, anna: Visitor, root: str) -> None:
    gateway.post()
    newest = NEWEST.findall(anna.get(f"{root}/journal").text)[0]
    version = re.findall(r'data-version="([^"]+)"', anna.get(f"{root}/stage").text)[0]
    paths = (f"{root}/journal/now?after={newest}", f"{root}/stage/now?after={version}")
    readers = [gevent.spawn(anna.get, paths[number % 2]) for number in range(300)]
    gevent.sleep(0.05)
    assert not any(each.ready() for each in readers)

    ndc = gateway.post().json["ndc"]

    answers = [each.get(timeout=20) for each in readers]
    assert {each.status_code for each in answers} == {200}
    assert all(ndc[-12:] in each.text for each in answers[::2])


def test_others_have_their_turn_while_readers_are_answered(
    gateway: Gateway, anna: Visitor, root: str
) -> None:
    """500 that were woken at once kept all others waiting for two seconds."""
    gateway.post()
    newest = NEWEST.findall(anna.get(f"{root}/journal").text)[0]
    version = re.findall(r'data-version="([^"]+)"', anna.get(f"{root}/stage").text)[0]
    paths = (f"{root}/journal/now?after={newest}", f"{root}/stage/now?after={version}")
    readers = [gevent.spawn(anna.get, paths[number % 2]) for number in range(100)]
    gevent.sleep(0.05)
    gateway.post()

    looks = looks_during(lambda: gevent.joinall(readers, timeout=30))

    assert {each.value.status_code for each in readers} == {200}
    assert looks >= len(readers) // 2


def test_a_part_that_many_ask_for_is_drawn_once(tmp_path: Path) -> None:
    board, drawings = StageBoard(tmp_path, LocalDisk()), []

    def draw() -> str:
        drawings.append(1)
        gevent.sleep(0.01)
        return f"drawing {len(drawings)}"

    asking = [gevent.spawn(board.drawn, "stage", "1 viewer True", draw) for _ in range(50)]
    gevent.joinall(asking)

    assert {each.value for each in asking} == {"drawing 1"}
    assert board.drawn("stage", "2 viewer True", draw) == "drawing 2"


@pytest.mark.parametrize("after", ["", "x", "-1", "999999999"])
def test_a_page_of_another_journal_is_answered_at_once(
    gateway: Gateway, anna: Visitor, root: str, after: str
) -> None:
    gateway.post()
    assert "data-newest" in anna.get(f"{root}/journal/now?after={after}").text


def test_a_trainer_acts_in_lessons_and_classes_alone(
    gateway: Gateway, anna: Visitor, root: str
) -> None:
    payment = gateway.post().json["id"]
    ben = person_of(gateway, "trainer", "ben")
    ben.get("/console/lessons")

    refused = ben.post(f"{root}/payments/{payment}/act", {"type": "RF", "amount": "1.00"})
    lesson = ben.post("/console/lessons", {"story": "first-payment"}).headers["Location"]

    assert refused.status_code == 403
    assert ben.post(f"{lesson}/next").status_code == 303


def test_what_one_reader_asks_for_is_shown_to_no_other(
    gateway: Gateway, anna: Visitor, root: str
) -> None:
    """The part that follows the journal is drawn once for all: it has no older page."""
    ndcs = [gateway.post().json["ndc"][-12:] for _ in range(3)]

    older = anna.get(f"{root}/journal/now?before=1").text
    newest = anna.get(f"{root}/journal/now").text

    assert all(each in older and each in newest for each in ndcs)


@pytest.mark.parametrize("part", ["journal", "stage"])
@pytest.mark.parametrize("leaving", ["sign-out", "role", "remove"])
def test_who_leaves_while_a_page_waits_sees_no_more(
    gateway: Gateway, anna: Visitor, root: str, part: str, leaving: str
) -> None:
    """What was waited for came once more, to a browser that might not ask for it any longer."""
    ben = person_of(gateway, "viewer", "ben")
    known = re.findall(r'data-(?:newest|version)="([^"]+)"', ben.get(f"{root}/{part}").text)[0]
    waiting = gevent.spawn(ben.get, f"{root}/{part}/now?after={known}")
    gevent.sleep(0)
    assert not waiting.ready()

    if leaving == "sign-out":
        ben.post("/console/sign-out")
    else:
        anna.post(f"/console/people/ben/{leaving}", {"role": "operator"})
    ndc = gateway.post().json["ndc"]
    answer = waiting.get(timeout=20)

    assert answer.status_code == 303 and ndc[-12:] not in answer.text
    assert answer.headers["Location"] == "/console/sign-in"
