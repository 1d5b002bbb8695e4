"""Decisions about asynchronous payments."""

from simulator.grammar.decisions import Decision, area

REDIRECTS = area(
    "Asynchronous payments",
    "Payments that redirect the shopper: which ones, the page, and the way back.",
    Decision(
        "D-139",
        "Which payments redirect the shopper",
        question="Which brands and payment types are asynchronous?",
        answer="""
            PA, DB and PA.CP of a brand that redirects (`simulator/catalogue/brands.py`), when sent
            to the API. A payout (CD), a registration (RG), payments that the merchant initiates
            (D-123) and payments that a schedule executes do not redirect and need no
            shopperResultUrl. A registration that was requested with such a payment is created once
            the payment is approved.
        """,
        reason="""
            A shopper must be present to be redirected. A registration moves no money; registering a
            card does not ask for 3-D Secure either.
        """,
        tests=("simulator/tests/payments/test_redirects.py", "features/asynchronous.feature"),
    ),
    Decision(
        "D-135",
        "The address of the redirect page",
        question="Where is the shopper sent, and how is that address protected?",
        answer="""
            To a page of this gateway under the base address of the payment's host,
            `redirect/SANDBOX/PAYMENT/SECRET`. The secret (48 hex digits) opens this one page and
            nothing else; journal, trace, log and errors mask it. An invalid address is answered
            404. `redirect.parameters` has one element, `reference`, to be passed on. The page works
            without it, so that a plain GET of redirect.url is enough. There is no
            `redirect.method`: GET and POST do the same.
        """,
        reason="""
            Existing clients send the parameters as a form or in the query, and some forget them.
            Scripts want a single address.
        """,
        tests=("simulator/tests/payments/test_redirect_page.py", "features/asynchronous.feature"),
    ),
    Decision(
        "D-711",
        "Pages that are opened at another address of the gateway",
        question="Where do the pages of a redirect lead that are opened over TLS, or elsewhere?",
        answer="""
            On at the origin at which it opened them: each address of the gateway has its pages, and
            those of the ACS for browsers (`/acs/`) beside them. What a form is answered begins with
            the origin of its frames. At the address that merchants are given, and for programs, the
            ACS is where `acsURL` says, unless the page is over TLS and the ACS is not. The address
            of `--public-acs-url` is where pages at the address that merchants are given lead, since
            the ACS sends browsers back there alone; below a path in `--public-url` all links begin
            with that address. The pages of the ACS that post themselves have no origin of their
            own (a policy of `sandbox`): what they post comes as from another site.
        """,
        reason="""
            A browser blocks what a page over TLS leads to by plain http, and a frame of an origin
            that the policy of the page does not name. Of a link the path alone is written, so that
            no Host header leads a shopper elsewhere, and policies name the page itself. At the
            origin of the page no second certificate has to be accepted. Any site may have such a
            page of the ACS made for an address of the gateway, whose forms trust its own origin.
        """,
        tests=(
            "simulator/tests/browser/form/test_addresses_of_the_bank.py",
            "simulator/tests/browser/form/test_below_a_path.py",
            "simulator/tests/browser/test_three_d_secure_in_a_browser.py",
            "simulator/tests/http/pages/test_origins.py",
            "simulator/tests/three_d_secure/test_acs_of_a_fleet.py",
        ),
    ),
    Decision(
        "D-136",
        "Addresses that the shopper is sent back to",
        question="Which addresses may a browser be sent back to?",
        answer="""
            The shopperResultUrl of the payment and no other. A payment that redirects needs a
            shopperResultUrl with a scheme and `://`; script, file and data schemes are refused with
            400, schemes of apps are accepted. The content security policy of the page allows forms
            to that origin only. The page loads nothing else, cannot be framed, is not cached, and
            sends no referrer.
        """,
        reason="A page that stands for a bank is a target of abuse.",
        tests=(
            "simulator/tests/payments/test_redirects.py",
            "simulator/tests/payments/test_redirect_page.py",
            "features/asynchronous.feature",
        ),
    ),
    Decision(
        "D-137",
        "What the shopper may do",
        question="How can an asynchronous payment end?",
        answer="""
            The shopper pays, cancels (100.396.101), fails (100.396.104) or leaves. A payment that
            was left stays pending and fails after 30 minutes with 100.396.103 (D-47). A shopper who
            pays gets the outcome that the acquirer would have returned by the order of steering
            (D-34), with its codes and checks. A response that the acquirer gives after a delay
            arrives by the clock, whether or not the page was visited, and paying does not hurry it.
            The first end counts, whether it comes from the shopper, the control API or the clock.
        """,
        reason="""
            Existing clients know these codes. A redirect changes when an outcome counts, not which
            outcome.
        """,
        setting="Behaviours with a `bank` step (pay, cancel, fail, leave).",
        tests=(
            "simulator/tests/payments/test_redirects.py",
            "simulator/tests/payments/test_redirect_ends.py",
            "features/asynchronous.feature",
            "features/notified.feature",
            "features/everywhere.feature",
        ),
    ),
    Decision(
        "D-138",
        "The way back to the shop",
        question="How does a shopper return to the shop, and with which parameters?",
        answer="""
            To shopperResultUrl, with its own query and fragment kept and `id` and `resourcePath`
            appended: of the payment (`/v1/payments/{id}`), or of the checkout and its payment or
            registration. A browser gets a page that submits a form automatically, with a button
            where scripts are off. Other clients get 303 after a POST and 307 after a GET. Where a
            script decides for the shopper, a GET is answered 307 to browsers too. A page that is
            used again repeats the way back. notificationUrl is called with the same two parameters,
            those of an authentication alone and of a payment in a checkout included. A checkout
            that cannot be read any more when its payment becomes final, as that of a direct debit
            with a later due date, is an exception: the parameters are those of the payment
            (`/v1/payments/{id}`), which can be read. A call that is repeated stays as it was.
        """,
        reason="Existing clients read exactly these two.",
        tests=(
            "simulator/tests/payments/test_redirects.py",
            "simulator/tests/payments/test_redirect_page.py",
            "simulator/tests/payments/test_redirect_ends.py",
            "simulator/tests/checkouts/test_checkout_calls.py",
            "simulator/tests/three_d_secure/test_pages.py",
            "features/asynchronous.feature",
            "features/deliveries.feature",
        ),
    ),
)
