@needs:browser
Feature: The hosted form
  A shop embeds the script of the gateway in its page. The shopper types the card into frames of the
  gateway, and comes back to the shop with the id of the checkout.

  @req:FORM-07
  Scenario: The form pays on a page that holds nothing else
    Given a checkout for 92.00 EUR
    And the form of the checkout is open
    When the shopper pays in the form by card
    Then the browser comes back to the shop with the id of the checkout
    And the merchant reads a payment of 92.00 EUR in the checkout

  @field:E70
  Scenario: The script of the gateway draws a form
    Given a checkout for 92.00 EUR
    When the shopper comes to the page of the shop
    Then the form is drawn

  @req:RSP-03
  Scenario: The page of the shop gets neither the number nor the code of the card
    Given a checkout for 92.00 EUR
    And the form of the checkout is open
    When the shopper types a card into the form
    Then no message to the page has the number or the code of the card

  @req:FORM-02 @needs:channels
  Scenario: The bank asks the shopper inside the page of the shop
    Given a merchant whose channel requires 3-D Secure version 2
    And a checkout for 92.00 EUR with what 3-D Secure demands
    And the form of the checkout is open
    When the shopper pays in the form by the card 4200000000000018
    Then the bank asks the shopper inside the page of the shop

  @req:FORM-03
  Scenario: The form speaks 25 languages
    Given a checkout for 92.00 EUR
    When the shopper opens the form for VISA in each of the 25 languages
    Then the form has words of its own in each of them
    And no word of it is English in another language
    And the form runs from right to left in Arabic alone

  @req:FORM-03
  Scenario: The form of a bank account speaks 25 languages
    Given a checkout for 92.00 EUR
    When the shopper opens the form for DIRECTDEBIT_SEPA in each of the 25 languages
    Then no word of it is English in another language
    And the form runs from right to left in Arabic alone

  @req:FORM-04
  Scenario: A page replaces words of the form
    Given a checkout for 92.00 EUR
    When the shopper opens the form for VISA on a page that calls cardHolder "Name on the card"
    Then the form says "Name on the card"

  @req:FORM-04
  Scenario Outline: A page replaces every word of the form of every account
    Given a checkout for 92.00 EUR
    When the shopper opens the form for <brand> on a page that calls <label> "Another word"
    Then the form says "Another word"

    Examples:
      | brand            | label         | why                |
      | VISA             | brand         | the brands         |
      | VISA             | cardNumber    | the number         |
      | VISA             | expiryDate    | the date           |
      | VISA             | cvv           | the code           |
      | VISA             | submit        | the button         |
      | DIRECTDEBIT_SEPA | accountHolder | of a bank account  |
      | DIRECTDEBIT_SEPA | iban          | of a bank account  |
      | DIRECTDEBIT_SEPA | bic           | of a bank account  |
      | DIRECTDEBIT_SEPA | submit        | its button         |

  @req:FORM-05
  Scenario: A shopper who closes the window of the bank pays with another brand
    Given a checkout for 92.00 EUR
    And the form of the checkout is open, with EPS in a window of its own
    And the shopper has closed the window that EPS opened
    When the shopper pays in the form by card
    Then the browser comes back to the shop with the id of the checkout
    And the merchant reads a payment of 92.00 EUR in the checkout

  @req:FORM-06
  Scenario: The form offers every brand that its page names
    Given a checkout for 92.00 EUR
    When the shopper opens the form
    Then the form offers VISA, MASTER, AMEX

  @req:FORM-08
  Scenario Outline: The form fits the window
    Given a checkout for 92.00 EUR
    When the shopper opens the form
    Then the form fits a window of <width> pixels

    Examples:
      | width | why                    |
      | 320   | the smallest telephone |
      | 1280  | a desk                 |

  @req:FORM-09
  Scenario: Every page of the form asks old browsers for their newest mode
    Given a checkout for 92.00 EUR
    When the shopper opens the form
    Then every frame of the form asks for the newest mode

  @req:FORM-09
  Scenario: The form runs in the oldest browser the specification names
    Given a checkout for 92.00 EUR
    And a browser without what came after the oldest one
    When the shopper opens the form
    Then the form is drawn
    And no script of the form has failed
    And the script has no syntax that the oldest browser cannot read

  @req:FORM-09
  Scenario: The form pays in the oldest browser the specification names
    Given a checkout for 92.00 EUR
    And a browser without what came after the oldest one
    And the form of the checkout is open
    When the shopper pays in the form by card
    Then the browser comes back to the shop with the id of the checkout
    And no script of the form has failed

  @req:FORM-09
  Scenario Outline: The form of every account runs in the oldest browser
    Given a checkout for 92.00 EUR
    And a browser without what came after the oldest one
    When the shopper presses pay in the form for <brand>
    Then no script of the form has failed

    Examples:
      | brand            | why               |
      | VISA             | nothing is typed  |
      | MAESTRO          | another card      |
      | DIRECTDEBIT_SEPA | a bank account    |
      | VIRTUAL_ACCOUNT  | a virtual account |
      | GOOGLEPAY        | a wallet          |
      | EPS              | a redirect        |

  @req:FORM-10 @needs:control
  Scenario: The brands on offer change while a checkout is open
    Given a checkout for 92.00 EUR
    And the form of the checkout is open
    And the gateway offers AMEX alone in the checkout
    When the shopper opens the form
    Then the form offers AMEX

  @req:FORM-11
  Scenario: A form around the widget is sent without the fields of the widget
    Given a checkout for 92.00 EUR
    And the form of the checkout is open inside a form of the shop
    When the shopper sends the form of the shop
    Then the shop receives its own field alone
