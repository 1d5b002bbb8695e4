"""The pages of the shop, and the policy that goes with them: nothing unsafe."""

from functools import cache
from importlib.resources import files
from urllib.parse import urlsplit

from jinja2 import Environment, PackageLoader, StrictUndefined

from demo_shop.stories import ARTICLES, LOCALES, STORIES, STYLES

# What the form needs of the gateway, and what the shop's own pages need.
POLICY = (
    "default-src 'none'; script-src 'self' {gateway}; style-src 'self' {gateway}; "
    "img-src 'self' {gateway}; frame-src {gateway}; connect-src 'self'; "
    "form-action 'self' {gateway}; base-uri 'none'; frame-ancestors 'none'"
)
TYPES = {"css": "text/css", "js": "text/javascript", "svg": "image/svg+xml"}
CHOICES = {"articles": ARTICLES, "stories": STORIES, "locales": LOCALES, "styles": STYLES}


def policy_for(gateway: str) -> str:
    """The content security policy of a shop that embeds the form of this gateway."""
    parts = urlsplit(gateway)
    return POLICY.format(gateway=f"{parts.scheme}://{parts.netloc}")


def render(name: str, **values: object) -> bytes:
    """A page; every value is escaped."""
    return _environment().get_template(name).render(**CHOICES, **values).encode()


def static_file(name: str) -> tuple[str, bytes] | None:
    """Media type and content of a fixed file, None for one that the shop does not have."""
    return _static_files().get(name)


@cache
def _static_files() -> dict[str, tuple[str, bytes]]:
    # Read once; no name that a client sends is kept.
    return {
        each.name: (f"{TYPES[each.name.rpartition('.')[2]]}; charset=utf-8", each.read_bytes())
        for each in files("demo_shop").joinpath("static").iterdir()
    }


@cache
def _environment() -> Environment:
    loader = PackageLoader("demo_shop")
    environment = Environment(loader=loader, autoescape=True, undefined=StrictUndefined)
    environment.filters["spaced"] = lambda number: " ".join(
        number[at : at + 4] for at in range(0, len(number), 4)
    )
    return environment
