"""A small browser: it keeps cookies, follows redirects on one host and runs no scripts."""

import http.client
import ssl
import threading
import urllib.error
import urllib.request
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass
from functools import partial
from http.cookiejar import CookieJar
from typing import TypeVar
from urllib.parse import urlencode, urljoin, urlsplit

from simulator.client.transport.links import LinkHandler

TIMEOUT_S = 30.0
REDIRECTS_MAX = 5
PAGE_BYTES_MAX = 1024 * 1024
T = TypeVar("T")
# How an authority is named: at most commands, and where a target file describes the gateway.
BY_EITHER, BY_OPTION = "--ca-file or SANDGATE_CA_FILE", "--ca-file"
BY_VARIABLE = "SANDGATE_CA_FILE"
BY_TARGET_FILE = "ca_file in the target file"
# What OpenSSL finds in a certificate whose authority is known: not yet valid, no longer valid, for
# another host, for another address.
TRUSTED = (9, 10, 62, 64)
# What the library for TLS says where none is spoken.
NO_TLS = ("WRONG_VERSION_NUMBER", "HTTP_REQUEST", "RECORD_LAYER_FAILURE")


@dataclass(frozen=True, slots=True)
class BrowserPage:
    """What a browser shows: a status (0 and why, where none came) and a text."""

    status: int
    text: str = ""
    error: str = ""

    def says(self, words: str) -> bool:
        """Whether these words stand on the page, in whatever case."""
        return words.lower() in self.text.lower()


class Browser:
    """One shopper. It goes where the shop sends it, but to no other host."""

    def __init__(self, tls: ssl.SSLContext | None, *, time_limit_s: float = TIMEOUT_S):
        self._opener = plain_opener(tls)
        self._opener.add_handler(urllib.request.HTTPCookieProcessor(CookieJar()))
        self._time_limit_s = time_limit_s

    def open(self, url: str) -> BrowserPage:
        """The page behind an address, and behind what that redirects to on the same host."""
        for _ in range(REDIRECTS_MAX + 1):
            try:
                page, forward = run_within(self._time_limit_s, partial(self._open, url))
            except (OSError, http.client.HTTPException, ValueError) as gone:
                return BrowserPage(0, error=f"no answer: {failure_reason(gone, trust=BY_OPTION)}")
            if forward is None or urlsplit(forward).netloc != urlsplit(url).netloc:
                return page
            url = forward
        return BrowserPage(0, error=f"more than {REDIRECTS_MAX} redirects")

    def _open(self, url: str) -> tuple[BrowserPage, str | None]:
        with self._opener.open(url, timeout=self._time_limit_s) as answer:
            text = answer.read(PAGE_BYTES_MAX).decode("utf-8", "replace")
            location = answer.headers.get("Location") if 300 <= answer.status < 400 else None
            return BrowserPage(answer.status, text), urljoin(url, location) if location else None


def plain_opener(tls: ssl.SSLContext | None) -> urllib.request.OpenerDirector:
    """An opener without those that follow, proxy, or raise: each answer is seen as it came."""
    opener = urllib.request.OpenerDirector()
    opener.add_handler(LinkHandler(tls))
    return opener


def run_within(seconds: float, work: Callable[[], T]) -> T:
    """What the work comes to; TimeoutError after so many seconds, and what it raises itself.

    A time-out of a socket begins anew with each byte, so a slow sender could delay for ever. The
    thread that still reads ends with the process.
    """
    outcome: Future[T] = Future()

    def run() -> None:
        try:
            outcome.set_result(work())
        except (OSError, http.client.HTTPException, ValueError) as error:
            outcome.set_exception(error)

    threading.Thread(target=run, daemon=True).start()
    try:
        return outcome.result(seconds)
    except TimeoutError:
        raise TimeoutError(f"not whole after {seconds:g} s") from None


def failure_reason(gone: BaseException | str, *, trust: str = BY_EITHER) -> str:
    """Why no answer came, in a few words, and what may be done where that is plain.

    `trust` is how a certificate authority is named where this is printed.
    """
    if isinstance(gone, urllib.error.URLError):
        return failure_reason(gone.reason, trust=trust)
    if isinstance(gone, ssl.SSLCertVerificationError):
        reason = gone.verify_message.rstrip(".")
        return reason if gone.verify_code in TRUSTED else f"{reason}; name the CA with {trust}"
    if getattr(gone, "reason", "") in NO_TLS:
        return "an answer without TLS; is it http://?"
    if isinstance(gone, ConnectionResetError):
        return "a closed connection; is it https://?"
    return str(getattr(gone, "strerror", None) or gone or type(gone).__name__).lower()


def with_query(url: str, parameters: dict[str, str]) -> str:
    """An address with parameters behind its own, as the gateway sends a shopper back."""
    if not parameters:
        return url
    return f"{url}{'&' if urlsplit(url).query else '?'}{urlencode(parameters)}"
