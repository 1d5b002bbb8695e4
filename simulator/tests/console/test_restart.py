"""A restart in the middle of a class ends neither the class nor a lesson."""

import json
from datetime import UTC, datetime
from pathlib import Path

import gevent
import pytest
from msgspec.structs import replace

from simulator.adapters.console import classes as class_book
from simulator.adapters.console import people_file, stages
from simulator.adapters.console.small_tables import SmallTables
from simulator.adapters.store.files import LocalDisk
from simulator.catalogue.console_words import plain
from simulator.domain.console.classes import Participant, TrainingClass
from simulator.domain.core.errors import DiskError
from simulator.tests.console.test_classes import LINK, class_page, joined
from simulator.tests.console.test_stage import STORY, is_played, play, shown
from simulator.tests.console.visitor import Visitor, administrator_of
from simulator.tests.kit.gateway import Gateway
from simulator.tests.lost_writes.faulty_disk import FaultyDisk, UnnamedDisk

DATA = "data"
BEGUN = TrainingClass(id="a", key="k", by="anna", began_at=datetime(2026, 1, 1, tzinfo=UTC))
INTERRUPTED = plain("errors.interrupted")


def again_at(visitor: Visitor, gateway: Gateway) -> Visitor:
    """The same browser, at the gateway that was started anew."""
    after = Visitor(gateway)
    after.cookies, after.form_token = dict(visitor.cookies), visitor.form_token
    return after


def test_class_and_lesson_go_on_after_a_restart(tmp_path: Path) -> None:
    before = Gateway(tmp_path, durability="disk")
    anna = administrator_of(before)
    anna.get("/console/classes")
    link = LINK.search(anna.post("/console/classes", {"seed": "7"}).text)[0]
    ada, own = joined(before, link, "Ada")
    ada.post(f"/console/{own}/start", {"name": "decline"})
    anna.get("/console/lessons")
    stage = anna.post("/console/lessons", {"story": STORY}).headers["Location"]
    anna.get(stage)
    play(anna, stage, 1)
    before.close()

    after = Gateway(tmp_path, durability="disk")
    anna, ada = again_at(anna, after), again_at(ada, after)

    assert "Ada" in anna.get(class_page(anna)).text
    assert ada.get(f"/console/{own}/payments").text.count("800.100.203") == 1
    assert ada.get(f"/console/{stage.split('/')[2]}/stage").status_code == 404
    _, other = joined(after, link, "Bob")
    assert other != own
    page = anna.get(stage).text
    assert "<strong>1.</strong>" in page and "000.100.110" in page
    play(anna, stage, 2)
    anna.post(f"{stage}/back")
    anna.post(f"{stage}/back")
    page = anna.get(stage).text
    assert "<strong>1.</strong>" not in page and "step 1: the shop received 000.100.110" in page
    assert 'data-key="ArrowLeft"' not in page
    assert "000.100.110" in play(anna, stage, 1)
    after.close()


@pytest.mark.parametrize("change", [
    {"frames": []}, {"moments": 2}, {"frames": 100}, {"is_playing": True, "frames": 99},
], ids=str)  # fmt: skip
def test_a_lesson_whose_steps_do_not_fit_is_damaged(tmp_path: Path, change: dict) -> None:
    before = Gateway(tmp_path, durability="disk")
    anna = administrator_of(before)
    anna.get("/console/lessons")
    stage = anna.post("/console/lessons", {"story": STORY}).headers["Location"]
    anna.get(stage)
    play(anna, stage, 1)
    path = tmp_path / stage.split("/")[2] / stages.FILE
    # The page shows a step before its file does.
    while '"frames":[]' in path.read_text().replace(" ", ""):
        gevent.sleep(0.01)
    before.close()
    kept = json.loads(path.read_text())
    (lesson,) = kept[stages.TABLE].values()
    # A number is how often the list is repeated.
    lesson.update({
        name: lesson[name] * value if type(value) is int else value
        for name, value in change.items()
    })  # fmt: skip
    path.write_text(json.dumps(kept))

    after = Gateway(tmp_path, durability="disk")
    answers = [again_at(anna, after).get(stage), again_at(anna, after).post(f"{stage}/restart")]
    after.close()

    assert [each.status_code for each in answers] == [503, 503]
    assert all(stages.FILE in each.text for each in answers)


def test_a_step_that_a_restart_interrupts_is_taken_back(tmp_path: Path) -> None:
    before = Gateway(tmp_path, durability="disk")
    anna = administrator_of(before)
    anna.get("/console/lessons")
    stage = anna.post("/console/lessons", {"story": STORY}).headers["Location"]
    anna.get(stage)
    anna.post(f"{stage}/stops", {"acquirer": "1"})
    anna.post(f"{stage}/next")
    shown(anna, stage, lambda page: "Held: gateway → acquirer" in page)
    before.close()
    left = tmp_path / stage.split("/")[2] / stages.STEPS / "left.snapshot.new"
    left.write_bytes(b"half")

    after = Gateway(tmp_path, durability="disk")
    anna = again_at(anna, after)
    page = anna.get(stage).text
    assert INTERRUPTED in page and "Held: " not in page
    assert not left.exists()
    anna.post(f"{stage}/stops", {})
    assert anna.post(f"{stage}/back").status_code == 303
    assert INTERRUPTED not in anna.get(stage).text
    assert "000.100.110" in play(anna, stage, 1)
    after.close()


