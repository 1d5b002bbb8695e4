"""Every route of the gateway with every credential that does not open it, taken from the table of
routes: a new one is in no row here, and has to be refused to all, or to get one.
"""

import re
from collections.abc import Iterator, Mapping
from datetime import timedelta
from typing import NamedTuple

import pytest
from falcon.testing import Result

from simulator.domain.console import people
from simulator.tests.console.visitor import Visitor, administrator_of, person_of
from simulator.tests.kit.gateway import CONTROL_KEY, FORM, Gateway
from simulator.web.console.routes import ROWS
from simulator.web.control.access import PREFIX

# What is answered to anybody, and why.
OPEN: Mapping[str, tuple[str, ...]] = {
    "what the gateway says of itself": (
        "GET /", "GET /openapi.json", "GET /_sandbox/openapi.json",
        "GET /_sandbox/v1/openapi.json", "GET /_sandbox/behaviour.schema.json", "GET /docs",
        "GET /docs/openapi.json", "GET /docs/{asset}", "GET /_sandbox/docs", "GET /reference",
        "GET /v1/resultcodes", "GET /_sandbox/health", "GET /_sandbox/ready",
        "GET /console/assets/{name}", "GET /lessons/shop",
    ),
    "for those who sit at this machine": ("POST /try/{name}", "GET /_sandbox/metrics"),
    "the way in to the console": ("GET /console/sign-in", "POST /console/sign-in",
                                  "POST /console/sign-out"),
    "the same for each shopper": (
        "GET /v1/paymentWidgets.js", "GET /v1/fastcheckout/integrity", "GET /form/number",
        "GET /form/cvv", "GET /form/relay", "GET /form/style.css", "GET /form/brands/{brand}.svg",
    ),
}  # fmt: skip
# What a secret in the path opens, which is wrong here.
BY_PATH = tuple(
    f"{method} {path}"
    for path, methods in {
        "/console/invitations/{secret}": "GET POST",
        "/console/join/{secret}": "GET POST",
        "/console/back/{secret}": "GET POST",
        "/redirect/{sandbox}/{payment}/{token}": "GET POST",
        "/threeDSecure/{sandbox}/{payment}/method": "POST",
        "/threeDSecure/{sandbox}/{payment}/return": "POST",
        "/threeDSecure/{sandbox}/{payment}/{token}": "GET POST",
        "/form/{identity}": "GET",
        "/form/{identity}/open": "POST",
        "/form/{identity}/kept": "POST",
        "/form/{identity}/confirm": "POST",
        "/form/{identity}/wallet": "GET POST",
        "/_sandbox/v1/sandboxes/{identity}/inbox/{key}": "POST",
    }.items()
    for method in methods.split()
)
# Its answer says that nothing has this address.
ALWAYS_200 = "POST /threeDSecure/{sandbox}/{payment}/results/{secret}"
# The key of a sandbox opens none of these.
OF_INSTALLATION = re.compile(
    rf"\S+ {PREFIX}/(?:sandboxes|sandboxes/restore|people(?:/.*)?|journal(?:/.*)?)"
)
NOTHING: Mapping[str, str] = {}


class RoutedGateway(NamedTuple):
    """A gateway, its calls as the table of routes has them, and what an id in a path is here."""

    gateway: Gateway
    anna: Visitor
    sandbox: str
    calls: tuple[str, ...]

    def ask(self, call: str, headers: Mapping[str, str] = NOTHING) -> Result:
        """A call with these credentials, about this sandbox."""
        method, path = call.split(" ", 1)
        path = path.replace("{sandbox}", self.sandbox)
        path = path.replace("sandboxes/{identity}", f"sandboxes/{self.sandbox}")
        path = re.sub(r"{\w+}", "8" * 32, path)
        return self.gateway.client.simulate_request(
            method, path, headers={"Host": "console.localhost", "Content-Type": FORM, **headers}
        )


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RoutedGateway]:
    gateway = Gateway(tmp_path_factory.mktemp("rights"), is_described=False)
    anna = administrator_of(gateway)
    methods = gateway._built.application._router.methods
    calls = tuple(
        f"{method} {path}" for path, has in methods.items() for method in has if method != "OPTIONS"
    )
    yield RoutedGateway(
        gateway, anna, gateway.control("GET", "/sandboxes").json["sandboxes"][0]["id"], calls
    )
    gateway.close()


def is_refused(call: str, answer: Result) -> bool:
    """Whether an answer asks for credentials, or for other ones."""
    if call.split(" ")[1].startswith("/console"):
        return answer.status_code == 303 and answer.headers["Location"].startswith(
            "/console/sign-in"
        )
    return answer.status_code in (401, 403)


