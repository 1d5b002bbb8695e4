"""Mutants of the hosted form: its script, its frames, and what it is answered when it opens."""

from dataclasses import replace

from features.mutants.changes import replace_at, replace_members
from features.mutants.mutant import mutant
from features.mutants.proxy import OriginalGateway, ProxiedRequest
from simulator.client import Answer

SCRIPT, STYLE, NUMBER = "v1/paymentWidgets.js", "form/style.css", "form/number"
META = b'<meta http-equiv="X-UA-Compatible" content="IE=edge">'


@mutant("E70", killed_by=("The script of the gateway draws a form",))
def draws_nothing(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """The script of the form does nothing."""
    answer = original.forward(request)
    return replace(answer, body=b"/* nothing */") if request.path == SCRIPT else answer


@mutant("FORM-02", killed_by=("The bank asks the shopper inside the page of the shop",))
def pays_without_the_bank(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """A form is answered a pending payment as a final one, without the redirect to the bank."""
    answer = original.forward(request)
    by_form = request.headers.get("authorization", "").startswith("Checkout ")
    return replace_members(answer, redirect=None) if by_form else answer


@mutant("FORM-03", killed_by=("The form speaks 25 languages",))
def speaks_english_alone(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """A form opens in English, whatever language its page asks for."""
    return original.forward(request.change(locale="en") if is_opening(request) else request)


@mutant("FORM-04", killed_by=("A page replaces words of the form",))
def keeps_its_own_words(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """The labels of a page are not read."""
    return change_text(request, original, SCRIPT, old=b'"labels." + key', new=b'"unread." + key')


@mutant(
    "FORM-05",
    killed_by=("A shopper who closes the window of the bank pays with another brand",),
)
def waits_for_the_bank_alone(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """A form that led the shopper to a bank pays with no other brand."""
    old = b"function press(owner) {\nif ("
    return change_text(request, original, SCRIPT, old=old, new=old + b"target || ")


@mutant(
    "FORM-06",
    "FORM-10",
    killed_by=(
        "The form offers every brand that its page names",
        "The brands on offer change while a checkout is open",
    ),
)
def knows_no_amex(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """A form does not know one of its brands."""
    return change_opening(request, original, "brandRows.AMEX", None)


@mutant("FORM-07", killed_by=("The form pays on a page that holds nothing else",))
def leads_back_without_the_id(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """The browser comes back to the shop without the id of the checkout."""
    return change_text(request, original, SCRIPT, old=b'"id=" + ', new=b'"identity=" + ')


@mutant("FORM-08", killed_by=("The form fits the window",))
def is_as_wide_as_a_desk(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """The form has a width of its own."""
    rule = b".wpwl-form { min-width: 900px; }\n.wpwl-container {"
    return change_text(request, original, STYLE, old=b".wpwl-container {", new=rule)


@mutant("FORM-09", killed_by=("Every page of the form asks old browsers for their newest mode",))
def leaves_old_browsers_in_an_old_mode(
    request: ProxiedRequest, original: OriginalGateway
) -> Answer:
    """The frame of the number has no meta tag for old browsers."""
    return change_text(request, original, NUMBER, old=META, new=b"")


@mutant("FORM-09", killed_by=("The form runs in the oldest browser the specification names",))
def writes_a_script_of_today(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """The script has syntax that old browsers cannot read."""
    return change_text(request, original, SCRIPT, old=b"var places = [];", new=b"let places = [];")


@mutant("FORM-10", killed_by=("The brands on offer change while a checkout is open",))
def offers_what_the_page_names(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """The brands that were set for a checkout are not offered."""
    return change_opening(request, original, "active", False)


@mutant(
    "FORM-11",
    killed_by=("A form around the widget is sent without the fields of the widget",),
)
def lets_the_page_send_its_fields(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """The fields of the widget belong to the form around it."""
    return change_text(
        request, original, SCRIPT, old=b'make("form", "form ', new=b'make("div", "form '
    )


@mutant(
    "RSP-03",
    killed_by=("The page of the shop gets neither the number nor the code of the card",),
)
def sends_the_number_to_the_page(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """The frame of the number sends what is typed to the page."""
    leak = b'tell("typed", { number: digits, '
    return change_text(request, original, NUMBER, old=b'tell("typed", {', new=leak)


def is_opening(request: ProxiedRequest) -> bool:
    """Whether it is what a form asks when it opens."""
    return request.method == "POST" and request.path.endswith("/open")


def change_opening(
    request: ProxiedRequest, original: OriginalGateway, path: str, value: object
) -> Answer:
    """The response, and where it opens a form with another value at a path."""
    answer = original.forward(request)
    return replace_at(answer, path, value) if is_opening(request) else answer


def change_text(
    request: ProxiedRequest, original: OriginalGateway, path: str, *, old: bytes, new: bytes
) -> Answer:
    """The response, and where it is the file of this path with other text in it."""
    answer = original.forward(request)
    if request.path != path or not isinstance(answer.body, bytes):
        return answer
    return replace(answer, body=answer.body.replace(old, new))
