"""The shopper's browser, as far as a judge needs one: it asks once, and follows nothing."""

import json
import re
from collections.abc import Iterator, Mapping
from html import unescape
from typing import Any
from urllib.parse import urlsplit

from simulator.client import Answer, Connection, form_of

FORM = "application/x-www-form-urlencoded"
ACTIONS = {"approves": "approve", "declines": "decline", "cancels": "cancel"}
CHOICES = {"pays": "pay", "cancels": "cancel", "fails": "fail", "leaves": "leave"}


def arrive(redirect: Mapping[str, Any]) -> Answer:
    """What the page answers to a shopper who is sent there as the merchant was told."""
    return _asked(redirect, "GET", None)


def choose(redirect: Mapping[str, Any], words: str) -> Answer:
    """What the page answers to the last of these choices: `pays, then cancels`."""
    *_, last = _choices(redirect, words.split(", then "))
    return last


def call_frames(redirect: Mapping[str, Any]) -> None:
    """Post what is to be posted in hidden frames before the shopper goes, and what comes of it."""
    for each in redirect["preconditions"]:
        sent = {one["name"]: one["value"] for one in each["parameters"]}
        page = str(_posted(each["url"], form_of(sent), FORM).body, "utf-8")
        action = re.search(r'action="([^"]*)"', page)
        data = re.search(r'name="threeDSMethodData" value="([^"]*)"', page)
        assert action and data, "the method answers with a form"
        _posted(unescape(action[1]), form_of({"threeDSMethodData": unescape(data[1])}), FORM)


def authenticate(redirect: Mapping[str, Any], word: str) -> Answer:
    """What the way back from the bank answers to a shopper who does so there."""
    arrived = arrive(redirect)
    if word == "arrives" or "acsURL" not in arrived.body:
        return arrived
    action = json.dumps({"action": ACTIONS[word]}).encode()
    end = _posted(arrived.body["acsURL"], action, "application/json").body
    return _posted(end["notificationURL"], form_of({"cres": end["cres"]}), FORM)


def _posted(url: str, body: bytes, content_type: str) -> Answer:
    parts = urlsplit(url)
    link = Connection(f"{parts.scheme}://{parts.netloc}/")
    try:
        path = parts.path.lstrip("/")
        return link.ask("POST", path, headers={"Content-Type": content_type}, body=body)
    finally:
        link.close()


def _choices(redirect: Mapping[str, Any], choices: list[str]) -> Iterator[Answer]:
    for choice in choices:
        sent = {each["name"]: each["value"] for each in redirect["parameters"]}
        yield _asked(redirect, "POST", form_of({**sent, "action": CHOICES[choice]}))


def _asked(redirect: Mapping[str, Any], method: str, body: bytes | None) -> Answer:
    parts = urlsplit(redirect["url"])
    link = Connection(f"{parts.scheme}://{parts.netloc}/")
    headers = {} if body is None else {"Content-Type": "application/x-www-form-urlencoded"}
    try:
        return link.ask(method, parts.path.lstrip("/"), headers=headers, body=body)
    finally:
        link.close()
