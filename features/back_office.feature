@req:END-08
Feature: Back office
  A merchant captures, refunds and reverses what it was paid, and refers to a payment by its id.

  Scenario: An authorised payment is captured in full
    Given an authorised payment of 92.00 EUR
    When the merchant captures 92.00 EUR of it
    Then the capture succeeds
    And the answer shows id as a payment id
    And the answer shows
      | paymentType | CP    |
      | amount      | 92.00 |
      | currency    | EUR   |

  @decision:D-58
  Scenario Outline: An answer about an earlier payment shows no card
    Given an authorised payment of 92.00 EUR
    When the merchant captures 92.00 EUR of it
    Then the capture succeeds
    And the answer shows no <member>

    Examples:
      | member       | why                            |
      | card         | the first payment has shown it |
      | paymentBrand | the first payment has shown it |

  @decision:D-41
  Scenario: An authorised payment is captured in several parts
    Given an authorised payment of 92.00 EUR
    And 30.00 EUR of it is captured
    When the merchant captures 62.00 EUR of it
    Then the capture succeeds

  @decision:D-41
  Scenario: A part that is captured is shown as it was captured
    Given an authorised payment of 92.00 EUR
    When the merchant captures 30.00 EUR of it
    Then the capture succeeds
    And the answer shows
      | amount   | 30.00 |
      | currency | EUR   |

  @decision:D-41
  Scenario: A part that is refunded is shown as it was refunded
    Given a debit of 92.00 EUR
    When the merchant refunds 30.00 EUR of it
    Then the refund succeeds
    And the answer shows
      | amount   | 30.00 |
      | currency | EUR   |

  @decision:D-46
  Scenario: A capture may not exceed the authorised sum
    Given an authorised payment of 92.00 EUR
    When the merchant captures 92.01 EUR of it
    Then the capture is refused with 700.400.100

  @decision:D-46
  Scenario: Several captures together may not exceed the authorised sum
    Given an authorised payment of 92.00 EUR
    And 60.00 EUR of it is captured
    When the merchant captures 32.01 EUR of it
    Then the capture is refused with 700.400.100

  @decision:D-46
  Scenario: A refused capture takes nothing from what may be captured
    Given an authorised payment of 92.00 EUR
    And a refused capture of 92.01 EUR of it
    When the merchant captures 92.00 EUR of it
    Then the capture succeeds

  @decision:D-60
  Scenario: A declined capture takes nothing from what may be captured
    Given an authorised payment of 92.00 EUR
    And a declined capture of 92.00 EUR of it
    When the merchant captures 92.00 EUR of it
    Then the capture succeeds

  @decision:D-46
  Scenario: A debit cannot be captured
    Given a debit of 92.00 EUR
    When the merchant captures 92.00 EUR of it
    Then the capture is refused with 700.400.510

  @decision:D-46 @needs:declines
  Scenario: A declined payment cannot be captured
    Given a declined authorisation of 92.00 EUR
    When the merchant captures 92.00 EUR of it
    Then the capture is refused with 700.400.510

  Scenario: A payment that nobody made cannot be captured
    Given a payment that nobody made
    When the merchant captures 92.00 EUR of it
    Then it is not found

  @decision:D-46
  Scenario: A reversed payment cannot be captured
    Given an authorised payment of 92.00 EUR
    And it is reversed
    When the merchant captures 92.00 EUR of it
    Then the capture is refused with 700.400.100

  Scenario: A debit is refunded in full
    Given a debit of 92.00 EUR
    When the merchant refunds 92.00 EUR of it
    Then the refund succeeds
    And the answer shows
      | paymentType | RF    |
      | amount      | 92.00 |
      | currency    | EUR   |

  @decision:D-41
  Scenario: A debit is refunded in several parts
    Given a debit of 92.00 EUR
    And 30.00 EUR of it is refunded
    When the merchant refunds 62.00 EUR of it
    Then the refund succeeds

  @decision:D-46
  Scenario: A refund may not exceed what was paid
    Given a debit of 92.00 EUR
    When the merchant refunds 92.01 EUR of it
    Then the refund is refused with 700.400.200

  @decision:D-46
  Scenario: Several refunds together may not exceed what was paid
    Given a debit of 92.00 EUR
    And 60.00 EUR of it is refunded
    When the merchant refunds 32.01 EUR of it
    Then the refund is refused with 700.400.200

  Scenario: A capture is refunded
    Given an authorised payment of 92.00 EUR
    And 60.00 EUR of it is captured
    When the merchant refunds 60.00 EUR of the capture
    Then the refund succeeds

  @decision:D-46
  Scenario: A refund may not exceed the captured sum
    Given an authorised payment of 92.00 EUR
    And 60.00 EUR of it is captured
    When the merchant refunds 60.01 EUR of the capture
    Then the refund is refused with 700.400.200

  @decision:D-46 @needs:declines
  Scenario: A declined payment cannot be refunded
    Given a declined debit of 92.00 EUR
    When the merchant refunds 92.00 EUR of it
    Then the refund is refused with 700.400.520

  @decision:D-46
  Scenario: A payment that was never captured cannot be refunded
    Given an authorised payment of 92.00 EUR
    When the merchant refunds 92.00 EUR of it
    Then the refund is refused with 700.400.520

  Scenario: A payment that nobody made cannot be refunded
    Given a payment that nobody made
    When the merchant refunds 92.00 EUR of it
    Then it is not found

  @decision:D-41
  Scenario: A credit is taken back by a refund
    Given a credit of 92.00 EUR
    When the merchant refunds 92.00 EUR of it
    Then the refund succeeds

  Scenario: An authorised payment is reversed as a whole
    Given an authorised payment of 92.00 EUR
    When the merchant reverses it
    Then the reversal succeeds
    And the answer shows paymentType "RV"

  @decision:D-29
  Scenario: A reversal without an amount is for the whole amount
    Given an authorised payment of 92.00 EUR
    When the merchant reverses it
    Then the answer shows
      | amount   | 92.00 |
      | currency | EUR   |

  @decision:D-46
  Scenario: A reversal comes once
    Given an authorised payment of 92.00 EUR
    And it is reversed
    When the merchant reverses it
    Then the reversal is refused with 700.400.300

  @decision:D-14 @decision:D-46
  Scenario: A debit is not reversed but refunded
    Given a debit of 92.00 EUR
    When the merchant reverses it
    Then the reversal is refused with 700.400.300

  @decision:D-29 @decision:D-46
  Scenario: A captured payment is not reversed but refunded
    Given an authorised payment of 92.00 EUR
    And 92.00 EUR of it is captured
    When the merchant reverses it
    Then the reversal is refused with 700.400.300

  Scenario: A payment that nobody made cannot be reversed
    Given a payment that nobody made
    When the merchant reverses it
    Then it is not found

  @decision:D-46
  Scenario Outline: A payment that nobody made is refused by the reference that was tried
    Given a payment that nobody made
    When the merchant <refers>
    Then it is not found, for <code>

    Examples:
      | refers                   | code        | why        |
      | captures 92.00 EUR of it | 700.400.510 | a capture  |
      | refunds 92.00 EUR of it  | 600.200.500 | a refund   |
      | reverses it              | 700.400.530 | a reversal |

  @decision:D-46 @needs:scripts
  Scenario Outline: Nothing refers to a payment whose outcome is still to come
    Given the acquirer leaves 1 payment pending
    And an authorised payment of 92.00 EUR
    When the merchant <refers>
    Then the <kind> is refused with 700.400.570

    Examples:
      | refers                   | kind     | why        |
      | captures 92.00 EUR of it | capture  | a capture  |
      | refunds 92.00 EUR of it  | refund   | a refund   |
      | reverses it              | reversal | a reversal |

  @decision:D-46 @needs:declines
  Scenario: A declined payment cannot be reversed
    Given a declined authorisation of 92.00 EUR
    When the merchant reverses it
    Then the reversal is refused with 700.400.530

  @decision:D-30
  Scenario: A processed order is charged again by a rebill
    Given a debit of 92.00 EUR
    When the merchant rebills 15.00 EUR on it
    Then the rebill succeeds
    And the answer shows paymentType "RB"
    And the answer shows amount "15.00"

  @decision:D-30
  Scenario: A rebill is refunded
    Given a debit of 92.00 EUR
    And a rebill of 15.00 EUR on it
    When the merchant refunds 15.00 EUR of the rebill
    Then the refund succeeds

  @decision:D-30
  Scenario: Money received is reported for an authorised payment
    Given an authorised payment of 92.00 EUR
    When the merchant reports 92.00 EUR received for it
    Then the receipt succeeds
    And the answer shows paymentType "RC"

  @decision:D-30
  Scenario: Money received is refunded
    Given an authorised payment of 92.00 EUR
    And a receipt of 92.00 EUR for it
    When the merchant refunds 92.00 EUR of the receipt
    Then the refund succeeds

  @decision:D-46
  Scenario Outline: A reference in another currency is refused
    Given <payment>
    When the merchant <refers>
    Then the request is refused with 700.100.500

    Examples:
      | payment                           | refers                      | why               |
      | an authorised payment of 92.00 EUR | captures 92.00 USD of it   | reserved in euros |
      | a debit of 92.00 EUR               | refunds 92.00 USD of it    | paid in euros     |

  @decision:D-46
  Scenario Outline: Nothing follows a reference that ends its tree
    Given an authorised payment of 92.00 EUR
    And it is reversed
    When the merchant <refers> of the reversal
    Then the <kind> is refused with <code>

    Examples:
      | refers             | kind    | code        | why                       |
      | captures 92.00 EUR | capture | 700.400.510 | it refers to no PA        |
      | refunds 92.00 EUR  | refund  | 700.400.520 | it refers to no money     |

  @needs:control @decision:D-46
  Scenario: A reference on another channel than the first payment is refused
    Given a merchant with the channels web and phone
    And a debit of 92.00 EUR
    When the merchant refunds 92.00 EUR of it on the channel phone
    Then the refund is refused with 700.400.700

  Scenario: A capture without an amount is refused
    Given an authorised payment of 92.00 EUR
    When the merchant captures it without saying how much
    Then the request is refused, naming amount

  Scenario: A captured payment is still read as it was authorised
    Given an authorised payment of 92.00 EUR
    And 30.00 EUR of it is captured
    When the merchant reads it
    Then the answer shows paymentType "PA"
    And the answer shows amount "92.00"

  Scenario: A capture is read by its own id
    Given an authorised payment of 92.00 EUR
    And 30.00 EUR of it is captured
    When the merchant reads the capture
    Then the answer shows paymentType "CP"
    And the answer shows amount "30.00"
