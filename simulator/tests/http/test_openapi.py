"""The OpenAPI documents are valid, tell of every route, and what they show is what happens."""

import json
import re
from collections.abc import Iterator

import msgspec
import pytest
from falcon.testing import Result
from jsonschema import Draft202012Validator
from openapi_spec_validator import OpenAPIV31SpecValidator

from scenarios.loader import load_behaviours
from simulator.catalogue.choices import CHOICES
from simulator.catalogue.fields.limits import PARAMETERS_MAX
from simulator.catalogue.operations.endpoints import OPERATIONS
from simulator.derive.openapi.merchant import openapi_document
from simulator.derive.openapi.without_token import ROWS as OPEN_READS
from simulator.derive.schemas.causes import NOWHERE, causes
from simulator.derive.schemas.examples import ENTITY, EXAMPLES
from simulator.domain.core.entities import Channel
from simulator.grammar.choices import PROFILES, choose
from simulator.tests.kit.described import UndescribedAnswerError, demand_described
from simulator.tests.kit.gateway import FORM, Credentials, Gateway
from simulator.web.control.access import PREFIX, ControlAccess
from simulator.web.control.description.openapi import ROWS, control_openapi_document
from simulator.web.routes import control_routes

UNKNOWN = "8" + "0" * 31
ONE_A_DAY = {
    "name": "one a day",
    "limits": [{"operation": "*", "scope": "merchant", "limit": 1, "window_s": 86400}],
}
SIZE_MAX = 24_500 * len(OPERATIONS)


@pytest.fixture(scope="module", params=PROFILES)
def shared(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Gateway]:
    """A gateway in each profile."""
    made = Gateway(tmp_path_factory.mktemp("openapi") / "data", profile=request.param)
    yield made
    made.close()


@pytest.fixture(scope="module")
def document(shared: Gateway) -> dict:
    return shared.client.simulate_get("/openapi.json").json


def answer_schema(document: dict, method: str, path: str, status: int) -> dict:
    """The schema of an answer, with what it refers to."""
    answer = document["paths"][path][method]["responses"][str(status)]
    if "$ref" in answer:
        answer = document["components"]["responses"][answer["$ref"].rpartition("/")[2]]
    return {**answer["content"]["application/json"]["schema"], "components": document["components"]}


def wrongs_in(answer: Result, document: dict, method: str, path: str) -> list[str]:
    """What an answer has that its document does not state."""
    media = answer.headers["content-type"].partition(";")[0]
    if media != "application/json":
        documented = document["paths"][path][method]["responses"][str(answer.status_code)][
            "content"
        ]
        return [] if media in documented else [media]
    schema = answer_schema(document, method, path, answer.status_code)
    return [error.message for error in Draft202012Validator(schema).iter_errors(answer.json)]


@pytest.mark.parametrize("profile", PROFILES)
def test_the_documents_are_valid_and_of_a_sensible_size(profile: str) -> None:
    for document in (openapi_document(choose(CHOICES, profile)), control_openapi_document()):
        assert list(OpenAPIV31SpecValidator(document).iter_errors()) == []
        assert len(json.dumps(document)) < SIZE_MAX


def test_a_gateway_serves_both_documents(gateway: Gateway) -> None:
    control = gateway.client.simulate_get("/_sandbox/openapi.json")
    merchant = gateway.client.simulate_get("/openapi.json")

    assert control.json == control_openapi_document()
    assert merchant.json == openapi_document(choose(CHOICES, "specification"))


def test_a_token_reads_the_document_of_its_sandbox(gateway: Gateway) -> None:
    who = gateway.sandbox(profile="field", overrides={"D-13": "404"})
    choices = choose(CHOICES, "field", {"D-13": "404"})

    read = document_for(gateway, who.token)

    assert read.text.replace(who.entity_id, ENTITY) == json.dumps(
        openapi_document(choices), separators=(",", ":"), ensure_ascii=False
    )
    assert document_for(gateway, "unknown").status_code == 403


