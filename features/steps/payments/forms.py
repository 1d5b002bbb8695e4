"""Steps about the hosted form, in a real browser."""

import re
from collections.abc import Mapping

from pytest_bdd import given, parsers, then, when

from features.spec.languages import LANGUAGES, RIGHT_TO_LEFT
from features.spec.results import is_success
from features.steps.payments.asynchronous import RETURN_PARAMETER
from features.steps.payments.checkouts import money, prepare, read
from features.steps.payments.three_d_secure import BROWSER
from features.steps.phrases import MONEY
from features.support.assertions import NO_ANSWER, Judge
from features.support.merchant import Merchant
from features.support.shop_page import INSIDE, SCRIPT, WITH_BANK, ShopPage
from features.support.syntax import newer_syntax
from simulator.client import Answer, Control

ANY_ADDRESS = "https://shop.example/done"
DRAWN = "document.querySelector('.wpwl-button-pay')"
Words = Mapping[str, tuple[tuple[str, ...], str]]


@given(parsers.re(rf"a checkout for {MONEY} with what 3-D Secure demands"),
       target_fixture="checkout")  # fmt: skip
def create_checkout_for_authentication(merchant: Merchant, amount: str, currency: str) -> Answer:
    person = {name: text for name, text in BROWSER.items() if ".browser." not in name}
    return prepare(merchant, {**money(amount, currency), **person, RETURN_PARAMETER: ANY_ADDRESS})


@given("the form of the checkout is open")
def open_before(shop_with_form: ShopPage, checkout: Answer) -> None:
    shop_with_form.open(checkout.id)


@given("the form of the checkout is open inside a form of the shop")
def open_inside(shop_with_form: ShopPage, checkout: Answer) -> None:
    shop_with_form.open(checkout.id, body=INSIDE)


@given("the form of the checkout is open, with EPS in a window of its own")
def open_with_bank(shop_with_form: ShopPage, checkout: Answer) -> None:
    shop_with_form.open(checkout.id, {"paymentTarget": "bank"}, body=WITH_BANK)


@given("the shopper has closed the window that EPS opened")
def close_bank(shop_with_form: ShopPage) -> None:
    shop_with_form.close_bank("EPS")


@given("a browser without what came after the oldest one")
def take_old_browser(shop_with_form: ShopPage) -> None:
    shop_with_form.grow_old()


@given(parsers.re(r"the gateway offers (?P<brand>\w+) alone in the checkout"))
def offer_brand(control: Control, merchant: Merchant, checkout: Answer, *, brand: str) -> None:
    control.set_form_brands(
        merchant.sandbox, checkout.id, brands=[brand], active=True, override=True
    )


@when("the shopper opens the form")
def open_form(shop_with_form: ShopPage, checkout: Answer) -> None:
    shop_with_form.open(checkout.id)


@when(parsers.re(r"the shopper presses pay in the form for (?P<brand>\w+)"))
def press_pay(shop_with_form: ShopPage, checkout: Answer, *, brand: str) -> None:
    shop_with_form.open(checkout.id, brands=brand)
    shop_with_form.press_pay()


@when("the shopper comes to the page of the shop")
def come_to_page(shop_with_form: ShopPage, checkout: Answer) -> None:
    shop_with_form.open(checkout.id, until="document.readyState === 'complete'")


@when(
    parsers.re(
        r"the shopper opens the form for (?P<brand>\w+) on a page that calls (?P<label>\w+)"
        r' "(?P<word>[^"]+)"'
    )
)
def open_with_word(
    shop_with_form: ShopPage, checkout: Answer, *, brand: str, label: str, word: str
) -> None:
    shop_with_form.open(checkout.id, {"labels": {label: word}}, brands=brand)


@when(
    parsers.re(r"the shopper opens the form for (?P<brand>\w+) in each of the 25 languages"),
    target_fixture="spoken",
)
def open_in_every_language(shop_with_form: ShopPage, checkout: Answer, *, brand: str) -> Words:
    spoken = {}
    for language in LANGUAGES:
        shop_with_form.open(checkout.id, {"locale": language}, brands=brand, until=DRAWN)
        spoken[language] = shop_with_form.words(), shop_with_form.direction()
    return spoken


@when("the shopper types a card into the form")
def type_card(shop_with_form: ShopPage, merchant: Merchant) -> None:
    shop_with_form.type_card(merchant.card)


@when("the shopper pays in the form by card")
def pay_in_form(shop_with_form: ShopPage, merchant: Merchant) -> None:
    shop_with_form.pay(merchant.card)


@when(parsers.re(r"the shopper pays in the form by the card (?P<number>\d+)"))
def pay_in_form_by(shop_with_form: ShopPage, merchant: Merchant, *, number: str) -> None:
    shop_with_form.pay({**merchant.card, "card.number": number})


@when("the shopper sends the form of the shop", target_fixture="sent_to")
def send_outer_form(shop_with_form: ShopPage) -> str:
    return shop_with_form.submit_outer()


@then("the browser comes back to the shop with the id of the checkout")
def came_back(shop_with_form: ShopPage, checkout: Answer, judge: Judge) -> None:
    path = f"%2Fv1%2Fcheckouts%2F{checkout.id}%2Fpayment"
    expected = f"{shop_with_form.url}done?id={checkout.id}&resourcePath={path}"
    came = shop_with_form.came_back()
    judge.same("where the browser comes back", NO_ANSWER, expected=expected, came=came)


