"""Decisions about checkouts."""

from simulator.grammar.decisions import Decision, Switch, area

CHECKOUTS = area(
    "Checkouts",
    "Preparing, updating, paying and reading a checkout, and what the hosted form may send.",
    Decision(
        "D-127",
        "Ids of checkouts",
        question="""
            What does the id of a checkout consist of, beyond 32 to 48 letters, digits, dots and
            hyphens?
        """,
        answer="""
            32 upper-case hex digits, a dot, and 15 lower-case letters and digits. Both parts
            together contain the id of the sandbox; 80 bits of the hex digits are random. The id
            never contains twelve decimal digits in a row.
        """,
        reason="""
            Ids of existing gateways have this form. The shopper's browser has no token, so the
            sandbox must be found by the id, and a value that looks like a card number would be
            masked.
        """,
        tests=("simulator/tests/checkouts/test_checkout_ids.py", "features/checkouts.feature"),
    ),
    Decision(
        "D-128",
        "What is fixed when a checkout is prepared",
        question="""
            Which parameters does a checkout accept, how is it updated, read and removed, and what
            do its responses contain?
        """,
        answer="""
            It accepts every structure of a payment, except secrets (card.number, card.cvv, the
            wallet token, passwords) and terminal data. amount, currency and paymentType are
            required, unless createRegistration=true is sent; a paymentType then requires the other
            two. `registrations[n].id` names stored accounts of this merchant (others: 100.150.200,
            100.150.202). What only the shopper can enter is checked when the shopper pays; what the
            shopper could not correct is refused at once: money, a brand that the channel or the
            type does not take, an overridePaymentType of an unknown brand (ignored where unknown
            parameters are, D-02) or by which its brand could not pay, a merchantTransactionId that
            was paid with where the channel takes it once, a place in a series that no payment could
            have, days and a code that are no use. An update fixes more values, or other ones, and
            the whole is checked again. While an attempt is pending, updates and removal are refused
            (700.400.570); a payment that was sent before an update and comes to be stored after it
            is refused (200.300.404), so that nothing is paid at what was fixed before. Codes:
            created 000.200.100, updated 000.200.101, removed 000.200.102; a read is 000.200.103
            and, once there is a final payment, 000.000.100, with type, amount and what responses
            echo. Both spellings of the paths share their limits.
        """,
        reason="""
            The codes are in the list of result codes. Card data in a prepared session would have to
            be stored for half an hour.
        """,
        tests=(
            "simulator/tests/checkouts/test_checkouts.py",
            "simulator/tests/checkouts/test_checkout_registrations.py",
            "simulator/tests/checkouts/test_checkouts_at_once.py",
            "simulator/tests/checkouts/test_fixed_values.py",
            "features/checkouts.feature",
            "features/accounts.feature",
        ),
    ),
    Decision(
        "D-701",
        "A part that is added to a whole",
        question="""
            Where values are added to what was sent before, of what do rules between parameters
            hold, and where do the indexes of a list start?
        """,
        answer="""
            With an update, the payment or the registration of a checkout, RS of a schedule and the
            update of a registration, both are looked for in the whole. `customer.email` may be sent
            alone where the name is there, and `amount` alone with RS. A list runs from 0 without a
            gap: `cart.items[2].name` may be sent alone where items 0 and 1 are there. A part with
            an invalid name or value is refused before the whole is looked at. What is sent under an
            index that is there takes its place, but for the payment and the registration of a
            checkout, where it is refused (D-129). In a registration customer.browser.* needs no
            name, as forms send it without. What was stored under other rules, such as those of
            profile `field`, is not judged again: no part is refused for what the stored values
            have wrong by themselves and the part does not repeat.
        """,
        reason="""
            Values are merged, so what counts is what is there in the end. A stored card whose phone
            number another profile took can still be given a new expiry.
        """,
        tests=(
            "simulator/tests/checkouts/test_checkouts.py",
            "simulator/tests/checkouts/test_stored_by_other_rules.py",
            "simulator/tests/checkouts/test_wholes.py",
            "simulator/tests/schedules/test_api_schedules.py",
        ),
    ),
    Decision(
        "D-129",
        "What may be posted to a checkout",
        question="Which data may the form submit, and what may it overwrite?",
        answer="""
            Anything that a payment may have, or `registrationId` in place of an account. A value
            that was fixed must not be sent again, not even the same value, by the form or by the
            merchant (200.300.404, "was already set and cannot be overwritten"); the merchant
            updates the checkout instead. A card.holder of the merchant only prefills the form: that
            of the form is taken. The form may send brand, account, customer, billing address,
            createRegistration, recurring.numberOfInstallments, shopperResultUrl, customParameters
            that start with SHOPPER_, and the registrationId of an account that the checkout offers.
            Everything else (amount, statement text, risk, 3-D Secure results, the place in a
            series) may only be sent by the merchant, with an access token. Rules between parameters
            hold for the fixed and the sent values together, except that customer.browser.* needs no
            name. A payment belongs to the channel that its checkout was prepared for. A
            registration is an RG; a form makes none of a checkout with a paymentType, unless the
            merchant sent createRegistration=true.
        """,
        reason="""
            Existing gateways refuse overwriting in the same way: the price is agreed when the
            checkout is prepared. A browser sends its own data, whether or not the merchant knows
            the shopper's name.
        """,
        tests=(
            "simulator/tests/checkouts/test_checkouts.py",
            "simulator/tests/checkouts/test_capabilities.py",
            "features/checkouts.feature",
            "features/field_answers.feature",
            "features/everywhere.feature",
        ),
    ),
    Decision(
        "D-130",
        "How long a checkout may be used",
        question="""
            Does a checkout end by success or by being read, and what do further attempts do?
        """,
        answer="""
            After its first success it can be neither posted to nor updated nor removed. It can be
            read until 30 minutes after it was prepared, on the sandbox's clock. Unknown, expired
            and already used checkouts get the same answer, with the status of D-13. Before the
            first success any number of attempts may fail. An attempt that still waits for the
            shopper on another page is ended by the next one (100.396.104), so that the shopper
            never pays twice; while one is being processed, also after its shopper has come back,
            the next is refused (800.110.100). An attempt that only waits for its bank, for days,
            counts as a success here. With `D-130=first_read` a paid checkout ends when it is first
            read.
        """,
        reason="""
            A merchant may read the result twice, and a shopper may decide differently. A shop that
            removes a checkout to cancel an order must not take a paid one for unpaid, and its
            result can be read and is called out as the specification says (EVT-05), which knows no
            removal.
        """,
        switch=Switch(
            "checkout_read",
            "expiry",
            "expiry",
            "how long a paid checkout is read: until it expires, or once",
            others=("first_read",),
        ),
        tests=(
            "simulator/tests/checkouts/test_checkouts.py",
            "simulator/tests/checkouts/test_checkouts_at_once.py",
            "simulator/tests/checkouts/test_removed_checkouts.py",
            "simulator/tests/three_d_secure/test_under_way.py",
            "features/checkouts.feature",
            "features/field_answers.feature",
            "features/places.feature",
        ),
    ),
    Decision(
        "D-131",
        "Credentials of the hosted form",
        question="How does the hosted form authenticate?",
        answer="""
            With `Authorization: Checkout <48 hex digits>`, a capability for one checkout, of which
            only a hash is stored. At most eight are valid; a further one ends the oldest. It is
            used up by the commit that stores the attempt, so that a refused request does not use it
            up. After an attempt that failed or is pending, the header `Sandgate-Capability` of the
            response carries the next one. It is valid for the two POSTs of that checkout on its
            host and for nothing else. Unknown, foreign and used capabilities are answered 403, like
            an unknown token. The control API issues one for tests.
        """,
        reason="""
            An access token does not belong in a browser, and a POST that is repeated must not
            charge twice.
        """,
        tests=("simulator/tests/checkouts/test_capabilities.py", "features/checkouts.feature"),
    ),
    Decision(
        "D-132",
        "The call for a checkout that was not read",
        question="""
            When does a checkout count as read, what does the call contain, and is it retried?
        """,
        answer="""
            The call is a GET of shopperResultUrl with id (the checkout) and resourcePath, its own
            query kept, 29 minutes after the checkout was prepared, or later if the shopper pressed
            pay later. Only a read that returned a final result counts, or that a direct debit waits
            for its day: of a payment under /payment, of a registration under /registration. Another
            attempt makes the checkout unread again. A POST that was refused is not an attempt. A
            call that fails is repeated every 15 seconds until the checkout is read, removed or paid
            again, or expires: its resourcePath leads nowhere by then.
        """,
        reason="It is sent when the merchant does not know how the checkout ended.",
        tests=(
            "simulator/tests/checkouts/test_checkout_calls.py",
            "simulator/tests/checkouts/test_left_attempts.py",
            "features/checkouts.feature",
            "features/deliveries.feature",
        ),
    ),
    Decision(
        "D-133",
        "The ndc of a checkout, and its status before a payment",
        question="""
            Which ndc do responses about a checkout have, and what do they say before a payment was
            attempted?
        """,
        answer="""
            The same ndc as all responses. In profile `field` it is the id of the checkout, also in
            notifications of its payments; the journal lists the requests that share it, and shows
            the newest that is no reading, or the one whose number is asked for. Before the first
            attempt, and at the end if there was none, the result is 000.200.000 without an id.
        """,
        reason="""
            Recorded answers show it; existing shops use the ndc of a notification to find the
            checkout.
        """,
        switch=Switch(
            "checkout_ndc",
            "entity",
            "checkout",
            "the ndc of answers about a checkout: as everywhere, or the checkout's id",
        ),
        tests=(
            "simulator/tests/checkouts/test_checkouts.py",
            "simulator/tests/journal/test_shared_ndc.py",
            "features/checkouts.feature",
            "features/places.feature",
        ),
    ),
    Decision(
        "D-134",
        "Integrity",
        question="What does `integrity=true` return, and of what is it the hash?",
        answer="""
            The member `integrity` is `sha384-` and the Base64 hash of the script at
            /v1/paymentWidgets.js, which has the same bytes for every checkout and any origin.
            `GET /v1/fastcheckout/integrity` returns it without a checkout and without a token.
        """,
        reason="""
            A page that compares the script with the hash must find them equal, whatever the script
            does.
        """,
        tests=("simulator/tests/checkouts/test_checkouts.py", "features/checkouts.feature"),
    ),
    Decision(
        "D-310",
        "Which brands the hosted form offers",
        question="How does a merchant offer different brands to different shoppers?",
        answer="""
            By rules of the channel and by the control API, both evaluated each time a form is
            opened. A rule (`form_brands`) names brands, and the countries of the billing address,
            currencies, amounts and risk profiles it is for; what it leaves out may be anything, and
            the first rule that matches decides. Brands that the control API sets for one checkout
            come before the rules. Chosen brands narrow those that the page of the shop names, or
            with `override` replace them; where nothing is chosen, the page decides among those that
            the channel takes, or where rules have dispatched the checkout (D-111) the channel that
            they pick for the brand. What a form sends is asked for the same: a brand that is not
            among the chosen ones then is refused with 600.200.201, as one that the channel does not
            take. What the merchant fixed or listed for the checkout, a brand or stored accounts,
            pays in any case, and so does what comes with the token of the merchant.
        """,
        reason="""
            The specification offers brands per shopper during checkout and names no call for it;
            rules of the same shape choose the channel of a payment. A shopper can send what no
            form shows, and a brand may be left out for their risk profile.
        """,
        tests=(
            "simulator/tests/checkouts/test_form_brands.py",
            "features/form_pages.feature",
        ),
    ),
    Decision(
        "D-311",
        "The risk profile of a shopper",
        question="Which parameter carries the risk profile by which brands are offered?",
        answer="`risk.parameters[profile]`, fixed by the merchant when he prepares the checkout.",
        reason="""
            No parameter is made for it. The risk parameters are free, and a form may not send them,
            so that a shopper cannot choose a profile.
        """,
        tests=("simulator/tests/checkouts/test_form_brands.py", "features/form_pages.feature"),
    ),
    Decision(
        "D-312",
        "Who opens a form",
        question="How does the form in a shop's page get its capability?",
        answer="""
            A frame of the gateway in that page posts to `/form/{id}/open` and is answered the
            brands, words and stored accounts of the form and a capability (D-131). It is answered
            only where the browser says that a page of the gateway asks (Origin, or Sec-Fetch-Site
            same-origin); anything else is answered 403. An id that cannot be paid is answered 404.
        """,
        reason="The capability must not come into the reach of the shop's page.",
        tests=(
            "simulator/tests/checkouts/test_forms.py",
            "features/form_pages.feature",
        ),
    ),
    Decision(
        "D-313",
        "Number and code in frames",
        question="What of a card does the page of a shop see while its shopper types?",
        answer="""
            Number and code are typed into frames of the gateway, and a third, hidden frame reads
            them there and posts the form. Messages between them carry no digit (but see D-338): the
            page is sent whether a field is empty, complete or wrong, and which brands the number
            may be of. Rows of brands come to the fields from the relay, not from the page, which
            could ask for digit after digit by rows of its own. A frame takes messages from its
            parent alone and answers the origin that spoke first. The frames may stand in any page;
            they load nothing.
        """,
        reason="What a shop's page cannot read, no other script in that page can take.",
        tests=(
            "simulator/tests/browser/form/test_form_isolation.py",
            "simulator/tests/checkouts/test_form_script.py",
        ),
    ),
    Decision(
        "D-314",
        "The form on a page of its own",
        question="Where does a shopper find the form of a shop that has no page for it?",
        answer="""
            At `/form/{id}` of the gateway, in the language of `locale`, else the first one that the
            browser accepts, with all languages to choose from; `kind=registration` stores an
            account instead. The page may not be framed. It offers the brands that the gateway
            offers for the checkout, and leads to shopperResultUrl as the form of a shop does,
            without one to itself. A checkout that is paid, under way, or over (404) has a page that
            says so and leads to the shop; a decline stands above the form. A form in a page of the
            shop says that its checkout is paid, too, when it is opened again. A paid checkout is
            paid to both after its 30 minutes, too, though its id is no longer valid by then: no
            status is read by it (D-130), and the shop reads the payment by the id or the
            merchantTransactionId of that. One that stored an account is over at once.
        """,
        reason="""
            The specification wants a stand-alone form and names no address. Its id ends after 30
            minutes, and so does what a merchant does with it; a shopper who is shown that a paid
            order has expired would pay again.
        """,
        tests=(
            "simulator/tests/checkouts/test_form_page.py",
            "simulator/tests/browser/test_form_in_a_browser.py",
            "features/form_pages.feature",
        ),
    ),
    Decision(
        "D-315",
        "Pages of redirects in a frame of the form",
        question="May the pages of a bank and of 3-D Secure stand in a frame, and how do they end?",
        answer="""
            Where the payment came through a checkout they may stand in a frame of any page, else in
            none. In a frame the page before the challenge puts the ACS into a frame of its own, so
            that a shop allows frames of the gateway alone. The last page posts
            `{"s":1,"t":"ended"}` to the page around it, which leads to shopperResultUrl; its button
            leads there without scripts.
        """,
        reason="A shopper who is asked in the form stays in the shop.",
        tests=("simulator/tests/browser/test_form_in_a_browser.py", "features/everywhere.feature"),
    ),
    Decision(
        "D-335",
        "What of a form is drawn again",
        question="What becomes of a form that stands in a page when other brands are on offer?",
        answer="""
            The page may change `data-brands`, and after each attempt that leaves the form the
            gateway is asked again. Where the brands differ, forms that the shopper has not begun to
            fill in are drawn again, and `onReady` is called with them; the others stay as they are,
            with the brands they had.
        """,
        reason="Brands change for a shopper (FORM-10), and what he has typed is not thrown away.",
        tests=("simulator/tests/browser/test_form_options.py",),
    ),
    Decision(
        "D-336",
        "Given name and surname in place of the holder",
        question="What does a form send that asks for two names, and for an address?",
        answer="""
            `card.holder` is both names, `customer.givenName` and `customer.surname` each of them,
            unless the checkout fixed these. Fields of the address that the checkout fixed are not
            asked for. The names of countries are those of Unicode CLDR, their codes ISO 3166-1.
        """,
        reason="A form may not overwrite what the merchant fixed (D-129).",
        tests=("simulator/tests/browser/test_form_options.py",),
    ),
    Decision(
        "D-337",
        "The code of a stored account",
        question="Does a form ask for the code of a card that is stored?",
        answer="""
            It does, for the account that is chosen, unless the page says
            `registrations.requireCvv: false`; accounts other than cards have no code. The gateway
            takes a stored account with its code and without.
        """,
        reason="Pages of shops expect it; whether a code is needed is for them to say.",
        tests=("simulator/tests/browser/test_form_options.py",),
    ),
    Decision(
        "D-338",
        "The first digits of a number",
        question="Does the page of a shop see any digit that is typed into a frame?",
        answer="""
            The first six, and only where it has a callback `onDetectBin`, which is called with them
            when they are typed, and with an empty text when they are no longer. They name the
            issuer, not the account.
        """,
        reason="Shops decide by them, for instance about instalments.",
        tests=("simulator/tests/browser/test_form_options.py",),
    ),
    Decision(
        "D-340",
        "How often a form is opened",
        question="A form is opened without a token: how often may that be?",
        answer="""
            100 times a minute for one checkout, on the sandbox's clock, with the tables `sandbox`
            and `field`: the operation `open_form`, which any table may limit otherwise. Opening the
            form and a token of the wallet's sheet count together; the next one is answered 429 with
            Retry-After. The eight capabilities that are valid stay valid.
        """,
        reason="""
            Anybody who has the id of a checkout can ask, and each opening is a commit. A shopper
            who reloads the page never comes near it.
        """,
        tests=("simulator/tests/checkouts/test_forms.py",),
    ),
    Decision(
        "D-341",
        "Wallet buttons of the form",
        question="What does the form offer for a brand of a wallet?",
        answer="""
            A button that opens the sheet of the gateway's own wallet provider, in a frame over the
            page: what is paid to whom, and four cards of the test wallet, of which one is declined.
            The token of the chosen card is made for the amount of the checkout, in the protocol of
            the brand (EC_v1; GOOGLEPAY: ECv2), by the keys of the sandbox (D-151). The relay takes
            it from the sheet and posts it as mobileWallet.paymentToken; the page never has it. The
            options `applePay`, `googlePay` and `paypal` are accepted.
        """,
        reason="""
            No wallet issues tokens to a sandbox, and a shopper who presses such a button expects to
            choose a card, not to type one.
        """,
        tests=(
            "simulator/tests/checkouts/test_form_wallets.py",
            "simulator/tests/browser/test_form_accounts_in_a_browser.py",
        ),
    ),
    Decision(
        "D-342",
        "The summary page of a shop",
        question="""
            With `useSummaryPage` the shopper confirms on another page of the shop: where are the
            data of the form until then, and how are they paid with?
        """,
        answer="""
            The relay posts the form to `/form/{id}/kept`. The gateway checks it as if it paid, up
            to the risk check, seals it without the security code in a record of the checkout (that
            waits in memory, D-42), and the page is called (onSaveTransactionData with id,
            resourcePath, amount, currency, paymentBrand). An empty POST of a browser (Accept:
            text/html, no token) to `/v1/checkouts/{id}/payment` is led on (307) to
            `/form/{id}/confirm`, which pays with it and leads to the bank, or to shopperResultUrl
            with id and resourcePath, however it ends. It pays once: another confirmation leads to
            the shop and pays nothing. What is kept later replaces it. The first attempt of the
            checkout erases it; without one it is removed when the checkout is over, or is removed.
            A confirmation of nothing is a page that says that the checkout has expired.
        """,
        reason="""
            The shop must not have the card, and the browser loses its frames when the page is left.
            A browser that confirms has only the id of the checkout, so all is checked before.
        """,
        tests=(
            "simulator/tests/checkouts/test_form_summaries.py",
            "simulator/tests/checkouts/test_form_codes.py",
            "simulator/tests/browser/test_form_accounts_in_a_browser.py",
            "features/form_pages.feature",
        ),
    ),
)
