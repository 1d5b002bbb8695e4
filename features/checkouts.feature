@req:SVC-09
Feature: Checkouts
  A merchant prepares a checkout, a shopper pays in it, and the merchant reads how it ended.

  @req:END-03 @req:RSP-01
  Scenario Outline: A checkout is prepared with and without the version prefix
    When the merchant prepares a checkout for 92.00 EUR <how>
    Then the checkout is prepared
    And the answer shows id as a checkout id

    Examples:
      | how                        | why                         |
      | with the version prefix    | as every other path has it  |
      | without the version prefix | as the endpoints are listed |

  @req:END-03 @decision:D-128
  Scenario: A new checkout says that it was created
    When the merchant prepares a checkout for 92.00 EUR with the version prefix
    Then the answer shows result.code "000.200.100"

  @req:END-05 @decision:D-133
  Scenario: A checkout in which nobody paid is pending, and has no payment
    Given a checkout for 92.00 EUR
    When the merchant reads how its payment ended
    Then the answer shows result.code "000.200.000"
    And the answer shows no id

  @req:END-04
  Scenario: A shopper pays by card
    Given a checkout for 92.00 EUR
    When the shopper pays in it by card
    Then the payment succeeds
    And the answer shows id as a payment id
    And the answer shows amount "92.00"

  @req:END-05
  Scenario: The merchant reads the payment of a checkout
    Given a checkout for 92.00 EUR with merchantTransactionId "order-20391"
    And the shopper has paid in it by card
    When the merchant reads how its payment ended
    Then the payment succeeds
    And the answer is about it
    And the answer shows
      | amount                | 92.00       |
      | currency              | EUR         |
      | merchantTransactionId | order-20391 |

  @req:END-05 @req:END-03
  Scenario: What was prepared with the prefix is read without it
    Given a checkout for 92.00 EUR
    And the shopper has paid in it by card
    When the merchant reads how its payment ended, without the version prefix
    Then the payment succeeds
    And the answer is about it

  @req:END-05 @decision:D-130
  Scenario: How a checkout ended may be read twice
    Given a checkout for 92.00 EUR
    And the shopper has paid in it by card
    And the merchant has read how its payment ended
    When the merchant reads how its payment ended
    Then the payment succeeds

  @req:END-05
  Scenario: What was fixed is repeated when the merchant reads how it ended
    Given a checkout for 92.00 EUR with customParameters[order] "7"
    And the shopper has paid in it by card
    When the merchant reads how its payment ended
    Then the answer shows customParameters[order] "7"

  @req:AUTH-06 @needs:control
  Scenario: Another merchant does not read how a checkout ended
    Given a merchant with a neighbour
    And a checkout for 92.00 EUR
    And the shopper has paid in it by card
    When the neighbour reads how its payment ended
    Then there is no such checkout

  @req:CART-01
  Scenario: A thousand cart items go through a checkout
    Given a checkout for 92.00 EUR with 1000 cart items
    And the shopper has paid in it by card
    When the merchant reads how its payment ended
    Then the payment succeeds
    And the answer shows 1000 cart items

  @req:CART-01
  Scenario: A checkout takes no more than a thousand cart items
    When the merchant prepares a checkout for 92.00 EUR with 1001 cart items
    Then the request is refused, naming cart.items[1000].name

  @req:FORM-05 @req:FORM-06
  Scenario: A shopper whose payment was declined pays with another brand
    Given a checkout for 92.00 EUR
    And the shopper was declined in it
    When the shopper pays in it by another brand
    Then the payment succeeds

  @req:FORM-05 @req:ASYNC-01 @decision:D-54
  Scenario: A shopper who leaves the pages of one brand continues with another
    Given a checkout for 92.00 EUR
    And the shopper goes away to EPS in it
    When the shopper pays in it by card
    Then the payment succeeds

  @req:FORM-05 @decision:D-130
  Scenario: What the shopper left behind is not paid any more
    Given a checkout for 92.00 EUR
    And the shopper goes away to EPS in it
    And the shopper pays in it by card afterwards
    When the merchant reads the payment that was left
    Then the answer shows result.code "100.396.104"

  @req:FORM-06 @decision:D-130
  Scenario: Nobody pays twice in one checkout
    Given a checkout for 92.00 EUR
    And the shopper has paid in it by card
    When the shopper pays in it by card
    Then there is no such checkout

  @req:PAY-06
  Scenario Outline: A type that was fixed for one brand holds for that brand alone
    Given a checkout for 92.00 EUR with overridePaymentType[VISA] "PA"
    When the shopper pays in it by <account>
    Then the answer shows paymentType "<type>"

    Examples:
      | account       | type | why                        |
      | card          | PA   | it is of the brand         |
      | another brand | DB   | it has the type of all     |

  @req:PAY-06
  Scenario: A type for a brand is taken when a checkout is prepared, and not with a payment
    When the merchant debits 92.00 EUR with overridePaymentType[VISA] "PA"
    Then the request is refused, naming overridePaymentType[VISA]

  @req:PAY-06
  Scenario: A type for a brand is not taken when a checkout is changed
    Given a checkout for 92.00 EUR
    When the merchant changes it with overridePaymentType[VISA] "PA"
    Then the request is refused, naming overridePaymentType[VISA]

  @req:END-03 @decision:D-128
  Scenario: A checkout is changed before the shopper pays
    Given a checkout for 92.00 EUR
    And the merchant changes it with amount "42.00"
    When the shopper pays in it by card
    Then the answer shows amount "42.00"

  @req:END-03 @decision:D-128
  Scenario: A checkout that was removed is gone
    Given a checkout for 92.00 EUR
    And the merchant removes it
    When the shopper pays in it by card
    Then there is no such checkout

  @req:END-03 @decision:D-128
  Scenario Outline: Card data has no place in a checkout that is prepared
    When the merchant prepares a checkout for 92.00 EUR with <name> "<value>"
    Then the request is refused, naming <name>
    And the answer nowhere contains "<value>"

    Examples:
      | name        | value            | why                           |
      | card.number | 4200000000000000 | the shopper enters it         |
      | card.cvv    | 4711             | nobody keeps it               |

  @req:END-04 @decision:D-129
  Scenario: What was fixed cannot be overwritten
    Given a checkout for 92.00 EUR
    When the shopper pays in it by card, sending amount "0.01"
    Then the request is refused, naming amount
    And amount is explained by "cannot be overwritten"

  @req:END-04 @decision:D-129
  Scenario: An attempt to overwrite leaves no payment
    Given a checkout for 92.00 EUR
    And the shopper tries to pay another amount in it
    When the merchant reads how its payment ended
    Then the answer shows no id

  @req:FORM-12 @needs:control
  Scenario: Names from the form start with the shopper's prefix
    Given a checkout for 92.00 EUR
    When the form pays in it, sending customParameters[order] "7"
    Then the request is refused, naming customParameters[order]

  @req:FORM-12 @needs:control
  Scenario: What the form sends under the shopper's prefix comes back
    Given a checkout for 92.00 EUR
    When the form pays in it, sending customParameters[SHOPPER_size] "XL"
    Then the payment succeeds
    And the answer shows customParameters[SHOPPER_size] "XL"

  @req:FORM-12 @needs:control
  Scenario: The merchant's own names need no prefix
    Given a checkout for 92.00 EUR with customParameters[order] "7"
    When the form pays in it, sending customParameters[SHOPPER_size] "XL"
    Then the answer shows customParameters[order] "7"

  @req:END-04 @needs:control @decision:D-131
  Scenario: A form posts once
    Given a checkout for 92.00 EUR
    And the form was declined in it
    When the form posts the same again
    Then the credentials are refused as unknown

  @req:END-09 @decision:D-13
  Scenario: A checkout that nobody prepared is told in words clients look for
    When the merchant reads how a checkout ended that nobody prepared
    Then it is not found, for 200.300.404
    And the result is explained by "No payment session found"

  @req:FORM-01 @req:LIM-03 @needs:clock
  Scenario: A checkout is alive until its 30 minutes are over
    Given the clock stands still
    And a checkout for 92.00 EUR
    And 29 minutes and 59 seconds pass
    When the shopper pays in it by card
    Then the payment succeeds

  @req:FORM-01 @needs:clock
  Scenario: An unused checkout stops being valid after 30 minutes
    Given the clock stands still
    And a checkout for 92.00 EUR
    And 30 minutes pass
    When the shopper pays in it by card
    Then there is no such checkout

  @req:FORM-01 @needs:clock
  Scenario: A paid checkout is read until its 30 minutes are over
    Given the clock stands still
    And a checkout for 92.00 EUR
    And the shopper has paid in it by card
    And 30 minutes pass
    When the merchant reads how its payment ended
    Then there is no such checkout

  @req:SVC-10 @req:END-06 @req:END-07
  Scenario: A checkout completes a registration instead of a payment
    Given a checkout that only registers
    And the shopper has registered a card in it
    When the merchant reads how its registration ended
    Then the answer is about it
    And the answer shows card.last4Digits "0000"
    And the answer shows no amount

  @req:SVC-10 @req:END-07 @decision:D-133
  Scenario: A checkout in which nobody registered is pending
    Given a checkout that only registers
    When the merchant reads how its registration ended
    Then the answer shows result.code "000.200.000"

  @req:SVC-10 @req:END-06 @req:END-03
  Scenario: A card is registered without the version prefix
    Given a checkout that only registers
    When the shopper registers a card in it, without the version prefix
    Then the registration succeeds
    And the answer shows card.last4Digits "0000"

  @req:SVC-10 @req:SVC-12
  Scenario: A payment in a checkout registers the card where the merchant asked for it
    Given a checkout for 92.00 EUR with createRegistration "true"
    And the shopper has paid in it by card
    When the merchant reads how its payment ended
    Then the answer shows registrationId as a payment id

  @req:SVC-10 @req:SVC-13 @decision:D-129
  Scenario: A stored card that a checkout offers pays without its number
    Given a stored card
    And a checkout for 92.00 EUR that offers it
    When the shopper pays in it by the stored card
    Then the payment succeeds
    And the answer shows card.last4Digits "0000"

  @req:SVC-10 @decision:D-128
  Scenario: A checkout offers no stored card that nobody made
    When the merchant prepares a checkout for 92.00 EUR that offers a card nobody stored
    Then the answer shows result.code "100.150.200"

  @req:EVT-04 @req:LIM-03 @needs:clock @needs:webhooks
  Scenario: An unread payment is called out after 29 minutes
    Given the clock stands still
    And a checkout for 92.00 EUR that returns to the receiver
    And the shopper has paid in it by card
    When 29 minutes pass
    Then the receiver was told to read the payment of the checkout

  @req:EVT-04 @req:LIM-03 @needs:clock @needs:webhooks
  Scenario: Nobody is called out before 29 minutes are over
    Given the clock stands still
    And a checkout for 92.00 EUR that returns to the receiver
    And the shopper has paid in it by card
    When 28 minutes and 59 seconds pass
    Then the receiver was told nothing

  @req:EVT-04 @needs:clock @needs:webhooks
  Scenario: What the merchant has read is not called out
    Given the clock stands still
    And a checkout for 92.00 EUR that returns to the receiver
    And the shopper has paid in it by card
    And the merchant has read how its payment ended
    When 30 minutes pass
    Then the receiver was told nothing

  @req:EVT-04 @needs:clock @needs:webhooks
  Scenario: A checkout in which nobody pressed pay is not called out
    Given the clock stands still
    And a checkout for 92.00 EUR that returns to the receiver
    When 30 minutes pass
    Then the receiver was told nothing

  @req:EVT-05 @needs:clock @needs:webhooks
  Scenario: An unread registration is called out after 29 minutes
    Given the clock stands still
    And a checkout that only registers and returns to the receiver
    And the shopper has registered a card in it
    When 29 minutes pass
    Then the receiver was told to read the registration of the checkout

  @req:SVC-09 @decision:D-134
  Scenario: The integrity of the form's script is told where it is asked for
    When the merchant prepares a checkout for 92.00 EUR with integrity "true"
    Then the answer tells the integrity of the script it serves
