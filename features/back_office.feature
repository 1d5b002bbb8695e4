@req:END-08
Feature: Back office
  A merchant captures, refunds and reverses a payment, referring to it by its id.

  Scenario: An authorized payment is captured in full
    Given an authorized payment of 92.00 EUR
    When the merchant captures 92.00 EUR of it
    Then the capture succeeds
    And the response shows id as a payment id
    And the response shows
      | paymentType | CP    |
      | amount      | 92.00 |
      | currency    | EUR   |

  @decision:D-58
  Scenario Outline: A response to a capture shows no card
    Given an authorized payment of 92.00 EUR
    When the merchant captures 92.00 EUR of it
    Then the capture succeeds
    And the response shows no <member>

    Examples:
      | member       | why                      |
      | card         | the payment has shown it |
      | paymentBrand | the payment has shown it |

  @code:D-41
  Scenario: An authorized payment is captured in several parts
    Given an authorized payment of 92.00 EUR
    And 30.00 EUR of it is captured
    When the merchant captures 62.00 EUR of it
    Then the capture succeeds

  @code:D-41
  Scenario: A partial capture shows its own amount
    Given an authorized payment of 92.00 EUR
    When the merchant captures 30.00 EUR of it
    Then the capture succeeds
    And the response shows
      | amount   | 30.00 |
      | currency | EUR   |

  @code:D-41
  Scenario: A partial refund shows its own amount
    Given a debit of 92.00 EUR
    When the merchant refunds 30.00 EUR of it
    Then the refund succeeds
    And the response shows
      | amount   | 30.00 |
      | currency | EUR   |

  @code:D-46 @pattern:limit
  Scenario: A capture may not exceed the authorized amount
    Given an authorized payment of 92.00 EUR
    When the merchant captures 92.01 EUR of it
    Then the capture is refused with 700.400.100

  @code:D-46 @pattern:limit
  Scenario: Several captures together may not exceed the authorized amount
    Given an authorized payment of 92.00 EUR
    And 60.00 EUR of it is captured
    When the merchant captures 32.01 EUR of it
    Then the capture is refused with 700.400.100

  @decision:D-46
  Scenario: A refused capture does not reduce the open amount
    Given an authorized payment of 92.00 EUR
    And the merchant tries to capture 92.01 EUR of it
    When the merchant captures 92.00 EUR of it
    Then the capture succeeds

  @needs:declines
  Scenario Outline: A declined capture does not reduce the open amount
    Given an authorized payment of 92.00 EUR with testMode "<mode>"
    And a declined capture of 92.00 EUR of it
    When the merchant captures 92.00 EUR of it
    Then the capture succeeds

    Examples:
      | mode     | why            |
      | INTERNAL | the simulators |
      | EXTERNAL | the card host  |

  @code:D-46
  Scenario: A debit cannot be captured
    Given a debit of 92.00 EUR
    When the merchant captures 92.00 EUR of it
    Then the capture is refused with 700.400.510

  @code:D-46 @needs:declines
  Scenario: A declined payment cannot be captured
    Given a declined authorization of 92.00 EUR
    When the merchant captures 92.00 EUR of it
    Then the capture is refused with 700.400.510

  Scenario: An unknown payment cannot be captured
    Given an unknown payment
    When the merchant captures 92.00 EUR of it
    Then the request is refused as not found

  @code:D-46
  Scenario: A reversed payment cannot be captured
    Given an authorized payment of 92.00 EUR
    And it is reversed
    When the merchant captures 92.00 EUR of it
    Then the capture is refused with 700.400.100

  Scenario: A debit is refunded in full
    Given a debit of 92.00 EUR
    When the merchant refunds 92.00 EUR of it
    Then the refund succeeds
    And the response shows
      | paymentType | RF    |
      | amount      | 92.00 |
      | currency    | EUR   |

  @code:D-41
  Scenario: A debit is refunded in several parts
    Given a debit of 92.00 EUR
    And 30.00 EUR of it is refunded
    When the merchant refunds 62.00 EUR of it
    Then the refund succeeds

  @code:D-46 @pattern:limit
  Scenario: A refund may not exceed the debited amount
    Given a debit of 92.00 EUR
    When the merchant refunds 92.01 EUR of it
    Then the refund is refused with 700.400.200

  @code:D-46 @pattern:limit
  Scenario: Several refunds together may not exceed the debited amount
    Given a debit of 92.00 EUR
    And 60.00 EUR of it is refunded
    When the merchant refunds 32.01 EUR of it
    Then the refund is refused with 700.400.200

  Scenario: A capture is refunded
    Given an authorized payment of 92.00 EUR
    And 60.00 EUR of it is captured
    When the merchant refunds 60.00 EUR of the capture
    Then the refund succeeds

  @code:D-46 @pattern:limit
  Scenario: A refund may not exceed the captured amount
    Given an authorized payment of 92.00 EUR
    And 60.00 EUR of it is captured
    When the merchant refunds 60.01 EUR of the capture
    Then the refund is refused with 700.400.200

  @code:D-46 @needs:declines
  Scenario: A declined payment cannot be refunded
    Given a declined debit of 92.00 EUR
    When the merchant refunds 92.00 EUR of it
    Then the refund is refused with 700.400.520

  @code:D-46
  Scenario: A payment that was never captured cannot be refunded
    Given an authorized payment of 92.00 EUR
    When the merchant refunds 92.00 EUR of it
    Then the refund is refused with 700.400.520

  Scenario: An unknown payment cannot be refunded
    Given an unknown payment
    When the merchant refunds 92.00 EUR of it
    Then the request is refused as not found

  @decision:D-41
  Scenario: A credit is refunded
    Given a credit of 92.00 EUR
    When the merchant refunds 92.00 EUR of it
    Then the refund succeeds

  Scenario: An authorized payment is reversed in full
    Given an authorized payment of 92.00 EUR
    When the merchant reverses it
    Then the reversal succeeds
    And the response shows paymentType "RV"

  @decision:D-29
  Scenario: A reversal without an amount is for the whole amount
    Given an authorized payment of 92.00 EUR
    When the merchant reverses it
    Then the response shows
      | amount   | 92.00 |
      | currency | EUR   |

  @code:D-46 @pattern:limit
  Scenario: A payment is reversed once
    Given an authorized payment of 92.00 EUR
    And it is reversed
    When the merchant reverses it
    Then the reversal is refused with 700.400.300

  @decision:D-14 @decision:D-46
  Scenario: A debit cannot be reversed
    Given a debit of 92.00 EUR
    When the merchant reverses it
    Then the reversal is refused with 700.400.300

  @decision:D-29 @decision:D-46
  Scenario: A captured payment cannot be reversed
    Given an authorized payment of 92.00 EUR
    And 92.00 EUR of it is captured
    When the merchant reverses it
    Then the reversal is refused with 700.400.300

  Scenario: An unknown payment cannot be reversed
    Given an unknown payment
    When the merchant reverses it
    Then the request is refused as not found

  @code:D-46
  Scenario Outline: An unknown payment is refused with the result code of the operation
    Given an unknown payment
    When the merchant <refers>
    Then the request is refused as not found with <code>

    Examples:
      | refers                   | code        | why        |
      | captures 92.00 EUR of it | 700.400.510 | a capture  |
      | refunds 92.00 EUR of it  | 600.200.500 | a refund   |
      | reverses it              | 700.400.530 | a reversal |

  @code:D-46 @needs:scripts
  Scenario Outline: A pending payment cannot be captured, refunded or reversed
    Given the acquirer leaves 1 payment pending
    And an authorized payment of 92.00 EUR
    When the merchant <refers>
    Then the <kind> is refused with 700.400.570

    Examples:
      | refers                   | kind     | why        |
      | captures 92.00 EUR of it | capture  | a capture  |
      | refunds 92.00 EUR of it  | refund   | a refund   |
      | reverses it              | reversal | a reversal |

  @code:D-46 @needs:declines
  Scenario: A declined payment cannot be reversed
    Given a declined authorization of 92.00 EUR
    When the merchant reverses it
    Then the reversal is refused with 700.400.530

  @decision:D-30
  Scenario: A processed order is charged again by a rebill
    Given a debit of 92.00 EUR
    When the merchant rebills 15.00 EUR on it
    Then the rebill succeeds
    And the response shows paymentType "RB"
    And the response shows amount "15.00"

  @decision:D-30
  Scenario: A rebill is refunded
    Given a debit of 92.00 EUR
    And a rebill of 15.00 EUR on it
    When the merchant refunds 15.00 EUR of the rebill
    Then the refund succeeds

  @decision:D-30
  Scenario: A receipt is recorded for an authorized payment
    Given an authorized payment of 92.00 EUR
    When the merchant reports 92.00 EUR received for it
    Then the receipt succeeds
    And the response shows paymentType "RC"

  @decision:D-30
  Scenario: A receipt is refunded
    Given an authorized payment of 92.00 EUR
    And a receipt of 92.00 EUR for it
    When the merchant refunds 92.00 EUR of the receipt
    Then the refund succeeds

  @code:D-46
  Scenario Outline: A capture or refund in another currency is refused
    Given <payment>
    When the merchant <refers>
    Then the request is refused with 700.100.500

    Examples:
      | payment                            | refers                   | why                 |
      | an authorized payment of 92.00 EUR | captures 92.00 USD of it | authorized in euros |
      | a debit of 92.00 EUR               | refunds 92.00 USD of it  | paid in euros       |

  @code:D-46
  Scenario Outline: A reversal cannot be captured or refunded
    Given an authorized payment of 92.00 EUR
    And it is reversed
    When the merchant <refers> of the reversal
    Then the <kind> is refused with <code>

    Examples:
      | refers             | kind    | code        | why                        |
      | captures 92.00 EUR | capture | 700.400.510 | a capture refers to a PA   |
      | refunds 92.00 EUR  | refund  | 700.400.520 | there is nothing to refund |

  @needs:control @code:D-46
  Scenario: A refund on another channel than the payment is refused
    Given a merchant with the channels web and phone
    And a debit of 92.00 EUR
    When the merchant refunds 92.00 EUR of it on the channel phone
    Then the refund is refused with 700.400.700

  Scenario: A capture without an amount is refused
    Given an authorized payment of 92.00 EUR
    When the merchant captures it without an amount
    Then the request is refused, naming amount

  Scenario: A captured payment is still read as an authorization
    Given an authorized payment of 92.00 EUR
    And 30.00 EUR of it is captured
    When the merchant reads it
    Then the response shows paymentType "PA"
    And the response shows amount "92.00"

  Scenario: A capture is read by its own id
    Given an authorized payment of 92.00 EUR
    And 30.00 EUR of it is captured
    When the merchant reads the capture
    Then the response shows paymentType "CP"
    And the response shows amount "30.00"

  @decision:D-362 @pattern:limit
  Scenario Outline: A thousand payments refer to one at most
    Given an authorized payment of 92.00 EUR
    And 0.01 EUR of it is captured <times> times
    When the merchant captures 0.01 EUR of it
    Then <outcome>

    Examples:
      | times | outcome                                 | why      |
      | 999   | the capture succeeds                    | the last |
      | 1000  | the payment is refused with 700.500.001 | one more |
