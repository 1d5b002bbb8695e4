"""The gateway's own pages of 3-D Secure: one that reads what the browser is, one that takes the
shopper to his bank, both by themselves, and the empty one that ends a method call in its hidden
frame.
"""

from html import escape

from simulator.domain.three_d_secure.browsers import COLLECTED, NEEDED
from simulator.domain.urls import origin_of
from simulator.web.http.page import Page, framed_page, leaving_page, nesting_page

TITLE = "On your way to your bank"
# What no header says of a browser, and how its page collects it.
COLLECTED_NAMES = ("screenHeight", "screenWidth", "timezone", "javaEnabled")
CHALLENGE_FRAME = "Your bank"
COLLECT = (
    "var e=document.forms[0].elements;"
    "e.screenHeight.value=screen.height;e.screenWidth.value=screen.width;"
    "e.timezone.value=new Date().getTimezoneOffset();"
    "e.javaEnabled.value=!!(navigator.javaEnabled&&navigator.javaEnabled());"
)


def challenge_page(acs_url: str, creq: str, *, is_of_form: bool = False) -> Page:
    """The page that posts a CReq to the ACS: in its own window, or in a frame of its own where it
    stands in a frame of the hosted form, whose shop allows frames of the gateway alone.
    """
    body = (
        f"<h1>{TITLE}</h1><p>Your bank asks you to confirm this payment.</p>"
        f'<form method="post" action="{escape(acs_url)}">'
        f'<input type="hidden" name="creq" value="{escape(creq)}">'
        '<button class="main">Continue</button></form>'
    )
    origin = "'self'" if acs_url.startswith("/") else origin_of(acs_url)
    if is_of_form:
        return nesting_page(TITLE, body, origin=origin, frame=CHALLENGE_FRAME)
    return leaving_page(TITLE, body, form_action=origin)


def browser_page(*, is_framed: bool = False) -> Page:
    """The page that reads what the browser is, and posts that to its own address."""
    fields = "".join(
        f'<input type="hidden" name="{name}" value="{usual}">'
        for name, (_, usual) in NEEDED.items()
        if name in COLLECTED_NAMES
    )
    body = (
        f"<h1>{TITLE}</h1><p>Your bank is asked about this payment.</p>"
        '<form method="post">'
        f'<input type="hidden" name="{COLLECTED}" value="1">{fields}'
        '<button class="main">Continue</button></form>'
    )
    return leaving_page(TITLE, body, form_action="'self'", script=COLLECT, is_framed=is_framed)


def method_page() -> Page:
    """The page in the hidden frame once the method was called; the shop's page is around it."""
    return framed_page(TITLE)