def guarded(site: RoutedGateway) -> list[str]:
    """The calls that need credentials in their headers."""
    free = {ALWAYS_200, *BY_PATH, *(each for calls in OPEN.values() for each in calls)}
    assert free <= set(site.calls), f"no longer there: {free - set(site.calls)}"
    return [each for each in site.calls if each not in free]


def control_calls(site: RoutedGateway) -> list[str]:
    """Those of the control API."""
    return [each for each in guarded(site) if each.split(" ")[1].startswith(PREFIX)]


def merchant_calls(site: RoutedGateway) -> list[str]:
    """Those of the merchant API."""
    apart = (PREFIX, "/console")
    return [each for each in guarded(site) if not each.split(" ")[1].startswith(apart)]


def bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


def test_every_call_without_credentials_is_refused_but_for_those_named_here(
    site: RoutedGateway,
) -> None:
    answers = {call: site.ask(call) for call in guarded(site)}

    assert [call for call, answer in answers.items() if not is_refused(call, answer)] == []
    assert len(answers) > 200


def test_an_unknown_secret_in_a_path_opens_nothing(site: RoutedGateway) -> None:
    for call in BY_PATH:
        answer = site.ask(call)
        assert answer.status_code in (401, 403, 404), (call, answer.text)
        assert site.sandbox not in answer.text
    assert "Erro" in site.ask(ALWAYS_200).text


def test_no_other_credential_opens_the_control_api(site: RoutedGateway) -> None:
    made, gone = (site.gateway.control("POST", "/sandboxes", {}).json for _ in range(2))
    site.gateway.control("DELETE", f"/sandboxes/{gone['id']}")
    cookie = "; ".join(f"{name}={value}" for name, value in site.anna.cookies.items())
    others = {
        "a wrong key": bearer("wrong"),
        "no key": {"Authorization": "Bearer"},
        "an access token of the sandbox": bearer(site.gateway.merchant.token),
        "a live token of it": bearer(site.gateway.live.token),
        "the key of another sandbox": bearer(made["control_key"]),
        "the token of another sandbox": bearer(made["token"]),
        "the key of a sandbox that was deleted": bearer(gone["control_key"]),
        "the key as a name": {"Authorization": f"Basic {CONTROL_KEY}"},
        "the sign-in of an administrator": {"Cookie": cookie},
        "a capability of a form": {"Authorization": f"Checkout {'a' * 48}"},
    }
    for call in control_calls(site):
        for what, headers in others.items():
            assert site.ask(call, headers).status_code == 401, (call, what)


def test_the_key_of_a_sandbox_opens_what_is_about_it_alone(site: RoutedGateway) -> None:
    made = site.gateway.control("POST", "/sandboxes", {}).json
    its = site._replace(sandbox=made["id"])
    # With the last of these the sandbox is gone.
    calls = sorted(control_calls(site), key=f"DELETE {PREFIX}/sandboxes/{{identity}}".__eq__)
    opened = [
        call for call in calls if its.ask(call, bearer(made["control_key"])).status_code != 401
    ]
    installation = {call for call in calls if OF_INSTALLATION.fullmatch(call)}

    assert set(opened) == set(calls) - installation
    assert len(installation) == 8


def test_no_other_credential_opens_the_merchant_api(site: RoutedGateway) -> None:
    gateway = site.gateway
    made = [gateway.control("POST", "/sandboxes", {}).json for _ in range(3)]
    merchants = f"/sandboxes/{made[0]['id']}/merchants"
    merchant = gateway.control("GET", merchants).json["merchants"][0]["id"]
    tokens = f"{merchants}/{merchant}/tokens"
    first = gateway.control("GET", tokens).json["tokens"][0]["id"]
    other = gateway.control("GET", f"{merchants.replace(made[0]['id'], made[1]['id'])}").json
    other = f"/sandboxes/{made[1]['id']}/merchants/{other['merchants'][0]['id']}/tokens"
    rotated = gateway.control("GET", other).json["tokens"][0]["id"]
    assert gateway.control("POST", f"{tokens}/{first}/suspend").status_code == 200
    assert gateway.control("POST", f"{other}/{rotated}/rotate").status_code == 200
    gateway.control("DELETE", f"/sandboxes/{made[2]['id']}")
    cookie = "; ".join(f"{name}={value}" for name, value in site.anna.cookies.items())
    others = {
        "a wrong token": bearer("wrong"),
        "the key of the installation": bearer(CONTROL_KEY),
        "the key of a sandbox": bearer(made[0]["control_key"]),
        "a token that is suspended": bearer(made[0]["token"]),
        "a token that was rotated": bearer(made[1]["token"]),
        "a token of a sandbox that was deleted": bearer(made[2]["token"]),
        "a token of the live host": bearer(gateway.live.token),
        "the sign-in of an administrator": {"Cookie": cookie},
        "a capability of no form": {"Authorization": f"Checkout {'a' * 48}"},
    }
    for call in merchant_calls(site):
        for what, headers in others.items():
            assert site.ask(call, headers).status_code in (401, 403), (call, what)
    assert len(merchant_calls(site)) > 30


