"""The two hosts: a token belongs to one of them, and so does every payment.

Source: Hosts. Choice: D-88.
"""

from collections.abc import Mapping
from typing import Literal

Host = Literal["test", "live"]
TEST: Host = "test"
LIVE: Host = "live"
HOSTS: tuple[Host, ...] = (TEST, LIVE)
# The variables in which programs find the token of each.
TOKEN_NAMES: Mapping[Host, str] = {TEST: "SANDGATE_TOKEN", LIVE: "SANDGATE_LIVE_TOKEN"}

# The listener of the ACS, and the name under which the others take what comes for its pages.
# Choice: D-711.
ACS, BESIDE = "acs", "acs-beside"
ACS_LISTENERS = (ACS, BESIDE)

# The mode of a live payment that asked for no test mode.
NO_TEST_MODE = "NONE"

# What succeeds in each test mode without an answer of its own. Choices: D-16, D-88.
SUCCESS_CODES = {"INTERNAL": "000.100.110", "EXTERNAL": "000.100.112", NO_TEST_MODE: "000.000.000"}


def of_host(name: str, host: Host) -> str:
    """A name as it is on a host. On the test host it is itself, as when both had the same."""
    return name if host == TEST else f"{name}.{host}"
