"""Parts of requests to the control API."""

from urllib.parse import quote


def trace_path(sandbox: str, payment: str, form: str) -> str:
    """The path of the trace of a payment in a form, such as .svg."""
    return f"sandboxes/{sandbox}/payments/{quote(payment, safe='')}/trace{form}"


def passphrase_header(passphrase: str | None) -> dict[str, str]:
    """The header that seals or opens a snapshot; none without a passphrase."""
    return {} if passphrase is None else {"Sandgate-Passphrase": passphrase}
