"""A payment stores nothing of many scripts that do not fit it; they count all the same."""

from pathlib import Path

import pytest
from falcon.testing import Result

from simulator.domain.scripts import NEAR_MISSES_MAX
from simulator.service.scripts import TURNS_MAX
from simulator.tests.kit.gateway import ORDER, Gateway

FEW, MANY = 3, 40
LONG = {"name": "long", "title": "Long", "description": "d" * 900}
DECLINE = {"acquirer": {"decline": {"code": "800.100.151"}}}
PARTIES = {
    "acquirer": DECLINE,
    "risk system": {"risk": {"decline": "800.100.151"}},
    "connection": {"transport": {"reset": {}}},
    "webhooks": {"webhooks": {"duplicate": {}}},
}


class Shop:
    """The default sandbox of a gateway whose records are on a disk."""

    def __init__(self, folder: Path):
        self.gateway = Gateway(folder, durability="os")
        self.id = self.gateway.control("GET", "/sandboxes").json["sandboxes"][0]["id"]
        self.place = f"/sandboxes/{self.id}"

    def arm(self, steps: dict, **match: object) -> Result:
        """Arm a long script."""
        document = {"behaviour": {**LONG, "steps": steps}, "match": match}
        return self.gateway.control("POST", f"{self.place}/scripts", document)

    def arm_missed(self, steps: dict, count: int) -> None:
        """Arm so many, none of which fits."""
        made = [self.arm(steps, amount=f"{1000 + number}.00") for number in range(count)]
        assert {each.status_code for each in made} == {201}

    def scripts(self) -> list[dict]:
        """All of them as the control API shows them."""
        return self.gateway.control("GET", f"{self.place}/scripts").json["scripts"]

    def stored_bytes(self, payments: int = 3) -> float:
        """How many bytes a payment adds to the log."""
        store = self.gateway.ports(self.id).store
        before = store.path.stat().st_size
        for _ in range(payments):
            assert self.gateway.post().status_code == 200
        store.wait_durable()
        return (store.path.stat().st_size - before) / payments


@pytest.fixture
def shop(tmp_path: Path):
    made = Shop(tmp_path / "data")
    yield made
    made.gateway.close()


@pytest.mark.parametrize("steps", PARTIES.values(), ids=PARTIES)
def test_a_payment_stores_nothing_of_many_scripts_that_do_not_fit(shop: Shop, steps: dict) -> None:
    shop.gateway.control("POST", f"{shop.place}/webhooks", {"url": "inbox"})
    shop.stored_bytes()
    without = shop.stored_bytes()
    shop.arm_missed(steps, MANY)

    assert shop.stored_bytes() < without + 1000


@pytest.mark.parametrize("count", [FEW, MANY])
def test_scripts_show_how_often_they_were_asked_in_vain_and_why(shop: Shop, count: int) -> None:
    shop.arm_missed(DECLINE, count)
    for number in range(NEAR_MISSES_MAX + 3):
        shop.gateway.post(amount=f"{number + 1}.00")

    for script in shop.scripts():
        assert (script["asked"], script["matched"]) == (NEAR_MISSES_MAX + 3, 0)
        assert len(script["near_misses"]) == NEAR_MISSES_MAX
        assert script["near_misses"][-1].endswith(f"got {NEAR_MISSES_MAX + 3}.00")
    one = shop.scripts()[0]
    read = shop.gateway.control("GET", f"{shop.place}/scripts/{one['id']}").json
    assert read == one


def test_a_script_that_answers_at_last_has_counted_all(shop: Shop) -> None:
    shop.arm_missed(DECLINE, MANY)
    for amount in ("1.00", "2.00", "1000.00"):
        shop.gateway.post(amount=amount)

    oldest = shop.scripts()[-1]

    assert (oldest["asked"], oldest["matched"]) == (3, 1)
    assert oldest["near_misses"] == [f"amount: expected 1000.00, got {n}.00" for n in (1, 2)]


def test_the_counts_of_many_scripts_outlive_a_stop(tmp_path: Path) -> None:
    shop = Shop(tmp_path / "data")
    shop.arm_missed(DECLINE, MANY)
    shop.stored_bytes()
    before = shop.scripts()
    shop.gateway.close()

    again = Shop(tmp_path / "data")

    assert before[0]["asked"] == 3
    assert again.scripts() == before
    again.gateway.close()


def test_the_counts_of_many_scripts_are_in_a_copy(shop: Shop) -> None:
    shop.arm_missed(DECLINE, MANY)
    shop.stored_bytes()

    taken = shop.gateway.control("GET", f"{shop.place}/snapshot")

    assert taken.content.count(b'"asked":3') == MANY


def test_a_payment_journals_the_first_near_misses(shop: Shop) -> None:
    shop.arm_missed(DECLINE, MANY)
    shop.gateway.post()

    (entry,) = [
        each
        for each in shop.gateway.control("GET", f"{shop.place}/journal").json["entries"]
        if each.get("near_misses")
    ]

    newest = shop.scripts()[:NEAR_MISSES_MAX]
    text = f"got {ORDER['amount']}"
    assert len(entry["near_misses"]) == NEAR_MISSES_MAX
    for near_miss, script in zip(entry["near_misses"], newest, strict=True):
        assert near_miss.startswith(f"script {script['id']}: ") and near_miss.endswith(text)


def test_few_scripts_wait_for_their_turn(shop: Shop) -> None:
    script = {"behaviour": "approve", "match": {"nth": 1000}}
    path = f"{shop.place}/scripts"
    answers = [shop.gateway.control("POST", path, script) for _ in range(TURNS_MAX + 1)]

    assert {each.status_code for each in answers[:-1]} == {201}
    assert answers[-1].json["error"] == {
        "where": "scripts",
        "expected": f"at most {TURNS_MAX} scripts with nth; disarm some first",
        "got": f"{TURNS_MAX + 1}",
    }
    identity = answers[0].json["id"]
    shop.gateway.control("DELETE", f"{path}/{identity}")
    assert shop.gateway.control("POST", path, script).status_code == 201


def test_scripts_that_wait_for_their_turn_are_short_in_all(shop: Shop) -> None:
    answers = [shop.arm(DECLINE, nth=1000) for _ in range(TURNS_MAX)]
    refused = next(each for each in answers if each.status_code != 201)

    assert refused.status_code == 400
    assert refused.json["error"]["where"] == "scripts"
    assert "of scripts with nth; disarm some first" in refused.json["error"]["expected"]
    assert shop.arm(DECLINE).status_code == 201
