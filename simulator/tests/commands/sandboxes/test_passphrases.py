"""`sandgate sandbox restore` says where the passphrase that it was given was not needed."""

import pytest

from simulator.cli import command_line
from simulator.client import Control

NOT_NEEDED = "sandgate: the passphrase was not needed: the file was made without one\n"
HEADER = (
    b'{"snapshot":"sandgate","format":1,"made_at":"2030-01-03T00:00:00Z","bytes":0,"sha256":"",'
    b'"locked_key":"%s"}\n'
)


@pytest.mark.parametrize(
    ("locked_key", "given", "said"),
    [
        (b"", ("--passphrase", "correct horse"), NOT_NEEDED),
        (b"", (), ""),
        (b"locked", ("--passphrase", "correct horse"), ""),
    ],
)
def test_a_passphrase_that_was_not_needed_is_named(
    locked_key, given, said, tmp_path, monkeypatch, capsys
):
    file = tmp_path / "kept.snapshot"
    file.write_bytes(HEADER % locked_key)
    monkeypatch.setattr(Control, "restore", lambda *_: {"id": "8a", "epoch": 2})
    monkeypatch.setenv("SANDGATE_CONTROL_URL", "http://127.0.0.1:9/")
    monkeypatch.setenv("SANDGATE_CONTROL_API_KEY", "key")

    with pytest.raises(SystemExit) as ended:
        command_line().main(["sandbox", "restore", str(file), *given])

    assert ended.value.code == 0
    assert capsys.readouterr() == ("8a is restored: epoch 2\n", said)
