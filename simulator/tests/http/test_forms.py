"""Bodies as clients really send them, and bodies no client should send."""

import gzip
from time import process_time
from types import SimpleNamespace
from urllib.parse import quote

import pytest
from falcon import Request
from falcon.testing import Result, create_environ
from falcon.uri import parse_query_string
from hypothesis import given
from hypothesis import strategies as st

from simulator.catalogue.fields.limits import BODY_BYTES_MAX, NAME_BYTES_MAX
from simulator.domain.core.background import LONG_REQUEST
from simulator.domain.core.errors import Violations
from simulator.tests.kit.gateway import FORM, ORDER, Credentials, Gateway
from simulator.web.http.errors import TooLargeError
from simulator.web.http.forms import read_parameters, refuse_long_name

CARD = (
    "paymentType=DB&amount=92.00&currency=EUR&card.number=4200000000000000"
    "&card.expiryMonth=05&card.expiryYear=2034"
)


def ask(
    gateway: Gateway,
    body: str | bytes,
    content_type: str | None = FORM,
    *,
    who: Credentials | None = None,
    query: str = "",
) -> Result:
    """A payment request with this body after the usual one."""
    who = who or gateway.merchant
    text = body if isinstance(body, bytes) else body.encode()
    usual = f"entityId={who.entity_id}&{CARD}&".encode()
    headers = {"Authorization": f"Bearer {who.token}"}
    if content_type is not None:
        headers["Content-Type"] = content_type
    return gateway.client.simulate_post(
        "/v1/payments", body=usual + text, headers=headers, query_string=query
    )


def named(answer: Result) -> list[str]:
    """The parameters an answer names as wrong."""
    return [each["name"] for each in answer.json["result"]["parameterErrors"]]


@pytest.mark.parametrize(
    "content_type",
    [
        FORM,
        FORM + ";charset=UTF-8",
        FORM + "; charset=utf-8",
        FORM.upper(),
        None,
        FORM + "; charset=UTF-8;",
        FORM + '; charset="utf-8"; version=1',
    ],
)
def test_form_content_types_are_taken(gateway: Gateway, content_type: str | None) -> None:
    assert ask(gateway, "card.holder=Jane Jones", content_type).status_code == 200


@pytest.mark.parametrize(
    "content_type",
    [
        "application/json",
        "multipart/form-data; boundary=x",
        FORM + "; charset=latin-1",
        FORM + "; version=1; charset=latin-1",
    ],
)
def test_other_content_types_are_refused(gateway: Gateway, content_type: str) -> None:
    answer = ask(gateway, "", content_type)
    assert (answer.status_code, answer.json["result"]["code"]) == (400, "200.100.103")


@pytest.mark.parametrize(
    ("body", "name", "came"),
    [
        ("card.holder=Jane Jones", "holder", "Jane Jones"),
        ("card.holder=Jane+Jones", "holder", "Jane Jones"),
        ("card.holder=Jane%20Jones", "holder", "Jane Jones"),
        ("card.holder=Zo\u00eb Stra\u00dfe", "holder", "Zo\u00eb Stra\u00dfe"),
        ("card.holder=" + quote("Zo\u00eb"), "holder", "Zo\u00eb"),
        ("card.holder=\u738b\u5c0f\u660e", "holder", "\u738b\u5c0f\u660e"),
    ],
)
def test_values_come_encoded_or_not(gateway: Gateway, body: str, name: str, came: str) -> None:
    assert ask(gateway, body).json["card"][name] == came


def test_literal_and_encoded_brackets_are_the_same_name(gateway: Gateway) -> None:
    body = "customParameters[one]=1&customParameters%5Btwo%5D=2"
    assert ask(gateway, body).json["customParameters"] == {"one": "1", "two": "2"}


def test_an_empty_value_is_an_absent_parameter(gateway: Gateway) -> None:
    assert (
        ask(gateway, "descriptor=&billing.street2=&customer.birthDate=&unknown.name=").status_code
        == 200
    )


@pytest.mark.parametrize(
    ("body", "name"),
    [
        ("amount=93.00", "amount"),
        ("taxAmount=1.00&taxAmount=1.00", "taxAmount"),
        ("=1", ""),
        ("card.holder=Jane%00", "card.holder"),
        ("card.holder=%FF%FE", "card.holder"),
        ("card.hol%00der=Jane", "card.holder"),
        ("cart.items[1].name=x", "cart.items[1].name"),
        ("cart.items[0].name=x&cart.items[2].name=x", "cart.items[2].name"),
        ("cart.items[-1].name=x", "cart.items[-1].name"),
        ("cart.items[00].name=x", "cart.items[00].name"),
        ("cart.items[0.name=x", "cart.items[0.name"),
    ],
)
def test_a_malformed_parameter_is_named(gateway: Gateway, body: str, name: str) -> None:
    answer = ask(gateway, body)
    assert (answer.status_code, answer.json["result"]["code"]) == (400, "200.300.404")
    assert name in named(answer)


