"""Which secrets a command hides, and what it shows all the same."""

import io
import json
import subprocess
import sys
from pathlib import Path

import pytest

from simulator.client.shown.beginnings import beginning_of
from simulator.client.shown.known_secrets import (
    KnownSecrets,
    hide_from_now_on,
    secrets_in_file,
    secrets_of,
)
from simulator.client.shown.masking import Masking
from simulator.client.shown.writable import writable
from simulator.commands.surface.pipes import EscapedOutput
from simulator.settings import ROWS
from simulator.tests.kit.running import clean_environment
from simulator.variables import OTHERS, VARIABLES

KEY, PASSWORD = "my-control-key-12345", "a b/c:d@e%f,g=h"
RAISING = """
import sys
from simulator.commands.surface.pipes import guard_standard_streams
guard_standard_streams()
raise OSError(2, sys.argv[1], "key 84b44f140aa3a3bcff885150de67ae89a6e5d74872685b0d")
"""


def sandgate(*arguments: str, given: str = "", **variables: str) -> subprocess.CompletedProcess:
    """A run of a command in an environment that has these variables too."""
    return subprocess.run(
        [sys.executable, "-m", "simulator", *arguments],
        env=clean_environment() | variables, input=given, capture_output=True, text=True,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("variables", "arguments"),
    [
        ({"SANDGATE_CONTROL_API_KEY": KEY}, []),
        ({"SANDGATE_TOKEN": KEY}, []),
        ({"SANDGATE_LIVE_TOKEN": KEY}, []),
        ({"SANDGATE_WEBHOOK_SECRET": KEY}, []),
        ({"SANDGATE_PASSPHRASE": KEY}, []),
        ({"PGPASSWORD": KEY}, []),
        ({"SANDGATE_STORE": f"postgresql://sandgate:{KEY}@127.0.0.1/sandgate"}, []),
        ({"SANDGATE_STORE": f"postgresql://127.0.0.1/sandgate?user=a&password={KEY}"}, []),
        ({}, ["--control-key", KEY]),
        ({}, [f"--peer-key={KEY}"]),
        ({}, ["webhooks", "listen", "--secret", KEY]),
        ({}, ["--store", f"postgresql://sandgate:{KEY}@127.0.0.1/sandgate"]),
    ],
)
def test_a_secret_is_known_by_its_name(variables: dict[str, str], arguments: list[str]) -> None:
    known = KnownSecrets(*secrets_of(variables, arguments))

    assert known.hidden_in(f"got {KEY}, {KEY.upper()}.") == "got ***, ***."


@pytest.mark.parametrize("key", ["control-key", "store", "public-url", "log"])
def test_a_secret_of_the_configuration_file_is_known(key: str) -> None:
    value = KEY if key == "control-key" else f"postgresql://sandgate:{KEY}@127.0.0.1/sandgate"
    known = KnownSecrets(*secrets_in_file({key: value, "port": 8080}))

    assert known.hidden_in(f"got {KEY} at 8080") == "got *** at 8080"


@pytest.mark.parametrize("command", ["serve", "config", "doctor"])
@pytest.mark.parametrize("password", ["short7", "S3cretPassw0rdLong", "a/b?c@d#e-long"])
def test_no_command_prints_the_password_of_an_address_in_its_file(
    tmp_path: Path, command: str, password: str
) -> None:
    place = tmp_path / "sandgate.toml"
    place.write_text(f'public-url = "postgresql://sandgate:{password}@db.example/sandgate"')
    ended = sandgate(command, "--config", str(place), "--data", str(tmp_path / "data"))

    assert "public-url: expected an address" in ended.stdout + ended.stderr
    assert password not in ended.stdout + ended.stderr


@pytest.mark.parametrize(
    "name", ["SANDGATE_VAULT_KEY_FILE", "SANDGATE_ENTITY_ID", "SANDGATE_DATA", "API_KEY"]
)
def test_other_variables_are_shown(name: str) -> None:
    assert KnownSecrets(*secrets_of({name: KEY}, [])).hidden_in(KEY) == KEY


@pytest.mark.parametrize("form", [PASSWORD, "a%20b%2Fc%3Ad%40e%25f%2Cg%3Dh", "a+b%2Fc%3Ad%40e%25f"])
def test_a_password_is_hidden_as_it_is_written(form: str) -> None:
    address = "postgresql://user:a%20b%2Fc%3Ad%40e%25f%2Cg%3Dh@127.0.0.1/none"
    known = KnownSecrets(*secrets_of({"SANDGATE_STORE": address}, []))

    assert known.hidden_in(f"<{form}>".replace("%25f>", "%25f%2Cg%3Dh>")) == "<***>"


@pytest.mark.parametrize("sign", ["\udcff", "\ud800"])
def test_a_secret_that_is_no_text_is_hidden_in_every_form(sign: str) -> None:
    secret = f"{KEY}{sign}"
    known = KnownSecrets(*secrets_of({"SANDGATE_TOKEN": secret}, ["--control-key", secret]))
    shown = (secret, writable(secret), repr(secret)[1:-1], json.dumps(secret)[1:-1])

    assert [*map(known.hidden_in, shown)] == ["***"] * len(shown)
    assert [*map(Masking(secret).text, shown)] == ["***"] * len(shown)


