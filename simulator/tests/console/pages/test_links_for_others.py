"""A link for others is shown with a warning where only this machine can open it."""

from html import unescape

import pytest

from simulator.tests.console.visitor import HOST, Visitor

CLASSES, PEOPLE = "/console/classes", "/console/people"
WARNING = "Other machines and phones cannot open this link"
SENT = {CLASSES: {"seed": "7"}, PEOPLE: {"role": "viewer", "name": ""}}


@pytest.mark.parametrize("path", [CLASSES, PEOPLE])
@pytest.mark.parametrize(
    ("host", "is_warned"),
    [
        (HOST, True), ("0.0.0.0:8443", True), ("127.0.0.1", True), ("localhost", True),
        ("[::1]", True), ("[::]", True), ("192.0.2.2:8443", False), ("[2001:db8::2]", False),
    ],
)  # fmt: skip
def test_a_link_that_only_this_machine_opens_says_so(
    anna: Visitor, path: str, host: str, *, is_warned: bool
) -> None:
    """With --host 0.0.0.0 the link and the QR code of a class led each phone to itself."""
    anna.cookies |= {
        name.rpartition("-")[0] + "-8443": value for name, value in anna.cookies.items()
    }
    anna.get(path)
    assert WARNING not in anna.get(path).text

    page = anna.post(path, SENT[path], Host=host, Origin=f"http://{host}")

    assert page.status_code == 200
    assert (WARNING in unescape(page.text)) is is_warned
