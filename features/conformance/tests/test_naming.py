"""What a target calls by other names is sent and read by them."""

from features.conformance.naming import NameTranslator
from features.target.records import Target
from simulator.client import Answer

NAMES = NameTranslator(
    Target(
        "http://gateway.example/", "t", "e", brands={"EPS": "EPS_ONLINE"},
        paths={"v1/query": "v2/reports"},
    )
)  # fmt: skip


def test_a_brand_is_sent_under_the_name_of_the_target_and_nothing_else_changes() -> None:
    assert NAMES.form(b"paymentBrand=EPS&a=EPS") == b"paymentBrand=EPS_ONLINE&a=EPS"
    unchanged = b"paymentBrand=VISA&customer.surname=M%C3%BCller&empty="
    assert NAMES.form(unchanged) is unchanged


def test_a_brand_of_an_answer_is_read_under_the_name_of_the_suite_wherever_it_stands() -> None:
    body = {"paymentBrand": "EPS_ONLINE", "records": [{"paymentBrand": "EPS_ONLINE"}], "a": None}
    came = NAMES.answer(Answer(200, {}, body)).body
    assert came == {"paymentBrand": "EPS", "records": [{"paymentBrand": "EPS"}], "a": None}


def test_a_path_and_what_is_below_it_have_the_name_of_the_target() -> None:
    assert NAMES.path("v1/query/123?entityId=e") == "v2/reports/123?entityId=e"
    assert NAMES.path("v1/query?entityId=e") == "v2/reports?entityId=e"
    assert NAMES.path("v1/queryable") == "v1/queryable"
