"""Where the gateway is reached from outside: known only once its listeners are open."""

from simulator.domain.core.hosts import LIVE, Host


class ListenerAddresses:
    """The base address of each host, as ports.Addresses; each ends with a slash. At `shared_url`
    other machines open the console; it is empty where they do not. The address of the ACS may be
    given: then browsers reach it there alone.
    """

    def __init__(self, base_url: str, live_url: str, *, is_acs_given: bool = False):
        self._base_url = base_url
        self._live_url = live_url
        self.shared_url = ""
        self.is_acs_given = is_acs_given

    def base(self, host: Host) -> str:
        """The base address of `host`."""
        return self._live_url if host == LIVE else self._base_url

    def move(self, base_url: str, live_url: str, shared_url: str = "") -> None:
        """From here on it is reached there."""
        self._base_url, self._live_url, self.shared_url = base_url, live_url, shared_url