ENDS = ("half a day", "half an hour", "sign-out", "removed", "role", "invited anew")


@pytest.mark.parametrize("end", ENDS)
def test_an_ended_sign_in_opens_no_page(
    gateway: Gateway, end: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    anna, ben = administrator_of(gateway), person_of(gateway, "administrator", "ben")
    ben.get("/console/people")
    stolen = dict(ben.cookies)
    if end == "half a day":
        monkeypatch.setattr(people, "SIGNED_IN_FOR", timedelta(0))
    elif end == "half an hour":
        monkeypatch.setattr(people, "IDLE_FOR", timedelta(0))
    elif end == "sign-out":
        ben.post("/console/sign-out")
    elif end == "role":
        anna.post("/console/people/ben/role", {"role": "viewer"})
    else:
        anna.post("/console/people/ben/remove")
    if end == "invited anew":
        person_of(gateway, "administrator", "ben")

    for row in ROWS:
        ben.cookies = dict(stolen)
        assert is_moved(ask(ben, row.method, row.path, NOTHING)), (row, end)


def is_moved(answer: Result) -> bool:
    """Whether a browser is asked to sign in."""
    return answer.status_code == 303 and "/console/sign-in" in answer.headers["Location"]


def ask(visitor: Visitor, method: str, path: str, ids: Mapping[str, str]) -> Result:
    """A page about these ids, and for the rest about none."""
    path = re.sub(r"{(\w+)}", lambda found: ids.get(found[1], "8" * 32), path)
    return (
        visitor.get(path)
        if method == "GET"
        else visitor.post(path, {"deed": "end", "state": "suspend"})
    )


def begun(anna: Visitor, stage: str = "") -> tuple[str, str]:
    """The link of a new class, and the path of its page."""
    page = anna.post("/console/classes", {"seed": "7", "stage": stage}).text
    return (re.findall("/console/join/[0-9a-f]+", page)[0],
            re.findall("/console/classes/[0-9a-f]{32}", page)[0])  # fmt: skip


@pytest.mark.parametrize("role", ["student", "spectator"])
def test_who_was_in_a_class_that_has_ended_opens_no_page(
    gateway: Gateway, anna: Visitor, sandbox: str, role: str
) -> None:
    link, page = begun(anna, sandbox)
    ada = Visitor(gateway)
    ada.post(link, {"name": "Ada", "as": role})
    cookies = dict(ada.cookies)
    anna.post(page, {"deed": "end"})

    for row in ROWS:
        ada.cookies = dict(cookies)
        assert is_moved(ask(ada, row.method, row.path, {"sandbox": sandbox})), row


def test_no_page_of_a_student_of_another_class_is_there(gateway: Gateway, anna: Visitor) -> None:
    students = []
    for _ in range(2):
        link, _ = begun(anna)
        ada = Visitor(gateway)
        students.append((ada, ada.post(link, {"name": "Ada"}).headers["Location"].split("/")[2]))
    (ada, own), (_, other) = students
    ada.get(f"/console/{own}/workbench")

    for row in ROWS:
        if "{sandbox}" in row.path:
            answer = ask(ada, row.method, row.path, {"sandbox": other})
            assert answer.status_code in (403, 404), row
            assert f"/console/{other}" not in answer.text, row


@pytest.mark.parametrize("role", ["administrator", "viewer"])
def test_no_page_of_a_deleted_sandbox_is_there(gateway: Gateway, anna: Visitor, role: str) -> None:
    sandbox = gateway.control("POST", "/sandboxes", {}).json["id"]
    gateway.control("DELETE", f"/sandboxes/{sandbox}")
    visitor = anna if role == "administrator" else person_of(gateway, role, "ben")
    if role == "viewer":
        visitor.form_token = ""

    for row in ROWS:
        if "{sandbox}" in row.path:
            answer = ask(visitor, row.method, row.path, {"sandbox": sandbox})
            assert answer.status_code in (403, 404), row
