"""The one page, its fixed files, and the policy that goes with them: nothing unsafe."""

from functools import cache
from importlib.resources import files

from jinja2 import Environment, PackageLoader, StrictUndefined

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "form-action 'none'; base-uri 'none'; frame-ancestors 'none'"
)
SAFE = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}
TYPES = {"css": "text/css", "js": "text/javascript", "svg": "image/svg+xml"}


def render(name: str, **values: object) -> bytes:
    """A page; every value is escaped."""
    return _environment().get_template(name).render(**values).encode()


def static_file(name: str) -> tuple[str, bytes] | None:
    """Media type and content of a fixed file, None for one that the page does not have."""
    return _static_files().get(name)


@cache
def _static_files() -> dict[str, tuple[str, bytes]]:
    # Read once; no name that a client sends is kept.
    return {
        each.name: (f"{TYPES[each.name.rpartition('.')[2]]}; charset=utf-8", each.read_bytes())
        for each in files("pos_emulator.web").joinpath("static").iterdir()
    }


@cache
def _environment() -> Environment:
    loader = PackageLoader("pos_emulator.web")
    return Environment(
        loader=loader, autoescape=True, undefined=StrictUndefined, trim_blocks=True,
        lstrip_blocks=True,
    )  # fmt: skip
