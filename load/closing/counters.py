"""Read the gateway's own counters from its metrics."""

from collections import Counter

from prometheus_client.parser import text_string_to_metric_families

from load.closing.evidence import GatewayCounters
from load.gateway.target import LoadTarget

# Operations of the metrics that no merchant requests.
NOT_MERCHANT = frozenset({"control", "documents", "watching", "other", "unreadable"})


def read_counters(target: LoadTarget) -> GatewayCounters | None:
    """Return what the gateway has counted so far; None if it shows no metrics."""
    text = _read_metrics(target)
    return None if text is None else parse_counters(text)


def parse_counters(text: str) -> GatewayCounters:
    """Return the counters in the text of the metrics."""
    responses: Counter[tuple[str, int]] = Counter()
    payments: Counter[str] = Counter()
    throttled: Counter[str] = Counter()
    families = text_string_to_metric_families(text)
    for sample in (each for family in families for each in family.samples):
        labels, value = sample.labels, int(sample.value)
        if sample.name == "sandgate_requests_total" and labels["status"].isdigit():
            if labels["operation"] not in NOT_MERCHANT:
                responses[labels["operation"], int(labels["status"])] += value
        elif sample.name == "sandgate_payments_total":
            payments[labels["type"]] += value
        elif sample.name == "sandgate_throttled_total":
            throttled[labels["operation"]] += value
    return GatewayCounters(responses, payments, throttled)


def _read_metrics(target: LoadTarget) -> str | None:
    if target.control is None:
        return None
    base_url = target.target.control_url.rstrip("/").rpartition("/")[0] + "/"
    connection = target.connect_to(base_url)
    try:
        answer = connection.ask(
            "GET", "metrics", headers={"Authorization": f"Bearer {target.target.control_key}"}
        )
    finally:
        connection.close()
    is_text = answer.status == 200 and isinstance(answer.body, bytes)
    return answer.body.decode("utf-8") if is_text else None
