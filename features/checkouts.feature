@req:SVC-09
Feature: Checkouts
  A merchant prepares a checkout, the shopper pays in it, and the merchant reads its result.

  @req:END-03 @req:RSP-01
  Scenario Outline: A checkout is prepared with and without the version prefix
    When the merchant prepares a checkout for 92.00 EUR <how>
    Then the checkout is prepared
    And the response shows id as a checkout id

    Examples:
      | how                        | why                         |
      | with the version prefix    | as every other path has it  |
      | without the version prefix | as the endpoints are listed |

  @req:END-03 @decision:D-128
  Scenario: A new checkout has the result code of a created checkout
    When the merchant prepares a checkout for 92.00 EUR with the version prefix
    Then the response shows result.code "000.200.100"

  @req:END-05 @code:D-133
  Scenario: An unpaid checkout is pending and has no payment
    Given a checkout for 92.00 EUR
    When the merchant reads the payment result of the checkout
    Then the response shows result.code "000.200.000"
    And the response shows no id

  @req:END-04
  Scenario: A shopper pays by card
    Given a checkout for 92.00 EUR
    When the shopper pays in the checkout by card
    Then the payment succeeds
    And the response shows id as a payment id
    And the response shows amount "92.00"

  @req:END-05
  Scenario: The merchant reads the payment of a checkout
    Given a checkout for 92.00 EUR with merchantTransactionId "order-20391"
    And the shopper has paid in the checkout by card
    When the merchant reads the payment result of the checkout
    Then the payment succeeds
    And the response has the id of the payment
    And the response shows
      | amount                | 92.00       |
      | currency              | EUR         |
      | merchantTransactionId | order-20391 |

  @req:END-05 @req:END-03
  Scenario: A checkout prepared with the version prefix is read without it
    Given a checkout for 92.00 EUR
    And the shopper has paid in the checkout by card
    When the merchant reads the payment result of the checkout, without the version prefix
    Then the payment succeeds
    And the response has the id of the payment

  @req:END-05 @code:D-130
  Scenario: The result of a checkout may be read twice
    Given a checkout for 92.00 EUR
    And the shopper has paid in the checkout by card
    And the merchant has read the payment result of the checkout
    When the merchant reads the payment result of the checkout
    Then the payment succeeds

  @req:END-05
  Scenario: The result of a checkout shows the parameters of the checkout
    Given a checkout for 92.00 EUR with customParameters[order] "7"
    And the shopper has paid in the checkout by card
    When the merchant reads the payment result of the checkout
    Then the response shows customParameters[order] "7"

  @req:AUTH-06 @needs:other
  Scenario: Another merchant cannot read the result of a checkout
    Given two merchants of one sandbox
    And a checkout for 92.00 EUR
    And the shopper has paid in the checkout by card
    When the other merchant reads the payment result of the checkout
    Then the checkout is not found

  @req:CART-01 @pattern:limit
  Scenario: A checkout accepts a thousand cart items
    Given a checkout for 92.00 EUR with 1000 cart items
    And the shopper has paid in the checkout by card
    When the merchant reads the payment result of the checkout
    Then the payment succeeds
    And the response shows 1000 cart items

  @req:CART-01 @pattern:limit
  Scenario: A checkout refuses more than a thousand cart items
    When the merchant prepares a checkout for 92.00 EUR with 1001 cart items
    Then the request is refused, naming cart.items[1000].name

  @req:FORM-05 @req:FORM-06
  Scenario: A shopper may pay with another brand after a decline
    Given a checkout for 92.00 EUR
    And the shopper's payment in the checkout was declined
    When the shopper pays in the checkout by another brand
    Then the payment succeeds

  @req:FORM-05 @req:ASYNC-01 @needs:brands
  Scenario: A shopper may pay with another brand after a redirect
    Given a checkout for 92.00 EUR
    And the shopper is redirected to EPS in the checkout
    When the shopper pays in the checkout by card
    Then the payment succeeds

  @req:PAY-08 @needs:brands @needs:control @decision:D-285
  Scenario Outline: A redirect that was left keeps its reference from other checkouts alone
    Given a merchant whose channel <does> a merchant reference again
    And a checkout for 92.00 EUR with merchantTransactionId "order-4711"
    And the shopper is redirected to EPS in the checkout
    When the shopper pays in the checkout by card
    Then the payment succeeds

    Examples:
      | does    | why                                   |
      | refuses | no other payment has it               |
      | answers | a checkout is not answered by another |

  @req:FORM-05 @decision:D-130
  Scenario: An abandoned redirect is canceled when the shopper pays otherwise
    Given a checkout for 92.00 EUR
    And the shopper is redirected to EPS in the checkout
    And the shopper then pays in the checkout by card
    When the merchant reads the abandoned payment
    Then the response shows result.code "100.396.104"

  @req:FORM-06 @code:D-130
  Scenario: A checkout is paid once
    Given a checkout for 92.00 EUR
    And the shopper has paid in the checkout by card
    When the shopper pays in the checkout by card
    Then the checkout is not found

  @req:PAY-06
  Scenario Outline: A payment type set for one brand applies to that brand only
    Given a checkout for 92.00 EUR with overridePaymentType[VISA] "PA"
    When the shopper pays in the checkout by <account>
    Then the response shows paymentType "<type>"

    Examples:
      | account                | type | why                      |
      | card                   | PA   | a card of the brand      |
      | card without its brand | PA   | the brand is detected    |
      | another brand          | DB   | the type of the checkout |

  @req:PAY-06
  Scenario: A payment type for one brand is refused in a payment
    When the merchant debits 92.00 EUR with overridePaymentType[VISA] "PA"
    Then the request is refused, naming overridePaymentType[VISA]

  @req:PAY-06
  Scenario: A payment type for one brand is refused when a checkout is changed
    Given a checkout for 92.00 EUR
    When the merchant changes the checkout with overridePaymentType[VISA] "PA"
    Then the request is refused, naming overridePaymentType[VISA]

  @req:END-03 @decision:D-128
  Scenario: A checkout is changed before the shopper pays
    Given a checkout for 92.00 EUR
    And the merchant changes the checkout with amount "42.00"
    When the shopper pays in the checkout by card
    Then the response shows amount "42.00"

  @req:END-03 @decision:D-128
  Scenario: A deleted checkout cannot be paid
    Given a checkout for 92.00 EUR
    And the merchant deletes the checkout
    When the shopper pays in the checkout by card
    Then the checkout is not found

  @req:END-03 @code:D-128
  Scenario Outline: Card data is refused when a checkout is prepared
    When the merchant prepares a checkout for 92.00 EUR with <name> "<value>"
    Then the request is refused, naming <name>
    And the response does not contain "<value>"

    Examples:
      | name        | value            | why                   |
      | card.number | 4200000000000000 | the shopper enters it |
      | card.cvv    | 4711             | it must not be stored |

  @req:END-04 @code:D-129
  Scenario: The shopper cannot overwrite the amount of a checkout
    Given a checkout for 92.00 EUR
    When the shopper pays in the checkout by card with amount "0.01"
    Then the request is refused, naming amount
    And the error of amount has a message with "cannot be overwritten"

  @req:END-04 @code:D-129
  Scenario: A refused overwrite creates no payment
    Given a checkout for 92.00 EUR
    And the shopper tries to pay another amount in the checkout
    When the merchant reads the payment result of the checkout
    Then the response shows no id

  @req:FORM-12 @needs:control
  Scenario: Custom parameters from the payment form require the SHOPPER_ prefix
    Given a checkout for 92.00 EUR
    When the payment form pays in the checkout with customParameters[order] "7"
    Then the request is refused, naming customParameters[order]

  @req:FORM-12 @needs:control @pattern:limit
  Scenario Outline: The prefix of a custom parameter from the payment form is the whole one
    Given a checkout for 92.00 EUR
    When the payment form pays in the checkout with customParameters[<key>] "7"
    Then the request is refused, naming customParameters[<key>]

    Examples:
      | key           | why                   |
      | SHOPPERid     | no underscore         |
      | SHOPPER       | the word alone        |
      | SHOPPER-id    | a hyphen in its place |
      | SHOPPER.id    | a dot in its place    |
      | SHOPPERSHOP   | a longer word         |
      | SHOPPE_id     | a letter is missing   |
      | shopper_id    | small letters         |
      | Shopper_id    | one capital           |
      | XSHOPPER_id   | something before it   |
      | id_SHOPPER_   | it stands at the end  |

  @req:FORM-12 @needs:control
  Scenario: Custom parameters with the SHOPPER_ prefix are echoed
    Given a checkout for 92.00 EUR
    When the payment form pays in the checkout with customParameters[SHOPPER_size] "XL"
    Then the payment succeeds
    And the response shows customParameters[SHOPPER_size] "XL"

  @req:FORM-12 @needs:control
  Scenario: Custom parameters of the merchant need no prefix
    Given a checkout for 92.00 EUR with customParameters[order] "7"
    When the payment form pays in the checkout with customParameters[SHOPPER_size] "XL"
    Then the response shows customParameters[order] "7"

  @req:END-04 @needs:control @decision:D-131
  Scenario: The credentials of a payment form are valid once
    Given a checkout for 92.00 EUR
    And the payment form was declined in the checkout
    When the payment form posts again with the same credentials
    Then the credentials are refused as unknown

  @req:END-09 @decision:D-13
  Scenario: An unknown checkout is refused as no payment session
    When the merchant reads the payment result of an unknown checkout
    Then the request is refused as not found with 200.300.404
    And the result description contains "No payment session found"

  @req:FORM-01 @req:LIM-03 @needs:clock @pattern:limit
  Scenario: A checkout is valid for 30 minutes
    Given the sandbox clock is frozen
    And a checkout for 92.00 EUR
    And 29 minutes and 59 seconds pass
    When the shopper pays in the checkout by card
    Then the payment succeeds

  @req:FORM-01 @needs:clock @pattern:limit
  Scenario: An unused checkout stops being valid after 30 minutes
    Given the sandbox clock is frozen
    And a checkout for 92.00 EUR
    And 30 minutes pass
    When the shopper pays in the checkout by card
    Then the checkout is not found

  @req:FORM-01 @needs:clock @pattern:limit
  Scenario: A paid checkout cannot be read after 30 minutes
    Given the sandbox clock is frozen
    And a checkout for 92.00 EUR
    And the shopper has paid in the checkout by card
    And 30 minutes pass
    When the merchant reads the payment result of the checkout
    Then the checkout is not found

  @req:SVC-10 @req:END-06 @req:END-07
  Scenario: A checkout completes a registration instead of a payment
    Given a registration checkout
    And the shopper has registered a card in the checkout
    When the merchant reads the registration result of the checkout
    Then the response has the id of the payment
    And the response shows card.last4Digits "0000"
    And the response shows no amount

  @req:SVC-12 @req:END-07 @req:TOK-01 @decision:D-133
  Scenario: A card stored by a payment in a checkout is read as its registration
    Given a checkout for 92.00 EUR with createRegistration "true"
    And the shopper has paid in the checkout by card
    When the merchant reads the registration result of the checkout
    Then the response shows card.last4Digits "0000"
    And the response shows no amount

  @req:SVC-10 @req:END-07 @decision:D-133
  Scenario: A registration checkout without a registration is pending
    Given a registration checkout
    When the merchant reads the registration result of the checkout
    Then the response shows result.code "000.200.000"

  @req:SVC-10 @req:END-06 @req:END-03 @pattern:place
  Scenario: A card is registered without the version prefix
    Given a registration checkout
    When the shopper registers a card in the checkout, without the version prefix
    Then the registration succeeds
    And the response shows card.last4Digits "0000"

  @req:SVC-09 @decision:D-129
  Scenario: A checkout shows what was fixed when it was prepared
    Given a checkout for 92.00 EUR
    When the merchant reads what the checkout fixed
    Then the response shows
      | amount      | 92.00 |
      | currency    | EUR   |
      | paymentType | DB    |

  @req:FORM-12 @req:SVC-09 @req:END-04 @needs:control @decision:D-129 @pattern:values
  Scenario Outline: A form may send what its shopper says
    Given a checkout for 92.00 EUR
    When the payment form pays in the checkout with <name> "<value>"
    Then the payment succeeds

    Examples:
      | name                           | value                    | why                      |
      | createRegistration             | true                     | the account is stored    |
      | customer.browser.language      | en-GB                    | what his browser is      |
      | billing.city                   | Berlin                   | an address               |
      | card.holder                    | Jane Jones               | of the account           |
      | customParameters[SHOPPER_note] | ring twice               | a word of the shopper    |
      | shopperResultUrl               | https://shop.example/way | where the page returns   |
      | recurring.numberOfInstallments | 3                        | installments             |

  @req:SVC-09 @req:PAY-04 @needs:channels @decision:D-128
  Scenario Outline: A brand with which no shopper could pay is refused when a checkout is prepared
    Given a merchant whose channel takes VISA and AMEX alone
    When the merchant prepares a checkout for 92.00 EUR with paymentBrand "<brand>"
    Then the response shows result.code "<code>"

    Examples:
      | brand  | code        | why                       |
      | MASTER | 600.200.201 | the channel takes others  |
      | VISSA  | 100.100.501 | no brand                  |
      | AMEX   | 000.200.100 | a brand that it does take |

  @req:SVC-09 @req:REC-01 @needs:channels @decision:D-128
  Scenario: Two places in a series are refused when a checkout is prepared
    Given a merchant whose channel takes VISA and AMEX alone
    When the merchant prepares a checkout for 92.00 EUR with
      | recurringType            | INITIAL  |
      | standingInstruction.mode | REPEATED |
    Then the response shows result.code "100.900.500"

  @req:SVC-10 @req:SVC-12
  Scenario: A payment in a checkout creates a registration where createRegistration is true
    Given a checkout for 92.00 EUR with createRegistration "true"
    And the shopper has paid in the checkout by card
    When the merchant reads the payment result of the checkout
    Then the response shows registrationId as a payment id

  @req:SVC-10 @req:SVC-13 @code:D-129
  Scenario: A stored card offered by a checkout pays without its number
    Given a stored card
    And a checkout for 92.00 EUR that offers the stored card
    When the shopper pays in the checkout by the stored card
    Then the payment succeeds
    And the response shows card.last4Digits "0000"

  @req:SVC-10 @req:PAY-01 @decision:D-129
  Scenario: A stored card pays nothing in a checkout that has no amount
    Given a stored card
    And a registration checkout that offers the stored card
    When the shopper pays in the checkout by the stored card
    Then the request is refused, naming amount

  @req:SVC-10 @decision:D-128
  Scenario: A checkout cannot offer an unknown registration
    When the merchant prepares a checkout for 92.00 EUR that offers an unknown registration
    Then the response shows result.code "100.150.200"

  @req:EVT-04 @req:LIM-03 @needs:clock @needs:webhooks @pattern:limit
  Scenario: An unread payment of a checkout is called back after 29 minutes
    Given the sandbox clock is frozen
    And a checkout for 92.00 EUR with the receiver as shopperResultUrl
    And the shopper has paid in the checkout by card
    When 29 minutes pass
    Then the receiver is called to read the payment of the checkout

  @req:EVT-04 @req:LIM-03 @needs:clock @needs:webhooks @pattern:limit
  Scenario: An unread payment is not called back before 29 minutes
    Given the sandbox clock is frozen
    And a checkout for 92.00 EUR with the receiver as shopperResultUrl
    And the shopper has paid in the checkout by card
    When 28 minutes and 59 seconds pass
    Then the receiver is not called

  @req:EVT-04 @needs:clock @needs:webhooks
  Scenario: A payment that the merchant has read is not called back
    Given the sandbox clock is frozen
    And a checkout for 92.00 EUR with the receiver as shopperResultUrl
    And the shopper has paid in the checkout by card
    And the merchant has read the payment result of the checkout
    When 30 minutes pass
    Then the receiver is not called

  @req:EVT-04 @needs:clock @needs:webhooks
  Scenario: A second payment is called back though the decline before it was read
    Given the sandbox clock is frozen
    And a checkout for 92.00 EUR with the receiver as shopperResultUrl
    And the shopper's payment in the checkout was declined
    And the merchant has read the payment result of the checkout
    And the shopper has paid in the checkout by card
    When 29 minutes pass
    Then the receiver is called to read the payment of the checkout

  @req:EVT-04 @needs:clock @needs:webhooks
  Scenario: An unpaid checkout is not called back
    Given the sandbox clock is frozen
    And a checkout for 92.00 EUR with the receiver as shopperResultUrl
    When 30 minutes pass
    Then the receiver is not called

  @req:EVT-05 @needs:clock @needs:webhooks @pattern:limit @pattern:place @req:LIM-03
  Scenario: An unread registration of a checkout is called back after 29 minutes
    Given the sandbox clock is frozen
    And a registration checkout with the receiver as shopperResultUrl
    And the shopper has registered a card in the checkout
    When 29 minutes pass
    Then the receiver is called to read the registration of the checkout

  @req:SVC-09 @decision:D-134
  Scenario: A checkout shows a hash of the script where it is requested alone
    When the merchant prepares a checkout for 92.00 EUR with the version prefix
    Then the response shows no integrity

  @req:SVC-09 @decision:D-134
  Scenario: A checkout with integrity shows the hash of the form's script
    When the merchant prepares a checkout for 92.00 EUR with integrity "true"
    Then the response shows the integrity hash of the script

  @req:CUST-02 @pattern:place @pattern:limit
  Scenario Outline: A long name of a customer is cut with every request in which it comes
    When the merchant sends these with <kind>
      | customer.givenName | aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa |
      | customer.surname   | bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb |
    Then it is accepted
    And the response shows customer.givenName with 48 characters
    And the response shows customer.surname with 48 characters

    Examples:
      | kind                             | why                       |
      | a payment in a checkout          | the shopper sends it      |
      | a registration in a checkout     | it is stored              |
      | a payment from a registration    | a stored card             |
      | a registration                   | it is stored              |
      | a wallet payment                 | a wallet                  |
      | a direct debit                   | a bank account            |
      | a payment from a virtual account | a virtual account         |
      | a credit                         | money goes to the shopper |
