"""The keys of a terminal after those that it has, under update keys of AES DUKPT. Choice: D-611."""

from pathlib import Path

import pytest
from psec import tr31

from pos_emulator.keys.element import PIN, SecureElement
from pos_emulator.keys.errors import InvalidKeyBlockError, InvalidKeyError
from pos_emulator.terminal.setup import load_terminal, roll_over_keys
from simulator.adapters.terminals import aes_dukpt
from simulator.tests.kit.gateway import Gateway
from simulator.tests.terminals.test_remote_loading import Office, pay

APPROVED, UNKNOWN_KEY = "000.100.110", "600.300.101"


@pytest.fixture
def office(tmp_path: Path):
    built = Gateway(tmp_path / "data")
    yield Office(built)
    built.close()


def loaded(office: Office, folder: Path, method: str = "AES") -> str:
    """The id of a terminal that was loaded into a folder."""
    return load_terminal(folder, office.create(loading="facility", method=method)).id


def ids_in(folder: Path) -> dict[str, str]:
    element = SecureElement(folder, bytes)
    try:
        return element.initial_keys()
    finally:
        element.close()


def test_the_update_key_is_the_published_one():
    base = bytes.fromhex("FEDCBA9876543210F1F1F1F1F1F1F1F1")

    update = aes_dukpt.update_key(base, bytes.fromhex("1234567890123456"))

    assert update.hex().upper() == "9A9770AEE1ACD1B13473D0463A1883B9"


def test_a_terminal_rolls_over_again_and_again(office, tmp_path):
    folder = tmp_path / "terminal"
    terminal = loaded(office, folder)
    seen = [ids_in(folder)]

    for _ in range(3):
        roll_over_keys(folder, office)
        seen.append(ids_in(folder))
        assert pay(office, folder, terminal) == APPROVED

    assert len({each["PIN"] for each in seen}) == len({each["DATA"] for each in seen}) == 4
    known = office.gateway.control("GET", f"{office.path}/{terminal}").json["keys"]
    assert {each["usage"]: each["id"] for each in known} == seen[-1]
    (first, *_) = office.loads[0]["blocks"]
    assert set(office.loads[0]) == {"blocks"} and first["block"][5:8] == "B1A"
    with pytest.raises(ValueError):
        tr31.unwrap(bytes(16), first["block"])


def test_a_terminal_pays_with_what_it_has_when_answers_are_lost(office, tmp_path):
    folder = tmp_path / "terminal"
    terminal = loaded(office, folder)
    office.lost = True

    for _ in range(3):
        with pytest.raises(ConnectionResetError):
            roll_over_keys(folder, office)

    assert pay(office, folder, terminal) == APPROVED
    office.lost = False
    # Twice, and nothing was encrypted in between.
    roll_over_keys(folder, office)
    roll_over_keys(folder, office)
    assert pay(office, folder, terminal) == APPROVED


def test_a_terminal_that_loaded_one_of_two_keys_goes_on(office, tmp_path):
    folder = tmp_path / "terminal"
    terminal = loaded(office, folder)
    sent = office.next_keys(terminal, ids_in(folder))
    element = SecureElement(folder, bytes)
    element.roll_over([(each["usage"], each["block"]) for each in sent["blocks"][:1]])
    element.close()
    assert pay(office, folder, terminal) == APPROVED

    roll_over_keys(folder, office)

    assert pay(office, folder, terminal) == APPROVED
    assert ids_in(folder)["PIN"] not in {each["ksn"][:16] for each in sent["blocks"]}


def test_blocks_are_for_the_key_and_the_use_they_were_made_for(office, tmp_path):
    folder = tmp_path / "terminal"
    terminal = loaded(office, folder)
    sent = office.next_keys(terminal, ids_in(folder))
    by_usage = {each["usage"]: each["block"] for each in sent["blocks"]}
    element = SecureElement(folder, bytes)

    with pytest.raises(InvalidKeyBlockError):
        element.roll_over([(PIN, by_usage["DATA"])])
    element.roll_over([(PIN, by_usage[PIN])])
    with pytest.raises(InvalidKeyBlockError):
        element.roll_over([(PIN, by_usage[PIN])])
    element.close()


@pytest.mark.parametrize("key", ["", "5A00001A0000000", "5A00001A000000ZZ", "5A00001A00000001"])
@pytest.mark.parametrize("usage", ["PIN", "DATA"])
def test_only_keys_of_this_terminal_are_rolled_over(office, tmp_path, usage, key):
    mine, other = tmp_path / "mine", tmp_path / "other"
    terminal = loaded(office, mine)
    loaded(office, other)

    for wrong in (key, ids_in(other)[usage]):
        assert office.ask_next(terminal, {**ids_in(mine), usage: wrong}).status_code == 400
    assert office.ask_next("10000000", ids_in(mine)).status_code == 404
    assert pay(office, mine, terminal) == APPROVED


def test_the_key_before_the_last_is_not_valid(office, tmp_path):
    folder = tmp_path / "terminal"
    terminal = loaded(office, folder)
    first = ids_in(folder)
    kept = {each.name: each.read_bytes() for each in folder.iterdir()}
    roll_over_keys(folder, office)
    roll_over_keys(folder, office)
    assert office.ask_next(terminal, first).status_code == 400
    for name, content in kept.items():
        (folder / name).write_bytes(content)

    assert pay(office, folder, terminal) == UNKNOWN_KEY


def test_tdes_has_no_update_keys(office, tmp_path):
    folder = tmp_path / "terminal"
    terminal = loaded(office, folder, "TDES")

    with pytest.raises(InvalidKeyError, match="no update keys"):
        roll_over_keys(folder, office)
    refused = office.ask_next(terminal, {"PIN": "0" * 16, "DATA": "0" * 16})
    assert refused.status_code == 400 and "TDES" in refused.text
