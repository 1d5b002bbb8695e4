"""Settings: one row an option, four places to read it from, the first that names it wins."""

from pathlib import Path

import pytest

from simulator.setting_sources import read_settings
from simulator.settings import CONTROL_KEY_LENGTH_MIN, ROWS, SettingsError, is_loopback
from simulator.variables import VARIABLES


@pytest.fixture
def folder(tmp_path, monkeypatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def origin_of(name: str, given: dict, environ: dict) -> str:
    _, sources = read_settings(given, environ)
    return next(source.origin for source in sources if source.row.name == name)


def test_without_anything_given_every_setting_has_its_default(folder):
    settings, sources = read_settings({}, {})

    assert (settings.host, settings.port, settings.data) == ("127.0.0.1", 8080, Path(".sandgate"))
    assert {source.origin for source in sources} == {"default"}


def test_the_command_line_wins_over_environment_file_and_default(folder):
    (folder / "sandgate.toml").write_text("port = 1\n")

    assert read_settings({}, {})[0].port == 1
    assert read_settings({}, {"SANDGATE_PORT": "2"})[0].port == 2
    assert read_settings({"port": "3"}, {"SANDGATE_PORT": "2"})[0].port == 3


def test_every_value_shows_where_it_came_from(folder):
    (folder / "sandgate.toml").write_text("tls-port = 1\n")
    environ = {"SANDGATE_PORT": "2"}

    assert origin_of("tls_port", {}, environ) == "file sandgate.toml"
    assert origin_of("port", {}, environ) == "variable SANDGATE_PORT"
    assert origin_of("port", {"port": "3"}, environ) == "option --port"
    assert origin_of("live_port", {}, environ) == "default"


def test_a_named_file_is_read_instead_of_the_usual_one(folder):
    (folder / "sandgate.toml").write_text("port = 1\n")
    (folder / "other.toml").write_text("port = 2\n")

    assert read_settings({"config": "other.toml"}, {})[0].port == 2
    assert read_settings({}, {"SANDGATE_CONFIG": "other.toml"})[0].port == 2
    assert origin_of("port", {"config": "other.toml"}, {}) == "file other.toml"


def test_overrides_come_repeated_in_one_variable_or_as_a_table(folder):
    (folder / "sandgate.toml").write_text('[override]\n"D-14" = "field"\n')
    both = {"D-14": "field", "D-02": "ignore"}

    assert read_settings({}, {})[0].override == {"D-14": "field"}
    assert read_settings({"override": ["D-14=field", "D-02=ignore"]}, {})[0].override == both
    assert read_settings({}, {"SANDGATE_OVERRIDE": "D-14=field, D-02=ignore"})[0].override == both


def test_a_flag_given_as_no_wins_over_a_yes_further_down(folder):
    environ = {"SANDGATE_REQUIRE_TLS": "yes"}

    assert read_settings({}, environ)[0].require_tls
    assert not read_settings({"require_tls": False}, environ)[0].require_tls


def test_a_public_address_ends_with_a_slash(folder):
    settings, _ = read_settings({"public_url": "https://pay.example/sandbox"}, {})

    assert settings.public_url == "https://pay.example/sandbox/"


WRONG = [
    #  option         value                what the message must say
    ("port", "http", "a port from 0 to 65535"),
    ("port", "65536", "a port from 0 to 65535"),
    ("port", "-1", "a port from 0 to 65535"),
    ("durability", "maybe", "disk or os or memory"),
    ("profile", "strict", "specification or field"),
    ("log", "xml", "console or json"),
    ("grace", "soon", "a number of seconds"),
    ("override", "D-14", "pairs such as D-14=field"),
    ("public_url", "pay.example", "an address such as"),
    ("require_tls", "perhaps", "true or false"),
]


@pytest.mark.parametrize(("name", "value", "expected"), WRONG)
def test_a_wrong_value_is_refused_with_what_was_expected_and_where_it_stood(
    folder, name, value, expected
):
    variable = f"SANDGATE_{name.upper()}"

    with pytest.raises(SettingsError) as refused:
        read_settings({}, {variable: value})

    assert expected in str(refused.value)
    assert variable in str(refused.value)
    assert value in str(refused.value)


SECRETS = {
    "password=hunter2secretX9": "hunter2secretX9",
    "token=hunter2secretX9": "hunter2secretX9",
    "Bearer hunter2secret123456": "hunter2secret123456",
    "postgresql://u:short7@127.0.0.1:1/db": "short7",
}


@pytest.mark.parametrize("text", SECRETS)
@pytest.mark.parametrize("name", ["journal_age", "public_url", "log", "port"])
def test_no_error_shows_a_secret_that_was_given_as_another_setting(folder, name, text):
    with pytest.raises(SettingsError, match=r"got '.*\*\*\*") as refused:
        read_settings({name: text}, {})

    assert SECRETS[text] not in str(refused.value)


@pytest.mark.parametrize("text", SECRETS)
def test_no_setting_is_shown_with_a_secret_in_it(folder, text):
    _, sources = read_settings({"host": text, "control_key": "k" * 20}, {})

    assert SECRETS[text] not in str([source.shown for source in sources])


WRONG_FILES = [
    ("prot = 1\n", "did you mean port?"),
    ("port = true\n", "a port from 0 to 65535"),
    ("port = true\n", "(file sandgate.toml)"),
    ("port = \n", "configuration file sandgate.toml"),
    (f"port = {'[' * 9000}", "configuration file sandgate.toml: expected TOML"),
    (f"port = {'9' * 5000}", "configuration file sandgate.toml: expected TOML"),
    ("config = 'other.toml'\n", "no setting 'config'"),
]


@pytest.mark.parametrize(("content", "expected"), WRONG_FILES)
def test_a_wrong_file_is_refused(folder, content, expected):
    (folder / "sandgate.toml").write_text(content)

    with pytest.raises(SettingsError, match=r".") as refused:
        read_settings({}, {})

    assert expected in str(refused.value)


def test_a_file_that_is_named_but_not_there_is_refused(folder):
    with pytest.raises(SettingsError, match="other.toml"):
        read_settings({"config": "other.toml"}, {})


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.0.2.1", "pay.example"])
def test_an_address_others_can_reach_asks_for_a_control_key(folder, host):
    with pytest.raises(SettingsError, match="--control-key"):
        read_settings({"host": host}, {})

    key = "k" * CONTROL_KEY_LENGTH_MIN
    assert read_settings({"host": host, "control_key": key}, {})[0].host == host


@pytest.mark.parametrize("place", [
    {"host": "0.0.0.0"}, {"public_url": "https://pay.example"},
    {"public_acs_url": "https://acs.example"},
])  # fmt: skip
def test_a_short_control_key_is_refused_where_others_can_reach_the_gateway(folder, place):
    short = "k" * (CONTROL_KEY_LENGTH_MIN - 1)

    with pytest.raises(SettingsError, match="at least 16 characters, got 15") as refused:
        read_settings({**place, "control_key": short}, {})

    assert short not in str(refused.value)
    assert read_settings({"control_key": "k"}, {})[0].control_key == "k"


BLANK_AMONG = "correct horse battery staple"
USELESS_KEYS = (
    BLANK_AMONG, " correct-horse-battery", "correct-horse-battery\n", 'my"control\\key-123',
    "key,with,commas-123456", "key:with@signs#123456", "schlüssel-geheim-1234", "key=with=equals-1",
    "==================",
)  # fmt: skip


@pytest.mark.parametrize("key", USELESS_KEYS)
def test_a_control_key_that_no_header_carries_is_refused(folder, key):
    with pytest.raises(
        SettingsError, match=r"control-key: expected letters, digits and"
    ) as refused:
        read_settings({}, {"SANDGATE_CONTROL_KEY": key})
    assert key.strip() not in str(refused.value)


@pytest.mark.parametrize("key", ["k", "correct-horse-battery", "Zm9v/YmFy+_~.1234==", "9" * 400])
def test_a_control_key_of_the_signs_of_a_token_is_taken(folder, key):
    assert read_settings({"control_key": key}, {})[0].control_key == key


@pytest.mark.parametrize(
    "key", [" secret-of-the-fleet", "schlüssel-der-flotte", "secret\tof-the-fleet"]
)
def test_a_peer_key_that_no_header_carries_is_refused(folder, key):
    with pytest.raises(SettingsError, match=r"peer-key: expected signs of ASCII"):
        read_settings({"peer_key": key, "store": "postgresql://localhost/x"}, {})


def test_loopback_addresses_are_known():
    assert [host for host in ("127.0.0.1", "127.8.8.8", "::1", "localhost") if is_loopback(host)]
    assert not is_loopback("0.0.0.0")


def test_a_secret_is_never_shown(folder):
    _, sources = read_settings({"control_key": "hush-hush"}, {})

    assert "hush-hush" not in str([source.shown for source in sources])


def test_names_are_spelled_alike_in_all_three_places():
    for row in ROWS:
        assert row.option == f"--{row.key}"
        assert row.variable == "SANDGATE_" + row.key.replace("-", "_").upper()


def test_no_variable_for_clients_is_a_setting_of_serve():
    """A shell that pasted the export line starts another gateway with settings of its own."""
    settings = {row.variable for row in ROWS}

    assert settings.isdisjoint({name for name, _ in VARIABLES})


@pytest.mark.parametrize("is_of_shell", [False, True])
def test_a_folder_that_no_text_can_name_is_refused(folder, monkeypatch, *, is_of_shell):
    odd = folder / "\udce9t\udce9"
    odd.mkdir()
    if is_of_shell:
        monkeypatch.chdir(odd)

    with pytest.raises(SettingsError, match=r"^data: expected .* UTF-8, got .*\\udce9t\\udce9"):
        read_settings({} if is_of_shell else {"data": str(odd)}, {})
