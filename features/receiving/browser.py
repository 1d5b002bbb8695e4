"""The shopper's browser, as far as a judge needs one: it keeps cookies and runs no scripts."""

import http.client
import ssl
import urllib.request
from dataclasses import dataclass
from http.cookiejar import CookieJar
from urllib.parse import urlencode, urljoin, urlsplit

TIMEOUT_S = 30.0
REDIRECTS_MAX = 5
PAGE_BYTES_MAX = 1024 * 1024


@dataclass(frozen=True, slots=True)
class Page:
    """What a browser shows: a status (0 and why, where none came) and a text."""

    status: int
    text: str = ""
    error: str = ""

    def says(self, words: str) -> bool:
        """Whether these words stand on the page, in whatever case."""
        return words.lower() in self.text.lower()


class Browser:
    """One shopper. It goes where the shop sends it, but to no other host."""

    def __init__(self, tls: ssl.SSLContext | None):
        self._opener = urllib.request.OpenerDirector()
        # Without those that follow, proxy, or raise: each answer is seen as it came.
        for handler in (
            urllib.request.HTTPHandler(),
            urllib.request.HTTPSHandler(context=tls),
            urllib.request.HTTPCookieProcessor(CookieJar()),
        ):
            self._opener.add_handler(handler)

    def open(self, url: str) -> Page:
        """The page behind an address, and behind what that redirects to on the same host."""
        for _ in range(REDIRECTS_MAX + 1):
            try:
                page, forward = self._open(url)
            except (OSError, http.client.HTTPException) as gone:
                return Page(0, error=f"no answer: {why(gone)}")
            if forward is None or urlsplit(forward).netloc != urlsplit(url).netloc:
                return page
            url = forward
        return Page(0, error=f"more than {REDIRECTS_MAX} redirects")

    def _open(self, url: str) -> tuple[Page, str | None]:
        with self._opener.open(url, timeout=TIMEOUT_S) as answer:
            text = answer.read(PAGE_BYTES_MAX).decode("utf-8", "replace")
            location = answer.headers.get("Location") if 300 <= answer.status < 400 else None
            return Page(answer.status, text), urljoin(url, location) if location else None


def why(gone: Exception) -> str:
    """Why no page came, in a few words."""
    reason = getattr(gone, "reason", gone)
    return str(getattr(reason, "strerror", None) or reason or type(reason).__name__).lower()


def with_query(url: str, parameters: dict[str, str]) -> str:
    """An address with parameters behind its own, as the gateway sends a shopper back."""
    if not parameters:
        return url
    return f"{url}{'&' if urlsplit(url).query else '?'}{urlencode(parameters)}"
