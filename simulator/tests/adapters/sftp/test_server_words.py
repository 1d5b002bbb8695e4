"""What a server says that files are pushed to, as it may be shown."""

from base64 import b64encode

import pytest

from simulator.adapters.sftp.server_words import words_of
from simulator.domain.settlement.pushing import PushAccess, PushTarget
from simulator.tests.adapters.sftp.test_hostile_servers import REFUSED_WORDS


def test_the_body_of_a_key_is_not_repeated_and_what_is_in_all_keys_may_be() -> None:
    key = "-----BEGIN OPENSSH PRIVATE KEY-----\nq1w2e3r4t5\nz6u7i8o9p0\n-----END-----\n"
    target = PushTarget(id="m", host="h", port=22, user="u", host_key="k", folder=".")
    access = PushAccess(target, "", key)

    assert words_of(OSError("OpenSSH: 3r4t5z6 it is"), access) == REFUSED_WORDS
    assert words_of(OSError("OpenSSH is full"), access) == "OpenSSH is full"


@pytest.mark.parametrize("password", ["a7", "k2x", "tulip12"])
@pytest.mark.parametrize("user", ["jones", "kim", "miller"])
def test_a_short_password_is_not_repeated_in_base64_and_other_words_may_be_said(
    password: str, user: str
) -> None:
    target = PushTarget(id="m", host="h", port=22, user=user, host_key="k", folder=".")
    access = PushAccess(target, password, "")
    packed = b64encode(f"{user}:{password}".encode()).decode()

    assert words_of(OSError(f"login {packed} is over its quota"), access) == REFUSED_WORDS
    assert words_of(OSError("no room"), access) == "no room"