@then(parsers.re(rf"the merchant reads a payment of {MONEY} in the checkout"))
def reads_payment(
    merchant: Merchant, checkout: Answer, judge: Judge, *, amount: str, currency: str
) -> None:
    answer = read(merchant, checkout.id, "payment")
    judge.holds("the payment", answer, is_success(answer.code), expected="a success",
                came=answer.code)  # fmt: skip
    came = f"{answer.at('amount')} {answer.at('currency')}"
    judge.same("the amount", answer, expected=f"{amount} {currency}", came=came)


@then("no message to the page has the number or the code of the card")
def page_gets_no_account(shop_with_form: ShopPage, merchant: Merchant, judge: Judge) -> None:
    messages = shop_with_form.messages()
    digits = [re.sub(r"[^0-9a-zA-Z\"]", "", each) for each in messages]
    secrets = (merchant.card["card.number"], f'"{merchant.card["card.cvv"]}"')
    found = sum(secret in each for each in digits for secret in secrets)
    judge.holds("messages of the frames", NO_ANSWER, bool(messages), expected="some", came="none")
    judge.same("messages with a number or a code", NO_ANSWER, expected=0, came=found)


@then("the bank asks the shopper inside the page of the shop")
def bank_asks(shop_with_form: ShopPage, judge: Judge) -> None:
    came = shop_with_form.is_asked_by_the_bank()
    judge.same("whether the bank asks inside the page", NO_ANSWER, expected=True, came=came)


@then("the form has words of its own in each of them")
def has_own_words(spoken: Words, judge: Judge) -> None:
    said = [words for words, _ in spoken.values()]
    alike = [language for language, (words, _) in spoken.items() if said.count(words) > 1]
    judge.same("languages with the words of another", NO_ANSWER, expected=[], came=alike)


@then("no word of it is English in another language")
def has_no_english(spoken: Words, judge: Judge) -> None:
    english, _ = spoken["en"]
    # An abbreviation may be that of every language.
    words = {word for word in english if word != word.upper()}
    kept = {
        language: sorted(words & {*said})
        for language, (said, _) in spoken.items()
        if language != "en" and words & {*said}
    }
    judge.holds("words of the form", NO_ANSWER, bool(words), expected="some", came=str(english))
    judge.same("English words in another language", NO_ANSWER, expected={}, came=kept)


@then("no script of the form has failed")
def has_no_errors(shop_with_form: ShopPage, judge: Judge) -> None:
    judge.same("errors of scripts", NO_ANSWER, expected=[], came=shop_with_form.errors)


@then("the form runs from right to left in Arabic alone")
def runs_from_right(spoken: Words, judge: Judge) -> None:
    came = [language for language, (_, direction) in spoken.items() if direction == "rtl"]
    judge.same("languages from right to left", NO_ANSWER, expected=[*RIGHT_TO_LEFT], came=came)


@then(parsers.re(r'the form says "(?P<word>[^"]+)"'))
def says(shop_with_form: ShopPage, judge: Judge, word: str) -> None:
    judge.member("words of the form", NO_ANSWER, expected=word, came=shop_with_form.words())


@then(parsers.re(r"the form offers (?P<brands>[A-Z]+(, [A-Z]+)*)"))
def offers(shop_with_form: ShopPage, judge: Judge, brands: str) -> None:
    came = ", ".join(shop_with_form.brands())
    judge.same("brands on offer", NO_ANSWER, expected=brands, came=came)


@then(parsers.re(r"the form fits a window of (?P<width>\d+) pixels"), converters={"width": int})
def fits(shop_with_form: ShopPage, judge: Judge, width: int) -> None:
    came = shop_with_form.overflow(width)
    judge.same("pixels beyond the window", NO_ANSWER, expected=0, came=came)


@then("every frame of the form asks for the newest mode")
def asks_for_newest_mode(shop_with_form: ShopPage, judge: Judge) -> None:
    modes = shop_with_form.modes()
    judge.holds("frames of the form", NO_ANSWER, len(modes) > 1, expected="two or more",
                came=str(len(modes)))  # fmt: skip
    judge.same("modes they ask for", NO_ANSWER, expected={"IE=edge"}, came=set(modes))


@then("the form is drawn")
def is_drawn(shop_with_form: ShopPage, judge: Judge) -> None:
    came = shop_with_form.is_drawn()
    judge.same("whether there is a form", NO_ANSWER, expected=True, came=came)


@then("the script has no syntax that the oldest browser cannot read")
def is_old_syntax(merchant: Merchant, judge: Judge) -> None:
    answer = merchant.client.request("GET", SCRIPT)
    judge.holds("the script", answer, bool(answer.text), expected="a script", came="none")
    judge.same("newer syntax in the script", NO_ANSWER, expected=[],
               came=newer_syntax(answer.text))  # fmt: skip


@then("the shop receives its own field alone")
def receives_own_field(shop_with_form: ShopPage, sent_to: str, judge: Judge) -> None:
    expected = f"{shop_with_form.url}basket?coupon=SPRING"
    judge.same("what the shop receives", NO_ANSWER, expected=expected, came=sent_to)
