"""The vault: what is sealed opens for its record alone."""

import os
import stat

import gevent
import pytest

from simulator.adapters.key_files import UnsafeKeyFileError
from simulator.adapters.store.commit import in_thread
from simulator.adapters.vault import KeyVault, open_vault
from simulator.domain.core.errors import TamperedSecretError

NUMBER = "4200000000000000"


@pytest.fixture
def vault() -> KeyVault:
    return KeyVault(bytes(range(32)))


def test_what_is_sealed_opens_again(vault):
    for secret in ("123", "", NUMBER, "\N{SNOWMAN}"):
        assert vault.open("8a", vault.seal("8a", secret)) == secret


def test_it_opens_for_its_record_alone(vault):
    sealed = vault.seal("8a", NUMBER)

    with pytest.raises(TamperedSecretError, match="8b"):
        vault.open("8b", sealed)


def test_any_altered_character_is_noticed(vault):
    sealed = vault.seal("8a", NUMBER)

    altered = {
        sealed[:place] + other + sealed[place + 1 :]
        for place in range(len(sealed))
        for other in "A*=\n\N{SNOWMAN}"
    }
    for text in altered - {sealed}:
        with pytest.raises(TamperedSecretError):
            vault.open("8a", text)


@pytest.mark.parametrize("sealed", ["", "AAAA", "A", "A" * 100, "not base64!"])
def test_what_was_never_sealed_does_not_open(vault, sealed):
    with pytest.raises(TamperedSecretError):
        vault.open("8a", sealed)


def test_a_longer_or_shorter_text_does_not_open(vault):
    sealed = vault.seal("8a", NUMBER)

    for altered in (sealed + "AAAA", sealed[:-4], sealed + "\n", " " + sealed):
        with pytest.raises(TamperedSecretError):
            vault.open("8a", altered)


def test_another_key_does_not_open_it(vault):
    with pytest.raises(TamperedSecretError):
        KeyVault(bytes(32)).open("8a", vault.seal("8a", NUMBER))


def test_the_same_secret_never_looks_the_same_twice(vault):
    assert len({vault.seal("8a", NUMBER) for _ in range(100)}) == 100


def test_equal_numbers_have_equal_fingerprints_and_others_do_not(vault):
    first, second = vault.seal_card("8a", NUMBER), vault.seal_card("8b", NUMBER)
    other = vault.seal_card("8a", NUMBER[:-1] + "8")

    assert first.fingerprint == second.fingerprint != other.fingerprint
    assert first.number != second.number
    assert vault.open("8a", first.number) == NUMBER


def test_fingerprints_of_another_key_differ(vault):
    assert vault.fingerprint(NUMBER) != KeyVault(bytes(32)).fingerprint(NUMBER)


def test_a_sealed_card_shows_nothing_of_the_number(vault):
    card = vault.seal_card("8a", NUMBER)

    assert "42000" not in card.number + card.fingerprint
    assert NUMBER not in repr(card)


def test_an_error_shows_nothing_of_the_secret(vault):
    with pytest.raises(TamperedSecretError) as caught:
        vault.open("8b", vault.seal("8a", NUMBER))

    assert NUMBER not in str(caught.value)


def test_the_key_file_is_made_for_its_owner_alone(tmp_path):
    path = tmp_path / "vault.key"

    vault = open_vault(path)

    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert [one.name for one in tmp_path.iterdir()] == ["vault.key"]
    assert open_vault(path).open("8a", vault.seal("8a", NUMBER)) == NUMBER


def test_the_key_file_is_made_so_whatever_the_umask(tmp_path):
    before = os.umask(0)
    try:
        open_vault(tmp_path / "vault.key")
    finally:
        os.umask(before)

    assert stat.S_IMODE((tmp_path / "vault.key").stat().st_mode) == 0o600


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o660, 0o644, 0o620, 0o601])
def test_a_key_file_that_others_may_use_is_refused(tmp_path, mode):
    path = tmp_path / "vault.key"
    open_vault(path)
    path.chmod(mode)

    with pytest.raises(
        UnsafeKeyFileError, match=f"expected mode 600, got {mode:o}; run: chmod 600"
    ):
        open_vault(path)


@pytest.mark.parametrize("content", ["", "hello", "A" * 40, "*" * 44])
def test_a_file_that_holds_no_key_is_refused(tmp_path, content):
    path = tmp_path / "vault.key"
    path.write_text(content)
    path.chmod(0o600)

    with pytest.raises(UnsafeKeyFileError, match="expected a key of 32 bytes"):
        open_vault(path)


PASSPHRASE = "correct horse battery"


def test_a_sandbox_has_a_vault_of_its_own(vault):
    key, other = vault.new_key("8a"), vault.new_key("8b")
    ours = vault.vault_of("8a", key)

    assert vault.vault_of("8a", key).open("8c", ours.seal("8c", NUMBER)) == NUMBER
    for other_vault in (vault, vault.vault_of("8b", other)):
        assert other_vault.fingerprint(NUMBER) != ours.fingerprint(NUMBER)
        with pytest.raises(TamperedSecretError):
            other_vault.open("8c", ours.seal("8c", NUMBER))


def test_the_key_of_a_sandbox_opens_for_it_and_its_server_alone(vault):
    key = vault.new_key("8a")

    for server, sandbox in ((vault, "8b"), (KeyVault(bytes(32)), "8a")):
        with pytest.raises(TamperedSecretError):
            server.vault_of(sandbox, key)


def test_a_locked_key_opens_elsewhere_with_its_passphrase(vault):
    elsewhere, key = KeyVault(bytes(32)), vault.new_key("8a")
    sealed = vault.vault_of("8a", key).seal("8c", NUMBER)

    locked = vault.locked("8a", key, PASSPHRASE)

    there = elsewhere.vault_of("8a", elsewhere.unlocked("8a", locked, PASSPHRASE))
    assert there.open("8c", sealed) == NUMBER
    assert vault.locked("8a", key, PASSPHRASE) != locked


@pytest.mark.parametrize("is_locking", [True, False])
def test_passphrases_leave_the_threads_to_others(vault, is_locking):
    key = vault.new_key("8a")
    locked = vault.locked("8a", key, PASSPHRASE)
    work = (vault.locked, key) if is_locking else (vault.unlocked, locked)
    many = [gevent.spawn(work[0], "8a", work[1], PASSPHRASE) for _ in range(14)]
    gevent.sleep(0)

    in_thread(int)

    assert sum(each.ready() for each in many) < 3
    gevent.killall(many)


@pytest.mark.parametrize(
    ("change", "passphrase"),
    [
        (lambda locked: locked, "another passphrase"),
        (lambda locked: locked[:-4], PASSPHRASE),
        (lambda locked: "x" + locked, PASSPHRASE),
        (lambda locked: "no key at all", PASSPHRASE),
        (lambda locked: "", PASSPHRASE),
    ],
)
def test_a_locked_key_opens_in_no_other_way(vault, change, passphrase):
    locked = vault.locked("8a", vault.new_key("8a"), PASSPHRASE)

    with pytest.raises(TamperedSecretError):
        vault.unlocked("8a", change(locked), passphrase)
