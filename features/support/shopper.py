"""The shopper of a scenario: a browser that sends single requests and follows no redirect."""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import unescape
from typing import Any
from urllib.parse import urlsplit

from simulator.client import Answer, Connection, Interceptor, form_of

FORM, PAGE = "application/x-www-form-urlencoded", "text/html"
ACTIONS = {"approves": "approve", "declines": "decline", "cancels": "cancel"}
# The one-time code, as the page of the test bank shows it.
CODE = re.compile(r"<b>([0-9]{6})</b>")
CHOICES = {"pays": "pay", "cancels": "cancel", "fails": "fail", "leaves": "leave"}


@dataclass(frozen=True)
class Shopper:
    """A shopper whom a merchant redirected; `around` intercepts the requests of the browser.

    `ca_file` is the authority the browser trusts beside those it knows.
    """

    around: Interceptor | None = None
    ca_file: str | None = None

    def arrive(self, redirect: Mapping[str, Any]) -> Answer:
        """The answer of the page to a shopper who arrives by a redirect."""
        return self._ask("GET", redirect["url"])

    def choose(self, redirect: Mapping[str, Any], words: str) -> Answer:
        """The answer of the page to the last of these choices: `pays, then cancels`."""
        sent = {each["name"]: each["value"] for each in redirect["parameters"]}
        choices = [CHOICES[word] for word in words.split(", then ")]
        *_, last = [
            self._ask("POST", redirect["url"], form_of({**sent, "action": choice}))
            for choice in choices
        ]
        return last

    def pay_in_browser(self, redirect: Mapping[str, Any]) -> Answer:
        """The page that a browser shows to a shopper who pays."""
        sent = {each["name"]: each["value"] for each in redirect["parameters"]}
        body = form_of({**sent, "action": "pay"})
        return self._ask("POST", redirect["url"], body, accept=PAGE)

    def call_frames(self, redirect: Mapping[str, Any]) -> None:
        """Post the forms of the hidden frames, and the forms that they answer with."""
        for each in redirect["preconditions"]:
            sent = {one["name"]: one["value"] for one in each["parameters"]}
            page = str(self._ask("POST", each["url"], form_of(sent)).body, "utf-8")
            action = re.search(r'action="([^"]*)"', page)
            data = re.search(r'name="threeDSMethodData" value="([^"]*)"', page)
            assert action and data, "the method answers with a form"
            completion = form_of({"threeDSMethodData": unescape(data[1])})
            self._ask("POST", unescape(action[1]), completion)

    def authenticate(self, redirect: Mapping[str, Any], word: str) -> Answer:
        """The answer of the merchant's page to a shopper who comes back from the bank."""
        arrived = self.arrive(redirect)
        if word == "arrives" or "acsURL" not in arrived.body:
            return arrived
        action = json.dumps({"action": ACTIONS[word]}).encode()
        end = self._ask("POST", arrived.body["acsURL"], action, "application/json").body
        return self._ask("POST", end["notificationURL"], form_of({"cres": end["cres"]}))

    def enter_codes(self, redirect: Mapping[str, Any], are_right: Sequence[bool]) -> None:
        """Enter codes on the page of the issuer, which shows the right one, and go where its last
        page leads; nowhere where it asks once more.
        """
        arrived = self.arrive(redirect)
        url, creq = arrived.body["acsURL"], form_of({"creq": arrived.body["creq"]})
        page = self._page(url, creq)
        code = CODE.search(page)
        assert code, "the page of the issuer shows a code"
        wrong = str(int(code[1][::-1]) + 1)
        for is_right in are_right:
            page = self._page(url, form_of({"code": code[1] if is_right else wrong}))
        brought = re.search(r'name="cres" value="([^"]*)"', page)
        if brought:
            action = re.search(r'action="([^"]*)"', page)
            assert action, "the page leads back by a form"
            self._ask("POST", unescape(action[1]), form_of({"cres": unescape(brought[1])}))

    def _page(self, url: str, form: bytes) -> str:
        return str(self._ask("POST", url, form, accept=PAGE).body, "utf-8")

    def arrive_in_browser(self, redirect: Mapping[str, Any]) -> Answer:
        """The page that a browser shows to a shopper who arrives by a redirect."""
        return self._ask("GET", redirect["url"], accept=PAGE)

    def bring_session(self, redirect: Mapping[str, Any], data: str) -> tuple[Answer, Answer]:
        """The answers of the issuer to a CReq with session data, and to the approval after it."""
        arrived = self.arrive(redirect)
        sent = {"creq": arrived.body["creq"], **({"threeDSSessionData": data} if data else {})}
        opened = self._ask("POST", arrived.body["acsURL"], form_of(sent))
        action = json.dumps({"action": "approve"}).encode()
        return opened, self._ask("POST", arrived.body["acsURL"], action, "application/json")

    def bring_result(self, redirect: Mapping[str, Any], times: int) -> Answer:
        """The answer to a shopper who approves and brings the result so many times in one form."""
        arrived = self.arrive(redirect)
        action = json.dumps({"action": "approve"}).encode()
        end = self._ask("POST", arrived.body["acsURL"], action, "application/json").body
        once = form_of({"cres": end["cres"]})
        return self._ask("POST", end["notificationURL"], b"&".join([once] * times))

    def _ask(
        self,
        method: str,
        url: str,
        body: bytes | None = None,
        content_type: str = FORM,
        *,
        accept: str = "",
    ) -> Answer:
        parts = urlsplit(url)
        base = f"{parts.scheme}://{parts.netloc}/"
        link = Connection(base, ca_file=self.ca_file, around=self.around)
        headers = {} if body is None else {"Content-Type": content_type}
        headers |= {"Accept": accept} if accept else {}
        try:
            return link.ask(method, parts.path.lstrip("/"), headers=headers, body=body)
        finally:
            link.close()