def test_the_document_knows_the_ndc_that_a_switch_chose(shared: Gateway) -> None:
    """Either switch of the ndc may be set without the other one."""
    for overrides in ({"D-133": "checkout"}, {"D-133": "entity"}, {"D-12": "hyphen"}):
        who = shared.sandbox(overrides=overrides)
        document = document_for(shared, who.token).json
        sent = {"entityId": who.entity_id, **EXAMPLES["create_checkout"]["payment"].sent}

        answer = shared.send("/v1/checkouts", sent, who)

        assert wrongs_in(answer, document, "post", "/v1/checkouts") == [], overrides


def test_a_document_that_is_known_already_is_not_sent_again(gateway: Gateway) -> None:
    first = gateway.client.simulate_get("/openapi.json")
    other = gateway.sandbox()

    again = document_for(gateway, other.token, **{"If-None-Match": first.headers["ETag"]})

    assert (again.status_code, again.content) == (304, b"")
    assert again.headers["ETag"] == first.headers["ETag"]


def document_for(gateway: Gateway, token: str, **headers: str) -> Result:
    login = {"Authorization": f"Bearer {token}"}
    return gateway.client.simulate_get("/openapi.json", headers=login | headers)


def test_every_operation_of_the_catalogue_is_documented() -> None:
    paths = openapi_document(choose(CHOICES, "specification"))["paths"]

    documented = {
        each["operationId"]: (method.upper(), path)
        for path, item in paths.items()
        for method, each in item.items()
    }
    expected = {row.id: (row.method, row.path) for row in OPERATIONS.values()}
    bare = {
        f"{row.id}_bare": (row.method, row.paths[1]) for row in OPERATIONS.values() if row.is_bare
    }
    assert documented == expected | bare | {row.id: ("GET", row.path) for row in OPEN_READS}


def test_every_route_of_the_control_api_is_documented() -> None:
    access = ControlAccess(server=None, behaviours={}, key_hash="")
    served = {
        (
            method.removeprefix("on_").removesuffix(f"_{route.suffix}"),
            route.path.removeprefix(PREFIX),
        )
        for route in control_routes(access, console=None, shared=str)
        for method in dir(route.resource)
        if re.fullmatch(
            rf"on_(get|post|put|patch|delete){f'_{route.suffix}' if route.suffix else ''}", method
        )
    }

    documented = {
        (row.method, row.path.replace("{id}", "{identity}"))
        for rows in ROWS.values()
        for row in rows
    }
    assert documented == served


def test_every_setting_of_a_channel_may_be_asked_for_and_its_ids_may_not() -> None:
    fields = {field.name for field in msgspec.structs.fields(Channel)}
    schemas = control_openapi_document()["components"]["schemas"]

    assert set(schemas["Channel"]["properties"]) == fields
    assert set(schemas["AskedChannel"]["properties"]) == fields - {"id", "merchant_account"}


def test_every_schema_of_the_control_api_is_used() -> None:
    document = control_openapi_document()
    used = set(re.findall(r"#/components/schemas/(\w+)", json.dumps(document)))

    assert used == set(document["components"]["schemas"])


def test_every_example_of_a_new_payment_works(shared: Gateway, document: dict) -> None:
    for name, example in EXAMPLES["create_payment"].items():
        answer = shared.send(
            "/v1/payments", {"entityId": shared.merchant.entity_id, **example.sent}
        )

        assert (answer.status_code == 200) == (name != "decline"), answer.json
        assert wrongs_in(answer, document, "post", "/v1/payments") == []


