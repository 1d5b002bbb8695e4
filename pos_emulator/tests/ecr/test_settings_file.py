"""Settings of the till interface from a file: taken as they stand, or refused in words."""

from pathlib import Path

import pytest

from pos_emulator.ecr.nexo.dialects import Additional
from pos_emulator.ecr.nexo.settings import NexoSettings, SealSettings
from pos_emulator.ecr.nexo.settings_file import NexoSettingsError, read_nexo_settings

SECRET = "correct horse battery"
SEAL = f"""
[seal]
passphrase = "{SECRET}"
salt = "salt of the vendor"
key_identifier = "till"
key_version = 1
version_member = "CryptoVersion"
"""


def written(folder: Path, text: str) -> Path:
    file = folder / "till.toml"
    file.write_text(text, "utf-8")
    return file


def test_every_setting_is_taken(tmp_path: Path) -> None:
    text = (
        'additional = "form"\npoi_id = "T100-324688179"\nlogin_required = true\n'
        'events_url = "https://till.example/events"\nhosts = ["till.example"]\n' + SEAL
    )

    settings = read_nexo_settings(written(tmp_path, text), tmp_path / "nexo")

    assert settings == NexoSettings(
        folder=tmp_path / "nexo",
        additional=Additional.FORM,
        poi_id="T100-324688179",
        login_required=True,
        events_url="https://till.example/events",
        hosts=("till.example",),
        seal=SealSettings(
            passphrase=SECRET, salt="salt of the vendor", key_identifier="till", key_version=1,
            version_member="CryptoVersion",
        ),
    )  # fmt: skip


def test_an_empty_file_changes_nothing(tmp_path: Path) -> None:
    found = read_nexo_settings(written(tmp_path, ""), tmp_path)

    assert found == NexoSettings(folder=tmp_path)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("poi_ids = 'a'", "poi_ids is unknown; expected one of path, hosts, poi_id"),
        ("folder = '/'", "folder is unknown"),
        ("login_required = 'yes'", "login_required: expected true or false, got a text"),
        ("additional = 'xml'", "additional: expected one of text, form, got 'xml'"),
        (f"{SEAL}\nsugar = 1", "seal.sugar is unknown"),
        ("[seal]\nsalt = 'a'", "seal.passphrase: expected a text in quotes, got nothing"),
        (f"seal = '{SECRET}'", "seal: expected a table, got a text"),
        (f"passphrase = {SECRET}", "expected TOML"),
        ("a = " + "[" * 30_000, "expected TOML"),
        ("a = " + "9" * 5_000, "expected TOML"),
        ("x = 1\n" * 20_000, "expected at most 65536 bytes"),
    ],
)
def test_what_cannot_be_followed_is_refused_without_its_secrets(
    tmp_path: Path, text: str, said: str
) -> None:
    with pytest.raises(NexoSettingsError) as refused:
        read_nexo_settings(written(tmp_path, text), tmp_path)

    assert said in str(refused.value)
    assert SECRET not in str(refused.value)


def test_a_file_without_an_end_is_refused() -> None:
    with pytest.raises(NexoSettingsError, match="expected at most 65536 bytes"):
        read_nexo_settings(Path("/dev/zero"), Path("/"))


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(NexoSettingsError, match=r"none\.toml: expected a TOML file"):
        read_nexo_settings(tmp_path / "none.toml", tmp_path)
