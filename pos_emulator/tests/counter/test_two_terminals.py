"""Two terminals of one sandbox: the cards of each folder are cards of their own for the issuer."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from pos_emulator.card.memory import CARDS, FileMemory, memory_in
from pos_emulator.card.personalization import personalize
from pos_emulator.card.records import Memory
from pos_emulator.counter.opening import Place, counter_at
from pos_emulator.scripts.scripted import ScriptedTerminal, scripted_terminal
from pos_emulator.terminal.records import Stage
from simulator.client import GatewayAccess, SandboxClient

BY_CHIP = {"insert": "gold", "pin": "1234"}
KNOWN = [{"id": "30"}, {"id": "10"}, {"id": "20"}]


@pytest.fixture
def terminals(sandgate_sandbox: SandboxClient, tmp_path: Path) -> Iterator[list[ScriptedTerminal]]:
    with (
        scripted_terminal(sandgate_sandbox, tmp_path / "one") as one,
        scripted_terminal(sandgate_sandbox, tmp_path / "two") as two,
    ):
        yield [one, two]


@pytest.mark.parametrize(
    "acts",
    [
        BY_CHIP, {"insert": "offline", "pin": "1234"}, {"tap": "gold"}, {"tap": "offline"},
        {"tap": "tap"}, {"tap": "tap-old"},
    ],
    ids=str,
)  # fmt: skip
def test_the_same_card_pays_at_both(terminals: list[ScriptedTerminal], acts: dict[str, str]):
    amount = "60.00" if "pin" in acts else "9.00"

    stages = [each.sale(amount, **acts).stage for each in terminals * 2]

    assert stages == [Stage.APPROVED] * 4


def test_a_folder_keeps_the_number_that_it_began_with(tmp_path: Path):
    first = memory_in(tmp_path, "20", lambda: KNOWN)
    again = memory_in(tmp_path, "20", lambda: KNOWN[1:])

    assert (first.sequence, again.sequence) == ("03", "03")
    assert personalize("gold", sequence="03").sequence == b"\x03"


def test_the_hundredth_terminal_begins_anew(tmp_path: Path):
    known = [{"id": str(number)} for number in range(100)]

    drawn = [memory_in(tmp_path / each, each, lambda: known).sequence for each in ("98", "99")]

    assert drawn == ["99", "01"]


def test_cards_of_an_earlier_build_go_on(tmp_path: Path):
    FileMemory(tmp_path / CARDS).save(personalize("gold"), Memory(atc=7))

    kept = memory_in(tmp_path, "20", lambda: KNOWN)

    chip = personalize("gold", sequence=kept.sequence)
    assert (chip.sequence, kept.load(chip).atc) == (b"\x01", 7)


def test_two_counters_of_a_sandbox_have_other_cards(
    sandgate_gateway: GatewayAccess, sandgate_sandbox: SandboxClient, tmp_path: Path
):
    shop = sandgate_sandbox
    place = Place(sandgate_gateway, shop.id, shop.entity_id, shop.token, is_own=False)

    for name in ("one", "two", "one"):
        with counter_at(place, folder=tmp_path / name, model=None):
            pass

    found = {each.parent.name: each.name for each in tmp_path.glob(f"*/{CARDS}*")}
    assert found == {"one": "cards-01", "two": "cards-02"}