@pytest.mark.parametrize(
    ("example", "first"), [("capture", "PA"), ("refund", "DB"), ("reversal", "PA")]
)
def test_every_example_of_a_reference_works(
    shared: Gateway, document: dict, example: str, first: str
) -> None:
    payment = shared.post(paymentType=first).json["id"]
    sent = {"entityId": shared.merchant.entity_id, **EXAMPLES["refer_payment"][example].sent}

    answer = shared.send(f"/v1/payments/{payment}", sent)

    assert answer.status_code == 200
    assert wrongs_in(answer, document, "post", "/v1/payments/{id}") == []
    assert wrongs_in(shared.read(payment), document, "get", "/v1/payments/{id}") == []


def test_the_examples_may_carry_an_entity_of_ones_own() -> None:
    mine = "8" + "b" * 31

    document = openapi_document(choose(CHOICES, "specification"), entity_id=mine)

    assert mine in json.dumps(document["paths"]["/v1/payments"]["post"]["requestBody"])
    assert ENTITY not in json.dumps(document["paths"]["/v1/payments"]["post"]["requestBody"])


def test_the_examples_fit_their_schemas(document: dict) -> None:
    for path, item in document["paths"].items():
        for method, operation in item.items():
            for status, answer in operation["responses"].items():
                (media,) = answer["content"].values()
                shown = (
                    [media["example"]]
                    if "example" in media
                    else [e["value"] for e in media["examples"].values()]
                )
                validator = Draft202012Validator(answer_schema(document, method, path, status))
                assert [
                    error.message for each in shown for error in validator.iter_errors(each)
                ] == []


GZIP = {"Content-Encoding": "gzip"}


def provoked(gateway: Gateway, profile: str) -> dict[str, Result]:
    """One answer for each stage of the order of errors that a client can bring about."""
    me = gateway.merchant
    ask = gateway.client.simulate_request
    headers = {"Authorization": f"Bearer {me.token}", "Content-Type": FORM}
    plain = {"entityId": me.entity_id}
    return {
        "route": ask("GET", "/v1/nothing", headers=headers),
        "method": ask("PUT", "/v1/payments", headers=headers),
        "header": ask("POST", "/v1/payments"),
        "token": ask("POST", "/v1/payments", headers={"Authorization": "Bearer unknown"}),
        "throttle": throttled(gateway, profile),
        "size": ask("POST", "/v1/payments", headers=headers, body="a=1&" * PARAMETERS_MAX),
        "coding": ask("POST", "/v1/payments", headers=headers | GZIP, body=b"\x1f\x8b"),
        "encoding": ask("POST", "/v1/payments", headers=headers, body=b"\xff=1"),
        "entity": gateway.send("/v1/payments", {"entityId": "8" + "f" * 31}),
        "parameters": gateway.send("/v1/payments", {**plain, "amount": "92,00"}),
        "unknown id": gateway.refer(UNKNOWN, "CP", amount="1.00", currency="EUR"),
        "state": gateway.post(**{"card.number": "4200000000000001"}),
        "acquirer": gateway.post(**{"card.holder": "800.100.152"}),
    }


def throttled(gateway: Gateway, profile: str) -> Result:
    who = gateway.sandbox(throttle=ONE_A_DAY, profile=profile)
    gateway.post(who=who)
    return gateway.post(who=who)


def test_every_cause_of_an_error_is_answered_as_documented(shared: Gateway, document: dict) -> None:
    profile = document["info"]["summary"].split()[-1]
    documented = {cause.stage: cause for cause in causes(choose(CHOICES, profile))}
    answers = provoked(shared, profile)

    assert documented.keys() - answers.keys() == {"TLS", "store", "fault"}
    for stage, answer in answers.items():
        code = answer.json["result"]["code"]
        assert (stage, answer.status_code, code) == (
            stage,
            documented[stage].status,
            documented[stage].code or code,
        )
        if documented[stage].where != NOWHERE:
            path = "/v1/payments/{id}" if stage == "unknown id" else "/v1/payments"
            assert wrongs_in(answer, document, "post", path) == []