@pytest.mark.parametrize(
    "variable", sorted({*dict(VARIABLES), *OTHERS, *(row.variable for row in ROWS)})
)
def test_a_variable_that_is_no_text_is_read_for_secrets(variable: str) -> None:
    address = "postgresql://user:a-long-password\udcff@127.0.0.1/none"

    assert KnownSecrets(*secrets_of({variable: address}, [])).hidden_in(address) != address


@pytest.mark.parametrize("variable", ["SANDGATE_TOKEN", "PGPASSWORD"])
def test_a_command_works_with_a_secret_that_is_no_text(variable: str) -> None:
    assert sandgate("version", **{variable: f"{KEY}\udcff"}).returncode == 0


@pytest.mark.parametrize("key", ["a", "", "sandgate", "01234567890"])
def test_a_short_key_hides_no_word(key: str) -> None:
    text = "a sandgate of 01234567890"

    assert KnownSecrets(key).hidden_in(text) == text


def test_credentials_that_are_asked_for_are_printed(tmp_path: Path) -> None:
    found = sandgate("member", "token", given=json.dumps({"token": KEY}), SANDGATE_TOKEN=KEY)
    target = sandgate(
        "target", SANDGATE_URL="http://127.0.0.1:1/", SANDGATE_TOKEN=KEY, SANDGATE_ENTITY_ID="8a"
    )

    assert found.stdout == f"{KEY}\n"
    assert f'token = "{KEY}"' in target.stdout


def test_the_error_of_a_command_that_prints_credentials_shows_none() -> None:
    found = sandgate("member", KEY, given="{}", SANDGATE_CONTROL_API_KEY=KEY)

    assert found.stderr == "sandgate: ***: expected a member of the document, got none\n"


def test_a_traceback_shows_no_secret() -> None:
    done = subprocess.run(
        [sys.executable, "-c", RAISING, KEY],
        env=clean_environment() | {"SANDGATE_TOKEN": KEY}, capture_output=True, text=True,
    )  # fmt: skip

    assert done.returncode == 1
    assert "FileNotFoundError: [Errno 2] ***: 'key ***'" in done.stderr
    assert KEY not in done.stderr


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a short text", "a short text"),
        ("x" * 41, "41 characters"),
        ("explain 84b44f140aa3a3bcff885150de67ae89a6e5d74872685b0d", "explain ... (56 characters)"),
        ("pay 5454 5454 5454 5454 and all the others", "pay 5454 5454 5454 5454 and all the "
         "... (42 characters)"),
        ("0123456789 pay now 5454 5454 5454 5454 5", "0123456789 pay now 5454 5454 5454 5454 5"),
        ("0123456789 pay now, 5454 5454 5454 5454 5", "0123456789 pay now ... (41 characters)"),
    ],
)  # fmt: skip
def test_of_a_long_text_whole_words_are_repeated(text: str, shown: str) -> None:
    assert beginning_of(text, 40) == shown


def printed(text: str) -> str:
    """A text as a stream of a command prints it."""
    screen = io.BytesIO()
    stream = EscapedOutput(screen, encoding="utf-8", write_through=True)
    stream.write(text)
    return screen.getvalue().decode()


@pytest.mark.parametrize(
    "text",
    ["password=ab", "x/pin=1234", "CVV: 123", '{"token":"abc"}', "Authorization: Basic dXNlcjp4",
     "at Basic dXNlcjpwYXNzMQ"],
)  # fmt: skip
@pytest.mark.parametrize("begins", ["sandgate: ", "Error: "])
def test_an_error_repeats_nothing_behind_the_name_of_a_secret(begins: str, text: str) -> None:
    shown = printed(f"{begins}'{text}': no file")

    assert "***" in shown and shown.startswith(begins)
    assert not any(each in shown for each in ("=ab", "1234", "123", "abc", "dXNl")), shown


@pytest.mark.parametrize(
    "text",
    ["--key: expected 64 hex digits, got 0 of them", "SANDGATE_TOKEN: expected what is sent",
     "/keys: expected the key of the vault, got no file; name another with --vault-key-file",
     "expected SANDGATE_CONTROL_URL and SANDGATE_CONTROL_API_KEY; got nothing"],
)  # fmt: skip
def test_an_error_says_what_is_wrong_with_a_secret(text: str) -> None:
    assert printed(f"sandgate: {text}") == f"sandgate: {text}"


def test_what_a_file_gave_is_hidden_by_the_streams_from_then_on(monkeypatch):
    screen = io.BytesIO()
    stream = EscapedOutput(screen, encoding="utf-8", write_through=True)
    stream.secrets = KnownSecrets("of-the-environment")
    monkeypatch.setattr(sys, "stdout", stream)

    hide_from_now_on(["of+a/target+file", ""])
    print("of+a/target+file of%2Ba%2Ftarget%2Bfile OF-THE-ENVIRONMENT")

    assert screen.getvalue() == b"*** *** ***\n"
