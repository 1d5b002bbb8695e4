"""The gateway's own pages of 3-D Secure: one that takes the shopper to his bank by itself, and the
empty one that ends a method call in its hidden frame.
"""

from html import escape
from urllib.parse import urlsplit

from simulator.web.http.page import Page, framed_page, leaving_page

TITLE = "On your way to your bank"


def challenge_page(acs_url: str, creq: str) -> Page:
    """The page that posts a CReq to the ACS."""
    parts = urlsplit(acs_url)
    body = (
        f"<h1>{TITLE}</h1><p>Your bank asks you to confirm this payment.</p>"
        f'<form method="post" action="{escape(acs_url)}">'
        f'<input type="hidden" name="creq" value="{escape(creq)}">'
        '<button class="main">Continue</button></form>'
    )
    return leaving_page(TITLE, body, form_action=f"{parts.scheme}://{parts.netloc}")


def method_page() -> Page:
    """The page in the hidden frame once the method was called; the shop's page is around it."""
    return framed_page(TITLE)
