"""Deliveries to URLs of single payments that wait until fewer of these have a queue."""

from collections.abc import Collection
from urllib.parse import urlsplit


class WaitingUrls:
    """The ids of deliveries by their URL, in their order. The hosts take turns: one that does not
    respond, with however many URLs, delays another by little.
    """

    __slots__ = ("_hosts",)

    def __init__(self) -> None:
        self._hosts: dict[str, dict[str, dict[str, None]]] = {}

    def __bool__(self) -> bool:
        return bool(self._hosts)

    def add(self, url: str, identity: str) -> None:
        """Let a delivery wait; one that waits already keeps its place."""
        urls = self._hosts.setdefault(urlsplit(url).netloc, {})
        urls.setdefault(url, {})[identity] = None

    def take(self) -> tuple[str, Collection[str]]:
        """The next URL with its deliveries, which wait no longer. Raises StopIteration."""
        host = next(iter(self._hosts))
        urls = self._hosts.pop(host)
        url = next(iter(urls))
        taken = urls.pop(url)
        if urls:
            self._hosts[host] = urls
        return url, taken

    def clear(self) -> None:
        """Let none wait any longer."""
        self._hosts.clear()
