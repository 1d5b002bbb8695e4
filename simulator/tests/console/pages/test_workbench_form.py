"""What the workbench refuses stands in its form, with what was filled in."""

import re
from html import unescape

import pytest

from simulator.tests.console.visitor import Visitor

FILLED = {
    "operation": "refer_payment",
    "about": "8ac7a4a08d3b5b1a018d3b5b1a010001",
    "v:amount": "7.31",
    "v:merchantMemo": 'for "Ada" <b>',
    "more": "customer.givenName=Ada\ncart.items[0].name=Bread",
    "deed": "send",
}
CARD, KEY = "5454545454545454", "a1" * 32
PROBLEM = re.compile(r'<p class="problem" role="alert">([^<]*)</p>')


def shown(page: str, name: str) -> str:
    """What stands in a field of the form."""
    found = re.search(f'name="{re.escape(name)}" value="([^"]*)"', page)
    return unescape(found[1]) if found else ""


@pytest.mark.parametrize("deed", ["send", "check"])
@pytest.mark.parametrize(
    ("sent", "said"),
    [
        ({"about": "v1/payments/8ac7"}, "id in the path: expected the id that stands in the path, "
         "got v1/payments/8ac7"),
        ({"about": ""}, "id in the path: expected the id that stands in the path, got none"),
        ({"more": "customer.givenName=Ada\nhello"}, "More parameters, one a line, name=value: "
         "expected a line name=value, got hello"),
    ],
    ids=["path", "none", "line"],
)  # fmt: skip
def test_the_workbench_keeps_what_was_filled_in(
    anna: Visitor, sandbox: str, sent: dict[str, str], said: str, deed: str
) -> None:
    """It was refused on a page of its own, and all that was filled in was gone."""
    path = f"/console/{sandbox}/workbench"
    anna.get(path)
    filled = {**FILLED, **sent, "deed": deed}

    page = anna.post(path, filled)

    assert page.status_code == 400
    assert [unescape(each) for each in PROBLEM.findall(page.text)] == [said]
    for name in ("about", "v:amount", "v:merchantMemo"):
        assert shown(page.text, name) == filled[name], name
    lines = re.search("<textarea[^>]*>([^<]*)</textarea>", page.text)
    assert lines is not None and unescape(lines[1]).strip() == filled["more"]
    assert "<b>" not in page.text


@pytest.mark.parametrize("secret", [CARD, KEY])
@pytest.mark.parametrize("name", ["about", "more", "v:{}", "more line"])
def test_what_may_be_a_secret_is_not_kept(
    anna: Visitor, sandbox: str, name: str, secret: str
) -> None:
    path = f"/console/{sandbox}/workbench"
    anna.get(path)
    sent = {name.format(secret): secret} if name != "more line" else {"more": f"a=b\n{secret}"}

    page = anna.post(path, {**FILLED, **sent})

    assert page.status_code == 400
    assert secret not in unescape(page.text)
    assert shown(page.text, "v:amount") == "7.31"


def test_a_line_that_is_none_is_named_while_one_types(anna: Visitor, sandbox: str) -> None:
    path = f"/console/{sandbox}/workbench"
    anna.get(path)
    part = anna.post(f"{path}/check", {**FILLED, "more": "hello"})
    assert part.status_code == 200
    assert "expected a line name=value, got hello" in part.text


def test_an_operation_that_there_is_not_has_no_form(anna: Visitor, sandbox: str) -> None:
    path = f"/console/{sandbox}/workbench"
    anna.get(path)
    page = anna.post(path, {**FILLED, "operation": "everything"})
    assert page.status_code == 400 and "Back to the page" in page.text
