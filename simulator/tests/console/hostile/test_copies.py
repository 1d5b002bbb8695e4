"""A request copied for a shell: what others wrote in it is never a word of that shell."""

import re
import subprocess
from html import unescape
from pathlib import Path
from urllib.parse import parse_qsl, quote, urlsplit

import pytest

from simulator.service.console.bench.copies import TOKEN_NAME, curl_of
from simulator.tests.console.visitor import Visitor
from simulator.tests.kit.gateway import Gateway

# What ends a word of a shell, expands, or is a control character of the terminal it is pasted into.
HOSTILE = (
    ";touch pwned;", "|touch pwned", "&touch pwned&", "$(touch pwned)", "`touch pwned`",
    "\ntouch pwned\n", "'\ntouch pwned\n'", '"\ntouch pwned\n"', ">pwned", "*", "~", "!!", "#x",
    "\\\ntouch pwned", "{a,b}", "\x1b[201~\ntouch pwned\n", "\x03touch pwned\r", "a b\tc", "%41%00",
    "@pwned", "--output=pwned", "x&amount=1.00", "1+1", "\u202ex", "ü",
)  # fmt: skip
URL = "http://127.0.0.1:8080/v1/payments"
URL_OF_TEST, URL_OF_LIVE = "http://127.0.0.1:8080/", "http://127.0.0.1:8081/"


def words_of(command: str, folder: Path) -> list[str]:
    """The words that a shell calls curl with; nothing else may come of the command."""
    script = f"curl() {{ printf '%s\\0' \"$@\"; }}\n{TOKEN_NAME}=secret\n{command}\n"
    ran = subprocess.run(["sh", "-c", script], cwd=folder, capture_output=True, check=True)
    assert list(folder.iterdir()) == [] and ran.stderr == b""
    return ran.stdout.decode().split("\0")[:-1]


def sent_in(words: list[str]) -> list[tuple[str, str]]:
    """The parameters that curl would send."""
    found = [word for option, word in zip(words, words[1:], strict=False) if option == "-d"]
    assert not any(word.startswith("@") for word in found)
    return [pair for word in found for pair in parse_qsl(word, keep_blank_values=True)]


@pytest.mark.parametrize("text", HOSTILE)
@pytest.mark.parametrize("method", ["POST", "GET"])
def test_a_copy_sends_what_was_sent(tmp_path: Path, method: str, text: str) -> None:
    sent = {f"customParameters[{text}]": text, text: "1"}

    command = curl_of(URL, method, sent)

    assert command.replace("\n", "").isprintable()
    words = words_of(command, tmp_path)
    assert words[0] == URL and sent_in(words) == list(sent.items())


@pytest.mark.parametrize("text", HOSTILE)
def test_a_path_in_the_journal_is_one_word_of_its_copy(
    gateway: Gateway, anna: Visitor, sandbox: str, tmp_path: Path, text: str
) -> None:
    path = f"/v1/payments/{quote(text, safe='')}"
    answer = gateway.send(path, {"paymentType": "CP", "amount": "1.00", "currency": "EUR"})
    page = anna.get(f"/console/{sandbox}/journal/{answer.json['ndc']}").text
    (copied,) = re.findall(r'<pre tabindex="0">(curl .*?)</pre>', page, re.DOTALL)
    folder = tmp_path / "shell"
    folder.mkdir()

    words = words_of(unescape(copied), folder)

    assert urlsplit(words[0]).path == path
    assert {"paymentType", "amount"} <= dict(sent_in(words)).keys()


@pytest.mark.parametrize("place", ["payments", "journal"])
@pytest.mark.parametrize("chosen", ["test", "live"])
def test_a_copy_of_a_live_payment_goes_to_the_live_host(
    gateway: Gateway, anna: Visitor, sandbox: str, place: str, chosen: str
) -> None:
    gateway.ports(sandbox).addresses.move(URL_OF_TEST, URL_OF_LIVE)
    paid = gateway.post(who=gateway.live).json
    anna.get("/console")
    anna.post("/console/host", {"host": chosen})
    shown = {"payments": paid["id"], "journal": paid["ndc"]}[place]

    page = unescape(anna.get(f"/console/{sandbox}/{place}/{shown}").text)

    expected = f'curl {URL_OF_LIVE}v1/payments -H "Authorization: Bearer $SANDGATE_LIVE_TOKEN"'
    assert expected in page


@pytest.mark.parametrize("chosen", ["test", "live"])
def test_a_copy_of_what_is_about_no_payment_goes_to_the_host_that_is_shown(
    gateway: Gateway, anna: Visitor, sandbox: str, chosen: str
) -> None:
    gateway.ports(sandbox).addresses.move(URL_OF_TEST, URL_OF_LIVE)
    refused = gateway.post(amount="x").json["ndc"]
    anna.get("/console")
    anna.post("/console/host", {"host": chosen})

    page = unescape(anna.get(f"/console/{sandbox}/journal/{refused}").text)

    assert f"curl {URL_OF_LIVE if chosen == 'live' else URL_OF_TEST}v1/payments" in page