def test_the_control_api_answers_as_documented(gateway: Gateway) -> None:
    document = control_openapi_document()

    for method, path, template, sent in control_calls(gateway):
        answer = gateway.control(method.upper(), path, sent)
        assert wrongs_in(answer, document, method, template) == [], (method, path)


def control_calls(gateway: Gateway) -> Iterator[tuple[str, str, str, object]]:
    """Calls of the control API as method, path, path as documented, body: good ones and others."""
    credentials = gateway.control("POST", "/sandboxes", {}).json
    made = credentials["id"]
    webhook = gateway.control("POST", f"/sandboxes/{made}/webhooks", {"url": "inbox"}).json["id"]
    gateway.post(who=Credentials(credentials["token"], credentials["entity_id"]))
    (event,) = gateway.control("GET", f"/sandboxes/{made}/notices").json["notices"]
    script = gateway.control("POST", f"/sandboxes/{made}/scripts", {"behaviour": "decline"}).json[
        "id"
    ]
    ids = {
        "id": made,
        "script": script,
        "payment": UNKNOWN,
        "checkout": UNKNOWN,
        "run": UNKNOWN,
        "account": UNKNOWN,
        "held": UNKNOWN,
    }
    ids |= {"endpoint": webhook, "notice": event["id"], "key": UNKNOWN, "ndc": UNKNOWN}
    (merchant,) = credentials["entities"]["merchants"]
    tokens = f"/sandboxes/{made}/merchants/{merchant['id']}/tokens"
    token = gateway.control("POST", tokens, {}).json["id"]
    ids |= {"merchant": merchant["id"], "channel": merchant["channels"][0]["id"], "token": token}
    terminals = f"/sandboxes/{made}/terminals"
    ids["terminal"] = gateway.control("POST", terminals, {}).json["id"]
    document = control_openapi_document()
    for path, item in document["paths"].items():
        for method, operation in item.items():
            if method in ("parameters", "delete"):
                continue
            (media,) = operation.get("requestBody", {"content": {"-": {"example": None}}})[
                "content"
            ].values()
            yield method, path.format(**ids), path, media.get("example")
            if "{id}" in path:
                yield method, path.format(**{**ids, "id": UNKNOWN}), path, media.get("example")
            if media.get("example") is not None:
                yield method, path.format(**ids), path, {"nothing": "known"}
    yield "delete", f"/sandboxes/{made}/scripts/{script}", "/sandboxes/{id}/scripts/{script}", None
    yield "delete", f"/sandboxes/{made}", "/sandboxes/{id}", None


def test_an_answer_that_is_not_described_fails_the_test_that_receives_it(gateway: Gateway) -> None:
    env = {"REQUEST_METHOD": "GET", "PATH_INFO": f"{PREFIX}/sandboxes"}
    headers = list(gateway.control("GET", "/sandboxes").headers.items())
    demand_described(env, 200, headers, b'{"sandboxes": []}')

    with pytest.raises(UndescribedAnswerError, match="'more' was unexpected"):
        demand_described(env, 200, headers, b'{"sandboxes": [], "more": 1}')


def test_an_issued_secret_is_required_where_it_is_issued_and_absent_elsewhere() -> None:
    schemas = control_openapi_document()["components"]["schemas"]

    for issued, plain, member in (
        ("IssuedToken", "Token", "token"),
        ("NewWebhook", "Webhook", "secret"),
        ("RotatedWebhook", "Webhook", "next_secret"),
        ("NoticeWithPayload", "Notice", "payload"),
    ):
        assert member in schemas[issued]["required"]
        assert member not in schemas[plain]["properties"]


def test_an_answer_always_has_the_members_that_have_a_default() -> None:
    schemas = control_openapi_document()["components"]["schemas"]

    assert schemas["Deleted"]["required"] == ["id", "deleted"]
    assert schemas["Taken"]["required"] == ["taken"]


def test_the_behaviour_of_the_example_exists() -> None:
    assert "decline" in load_behaviours()
