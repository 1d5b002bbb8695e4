"""The buttons of a first payment in a sandbox whose channel is set up for 3-D Secure 2."""

from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import urlsplit

from simulator.client import Control
from simulator.tests.kit.running import serving


def test_a_first_payment_ends_as_its_button_says_where_the_channel_asks_the_shopper(
    tmp_path: Path,
) -> None:
    with serving(tmp_path / "data") as running:
        control = Control(running.facts["control_url"], running.facts["control_key"])
        sandbox = control.sandboxes()[0]
        merchant = sandbox["merchants"][0]
        ids = (sandbox["id"], merchant["id"], merchant["channels"][0]["id"])
        control.change_channel(*ids, three_d_secure={"VISA": "2.2.0"})
        pages = {name: tried(running.facts["base_url"], name) for name in ("pay", "decline")}

    assert "<h1>000.100.110<" in pages["pay"]
    assert "<h1>800.100.203<" in pages["decline"]


def tried(base_url: str, name: str) -> str:
    """The page behind a button of the landing page."""
    place = urlsplit(base_url)
    connection = HTTPConnection(place.hostname, place.port, timeout=30)
    connection.request("POST", f"/try/{name}")
    return connection.getresponse().read().decode()