def test_bytes_that_are_no_utf8_are_refused(gateway: Gateway) -> None:
    answer = ask(gateway, b"card.holder=\xff\xfe")
    assert (answer.status_code, answer.json["result"]["code"]) == (400, "200.100.103")


@pytest.mark.parametrize("coding", ["gzip", "GZIP", "br", "identity, gzip", "x" * 500])
def test_a_coded_body_is_415_with_what_was_expected(gateway: Gateway, coding: str) -> None:
    usual = f"entityId={gateway.merchant.entity_id}&{CARD}".encode()
    answer = coded(gateway, gzip.compress(usual), coding)

    assert (answer.status_code, answer.json["result"]["code"]) == (415, "200.100.103")
    assert "expected none, the body as it is" in answer.json["resultDetails"]["ExtendedDescription"]
    assert len(answer.text) < 500
    assert answer.headers["accept-encoding"] == "identity"


@pytest.mark.parametrize("coding", ["identity", "Identity", ""])
def test_a_body_coded_as_itself_is_taken(gateway: Gateway, coding: str) -> None:
    usual = f"entityId={gateway.merchant.entity_id}&{CARD}".encode()

    assert coded(gateway, usual, coding).status_code == 200


def coded(gateway: Gateway, body: bytes, coding: str) -> Result:
    headers = {
        "Authorization": f"Bearer {gateway.merchant.token}",
        "Content-Type": FORM,
        "Content-Encoding": coding,
    }
    return gateway.client.simulate_post("/v1/payments", body=body, headers=headers)


def test_a_coding_of_nothing_is_not_looked_at(gateway: Gateway) -> None:
    paid = gateway.post().json["id"]
    headers = {"Authorization": f"Bearer {gateway.merchant.token}", "Content-Encoding": "gzip"}
    path, query = f"/v1/payments/{paid}", {"entityId": gateway.merchant.entity_id}

    assert gateway.client.simulate_get(path, params=query, headers=headers).status_code == 200


# A percent sign that encodes nothing stands for itself, and so does what follows it.
@pytest.mark.parametrize("sent", ["100%", "%zz", "%4", "%4g", "50%25%", "%u0041"])
def test_a_percent_sign_that_encodes_nothing_stays(gateway: Gateway, sent: str) -> None:
    answer = ask(gateway, f"customParameters[rebate]={sent}")

    came = sent.replace("%25", "%")
    assert answer.json["customParameters"] == {"rebate": came}


def test_a_body_over_the_limit_is_413(gateway: Gateway) -> None:
    answer = ask(gateway, b"customParameters[abc]=" + b"x" * BODY_BYTES_MAX)
    assert (answer.status_code, answer.json["result"]["code"]) == (413, "200.100.103")


def test_a_thousand_cart_items_with_all_their_fields_are_taken(gateway: Gateway) -> None:
    fields = ("name", "merchantItemId", "sku", "description", "giftMessage", "shippingMethod")
    items = "&".join(f"cart.items[{n}].{field}=x{n}" for n in range(1000) for field in fields)
    items_back = ask(gateway, items).json["cart"]["items"]
    assert len(items_back) == 1000
    assert items_back[999]["sku"] == "x999"
    assert "cart.items[1000].name" in named(ask(gateway, items + "&cart.items[1000].name=x"))


def test_parameters_of_a_post_stand_in_the_body(gateway: Gateway) -> None:
    headers = {"Authorization": f"Bearer {gateway.merchant.token}", "Content-Type": FORM}
    answer = gateway.client.simulate_post(
        f"/v1/payments?entityId={gateway.merchant.entity_id}&card.cvv=123",
        body=CARD,
        headers=headers,
    )
    assert named(answer) == ["card.cvv"]
    assert "123" not in answer.text.replace(answer.json["ndc"], "")
    answer = gateway.client.simulate_post(
        f"/v1/payments?entityId={gateway.merchant.entity_id}", body=CARD, headers=headers
    )
    assert answer.status_code == 200


@pytest.mark.parametrize("start", ["//", "///", "/%2f", "/%2F/"])
def test_a_path_with_an_empty_first_part_is_not_there(gateway: Gateway, start: str) -> None:
    for path, methods in gateway._built.application._router.methods.items():
        method = "GET" if "GET" in methods else "POST"
        if path != "/":
            came = start + path.removeprefix("/")
            assert gateway.client.simulate_request(method, came).status_code == 404, came
    sent = {**ORDER, "entityId": gateway.merchant.entity_id}
    refused = gateway.send(f"{start}v1/payments", sent)
    assert refused.json["result"]["code"] == "200.300.404"


@pytest.mark.parametrize("path", ["/v1/payments/", "/v1/payments"])
def test_a_trailing_slash_means_the_same_path(gateway: Gateway, path: str) -> None:
    assert gateway.post(path).status_code == 200


PIECES = ["a", "b", "=", "=", "&", "&", "+", "%", "%zz", "%2", "%00", "\0", "%C3%BC", "%ff",
          "%EF%BF%BD", "\ufffd", "\u00fc", "%25", "00", "%2B", "%26", "[0]", "%5B"]  # fmt: skip