def test_the_file_of_classes_has_no_secret_and_that_of_a_lesson_goes_with_its_sandbox(
    gateway: Gateway, anna: Visitor, tmp_path: Path
) -> None:
    anna.get("/console/classes")
    link = LINK.search(anna.post("/console/classes", {"seed": "7"}).text)[0]
    kept = (tmp_path / DATA / class_book.FILE).read_text()
    assert link.rpartition("/")[2] not in kept
    assert set(json.loads(kept)[class_book.TABLE]) == {class_page(anna).rpartition("/")[2]}
    anna.get("/console/lessons")
    stage = anna.post("/console/lessons", {"story": STORY}).headers["Location"]
    folder = tmp_path / DATA / stage.split("/")[2]
    assert (folder / stages.FILE).exists()
    gateway.control("DELETE", f"/sandboxes/{folder.name}")
    assert not folder.exists()


def test_a_class_whose_end_the_disk_refuses_goes_on(tmp_path: Path) -> None:
    disk = FaultyDisk()
    book = class_book.ClassBook(tmp_path, disk)
    book.put(BEGUN)
    disk.is_full = disk.cannot_sync = True
    with pytest.raises(DiskError):
        book.remove("a")
    assert book.get("a") == BEGUN

    disk.is_full = disk.cannot_sync = False
    assert book.remove("a") == BEGUN
    assert book.get("a") is class_book.ClassBook(tmp_path, disk).get("a") is None


def test_a_step_that_may_not_last_is_played_and_taken_back(
    gateway: Gateway, anna: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    anna.get("/console/lessons")
    stage = anna.post("/console/lessons", {"story": STORY}).headers["Location"]
    anna.get(stage)
    disk = UnnamedDisk()
    disk.refusals, disk.only_in = 1, stage.split("/")[2]
    with monkeypatch.context() as patched:
        patched.setattr(stages, "SmallTables", lambda path, _: SmallTables(path, disk))
        assert anna.post(f"{stage}/next").status_code == 500

    page = shown(anna, stage, lambda page: is_played(page, 1))
    assert "000.100.110" in page
    assert anna.post(f"{stage}/back").status_code == 303
    assert "000.100.110" in play(anna, stage, 1)


@pytest.mark.parametrize("is_killed", [False, True])
def test_what_the_end_of_a_class_leaves_goes_with_the_next_look(
    tmp_path: Path, *, is_killed: bool
) -> None:
    gateway = Gateway(tmp_path, durability="disk")
    anna = administrator_of(gateway)
    anna.get("/console/classes")
    link = LINK.search(anna.post("/console/classes", {"seed": "7"}).text)[0]
    ada, own = joined(gateway, link, "Ada")
    page, people = class_page(anna), tmp_path / people_file.FILE
    kept = people.read_text()
    people.write_text("cut")

    assert anna.post(page, {"deed": "end"}).status_code == 503

    people.write_text(kept)
    if is_killed:
        gateway.close()
        gateway = Gateway(tmp_path, durability="disk")
        anna, ada = again_at(anna, gateway), again_at(ada, gateway)
    assert Visitor(gateway).get(link).status_code == 404
    assert page not in anna.get("/console/classes").text
    named = [each["name"] for each in gateway.control("GET", "/people").json["people"]]
    assert named == ["anna"]
    assert gateway.control("GET", f"/sandboxes/{own}").status_code == 404
    assert ada.get(f"/console/{own}/stage").headers["Location"].startswith("/console/sign-in")
    assert json.loads((tmp_path / class_book.FILE).read_text())[class_book.TABLE] == {}
    gateway.close()


def test_pages_are_read_while_a_class_whose_day_is_over_cannot_be_ended(tmp_path: Path) -> None:
    class_book.ClassBook(tmp_path, LocalDisk()).put(BEGUN)
    gateway = Gateway(tmp_path)
    (tmp_path / class_book.FILE).write_text("cut")

    page = Visitor(gateway).get("/console/sign-in")

    assert page.status_code == 200
    gateway.close()


def test_two_changes_of_a_class_at_once_are_both_kept(tmp_path: Path) -> None:
    # A record has a version, and each change is made of the one before.
    book = class_book.ClassBook(tmp_path, LocalDisk())
    book.put(BEGUN)

    def join(name: str) -> None:
        one = Participant(name=name, person=name, sandbox=name)
        book.change("a", lambda each: replace(each, participants=(*each.participants, one)))

    gevent.joinall([gevent.spawn(join, str(number)) for number in range(20)], raise_error=True)

    found = class_book.ClassBook(tmp_path, LocalDisk()).get("a")
    assert found is not None and found.version == 20
    assert {each.name for each in found.participants} == {str(number) for number in range(20)}
    assert book.change("b", lambda each: each) is None
