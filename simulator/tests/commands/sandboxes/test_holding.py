"""`sandgate hold at` says what still waits where nothing more is held."""

import threading

from simulator.tests.commands.test_steering import Terminal, gateway, terminal
from simulator.tests.kit.gateway import ORDER

__all__ = ["gateway", "terminal"]
NOTHING = "no message is held any more\n"


def test_a_message_that_is_still_held_is_named_where_no_more_are_held(terminal: Terminal) -> None:
    assert terminal.said("hold", "at") == NOTHING
    terminal.said("hold", "at", "acquirer")
    paying = threading.Thread(target=terminal.client.post, args=("v1/payments", ORDER))
    paying.start()
    while not terminal.control.held(terminal.made["id"]):
        paying.join(0.05)

    said = terminal.said("hold", "at")
    terminal.said("hold", "release")
    paying.join(30)

    assert said == "no further message is held; 1 is still held: `sandgate hold list`\n"
    assert terminal.said("hold", "at") == NOTHING