@given(st.lists(st.sampled_from(PIECES), max_size=14).map("".join))
def test_a_body_is_read_as_a_look_at_each_parameter_would_read_it(body: str) -> None:
    try:
        read = _read(body)
    except Violations as error:
        read = sorted(each.name for each in error.violations)

    assert read == _read_one_by_one(body)


@pytest.mark.parametrize("sign", ["a", "%41", "\u00fc", "%zz"])
@pytest.mark.parametrize(
    "before", [0, LONG_REQUEST - 3, LONG_REQUEST - 2, LONG_REQUEST, 3 * LONG_REQUEST]
)
def test_a_name_is_measured_wherever_it_begins(sign: str, before: int) -> None:
    width = 1 if sign == "%41" else len(sign.encode())
    longest = sign * (NAME_BYTES_MAX // width)
    first = f"a={'x' * before}&" if before else ""

    assert len(_read(f"{first}{longest}=1")) == 1 + bool(before)
    with pytest.raises(TooLargeError):
        _read(f"{first}{longest}{sign}={'y' * LONG_REQUEST}")


@pytest.mark.cost
@pytest.mark.parametrize("sign", ["a", "%5B", "%EF%BC%94", "%"])
def test_a_long_value_is_not_searched_for_names(sign: str) -> None:
    text = "a=1&merchantMemo=" + sign * (BODY_BYTES_MAX // len(sign))
    began = process_time()

    refuse_long_name(text)

    assert process_time() - began < 0.01


def _read(body: str) -> dict[str, str]:
    request = Request(create_environ(method="POST", body=body))
    request.context.exchange = SimpleNamespace(
        work=lambda size, read, *given: read(*given), choices={"repeated_names": "refuse"}
    )
    return read_parameters(request)


def _read_one_by_one(body: str) -> dict[str, str] | list[str]:
    """What is read of a body, or the names of what is wrong with it: a look at each parameter."""
    parsed = parse_query_string(body, keep_blank=True, csv=False)
    repeated = [name for name, value in parsed.items() if isinstance(value, list)]
    last = {
        name: [*filter(None, value), ""][-2:][0] if isinstance(value, list) else value
        for name, value in parsed.items()
    }
    odd = [
        name.replace("\0", "")
        for name, value in last.items()
        if not name or any(sign in name + value for sign in "\0\ufffd")
    ]
    return sorted(repeated + odd) or {name: value for name, value in last.items() if value}


@pytest.mark.parametrize(
    ("profile", "body", "query", "refused"),
    [
        ("field", "amount=92.00", "", []),
        ("field", "amount=92.00&amount=", "", []),
        ("field", "amount=93.00", "", ["amount"]),
        ("field", "paymentBrand=VISA&paymentBrand=VISA&paymentBrand=VISA", "", []),
        ("field", "paymentBrand=VISA&paymentBrand=MASTER", "", ["paymentBrand"]),
        ("field", "customParameters[one]=1&customParameters[one]=2", "", []),
        ("field", "", "paymentType=DB&amount=92.00", []),
        ("field", "", "paymentType=PA", ["paymentType"]),
        ("field", "", "card.cvv=123", ["card.cvv"]),
        ("specification", "amount=92.00", "", ["amount"]),
        ("specification", "customParameters[one]=1&customParameters[one]=1", "",
         ["customParameters[one]"]),
        ("specification", "", "paymentType=DB", ["paymentType"]),
    ],
)  # fmt: skip
def test_a_name_sent_twice_with_one_value_counts_once_in_profile_field(
    gateway: Gateway, profile: str, body: str, query: str, refused: list[str]
) -> None:
    who = gateway.sandbox(profile=profile)
    answer = ask(gateway, body, who=who, query=query)
    assert answer.status_code == (400 if refused else 200)
    assert (named(answer) if refused else []) == refused


def test_of_a_custom_parameter_sent_twice_the_last_value_is_kept(gateway: Gateway) -> None:
    body = "customParameters[one]=1&customParameters[one]=2"
    answer = ask(gateway, body, who=gateway.sandbox(profile="field"))
    assert answer.json["customParameters"] == {"one": "2"}


@pytest.mark.parametrize("profile", ["specification", "field"])
@pytest.mark.parametrize("where", ["body", "query"])
def test_two_names_of_the_entity_have_one_value(gateway: Gateway, where: str, profile: str) -> None:
    who = gateway.sandbox(profile=profile)

    def both(entity: str) -> Result:
        sent = {"body": "", "query": "", where: f"authentication.entityId={entity}"}
        return ask(gateway, sent["body"], who=who, query=sent["query"])

    assert both(who.entity_id).status_code == 200
    answer = both("8" * 32)
    assert (answer.status_code, answer.json["result"]["parameterErrors"]) == (
        400,
        [
            {
                "name": "authentication.entityId",
                "value": None,
                "message": "must be equal to entityId, of which it is another name",
            }
        ],
    )
