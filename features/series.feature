Feature: Series, sessions and windows to their last instant
  A series has its terms and its reference, a checkout its thirty minutes, a velocity check its hour: each
  holds up to its limit and not beyond it.

  @req:COF-03 @req:COF-02 @needs:clock @decision:D-125 @pattern:limit
  Scenario Outline: A series is charged until its last day is over
    Given the sandbox clock is frozen at "2027-01-10T12:00:00Z"
    And a series started by the shopper that ends on <expiry>
    And the sandbox clock is frozen at "<instant>"
    When the merchant charges 9.90 EUR of the series without the shopper
    Then <outcome>

    Examples:
      | expiry     | instant              | outcome                                 | why                    |
      | 2027-03-31 | 2027-03-31T00:00:00Z | the payment succeeds                    | the last day begins    |
      | 2027-03-31 | 2027-03-31T23:59:59Z | the payment succeeds                    | the last second        |
      | 2027-03-31 | 2027-04-01T00:00:00Z | the payment is refused with 600.200.501 | the first second after |
      | 2028-02-29 | 2028-02-29T23:59:59Z | the payment succeeds                    | a leap day             |
      | 2028-02-29 | 2028-03-01T00:00:00Z | the payment is refused with 600.200.501 | the day after it       |

  @req:COF-03 @needs:control @needs:clock @decision:D-125 @pattern:limit
  Scenario Outline: A gateway may hold a series to its frequency
    Given a merchant whose sandbox sets D-125 to "all"
    And the sandbox clock is frozen at "2027-01-10T12:00:00Z"
    And a series started by the shopper every 30 days
    And the sandbox clock is frozen at "<instant>"
    When the merchant charges 9.90 EUR of the series without the shopper
    Then <outcome>

    Examples:
      | instant              | outcome                                 | why                   |
      | 2027-02-08T23:59:59Z | the payment is refused with 600.200.501 | the day before        |
      | 2027-02-09T00:00:00Z | the payment succeeds                    | thirty days afterward |

  @req:COF-03 @req:SVC-11 @needs:control @needs:clock @decision:D-125 @pattern:limit
  Scenario Outline: A series that starts with a registration is held to its frequency from its first charge
    Given a merchant whose sandbox sets D-125 to "all"
    And the sandbox clock is frozen at "2027-01-10T12:00:00Z"
    And a stored card with
      | standingInstruction.type      | RECURRING  |
      | standingInstruction.mode      | INITIAL    |
      | standingInstruction.source    | CIT        |
      | standingInstruction.expiry    | 2099-12-31 |
      | standingInstruction.frequency | 0030       |
    And <charged>
    And the sandbox clock is frozen at "<instant>"
    When the merchant debits 9.90 EUR from the registration with
      | standingInstruction.mode   | REPEATED |
      | standingInstruction.source | MIT      |
    Then <outcome>

    Examples:
      | charged                    | instant              | outcome                                 | why                   |
      | nothing is charged yet     | 2027-01-10T12:00:00Z | the payment succeeds                    | the first at once     |
      | the registration is charged | 2027-02-08T23:59:59Z | the payment is refused with 600.200.501 | the day before        |
      | the registration is charged | 2027-02-09T00:00:00Z | the payment succeeds                    | thirty days afterward |

  @req:COF-03 @decision:D-698 @pattern:limit
  Scenario Outline: A series that the merchant begins is held to its number
    Given a series of 3 installments started by the merchant
    And <charged>
    When the merchant charges 9.90 EUR of the series without the shopper
    Then <outcome>

    Examples:
      | charged                                               | outcome                                 | why              |
      | the merchant has charged 9.90 EUR of the series       | the payment succeeds                    | the last of them |
      | the merchant has charged 9.90 EUR of the series twice | the payment is refused with 600.200.501 | one too many     |

  @req:COF-03 @needs:clock @decision:D-698 @pattern:limit
  Scenario Outline: A series that the merchant begins is charged until its last day is over
    Given the sandbox clock is frozen at "2027-01-10T12:00:00Z"
    And a series started by the merchant that ends on 2027-03-31
    And the sandbox clock is frozen at "<instant>"
    When the merchant charges 9.90 EUR of the series without the shopper
    Then <outcome>

    Examples:
      | instant              | outcome                                 | why                    |
      | 2027-03-31T23:59:59Z | the payment succeeds                    | the last second        |
      | 2027-04-01T00:00:00Z | the payment is refused with 600.200.501 | the first second after |

  @req:COF-03 @req:SVC-11 @decision:D-698 @pattern:place
  Scenario Outline: A number that is sent with a later charge is held too
    Given a stored card
    And the registration is charged as an installment of <number>
    When the merchant debits 9.90 EUR from the registration with
      | standingInstruction.type                 | INSTALLMENT |
      | standingInstruction.mode                 | <mode>      |
      | standingInstruction.source               | MIT         |
      | standingInstruction.numberOfInstallments | <number>    |
    Then <outcome>

    Examples:
      | number | mode     | outcome                                 | why               |
      | 1      | REPEATED | the payment is refused with 600.200.501 | one too many      |
      | 2      | REPEATED | the payment succeeds                    | the last of them  |
      | 1      | INITIAL  | the payment succeeds                    | another plan begins |

  @req:COF-03 @decision:D-125 @pattern:limit
  Scenario: A charge that was declined is none of the installments
    Given a series of 3 installments started by the shopper
    And the merchant has charged 9.90 EUR of the series
    And a charge of 9.90 EUR of the series that is declined
    When the merchant charges 9.90 EUR of the series without the shopper
    Then the payment succeeds

  @req:COF-02 @req:SVC-09 @pattern:place
  Scenario: A series may start in a checkout
    Given a checkout for 9.90 EUR in which a series starts
    When the shopper pays in the checkout by card
    Then the payment succeeds
    And the response shows a reference for the series
    And the response shows registrationId as a payment id

  @req:COF-02 @pattern:values
  Scenario: Each series has a reference of its own
    Given a series started by the shopper
    And another series started by the shopper
    When the merchant charges 9.90 EUR of the series without the shopper
    Then the payment succeeds
    And the response shows the reference of the series
    And the response does not show the reference of the other series

  @req:RSP-04 @req:MODE-04 @req:ERR-01 @needs:declines @decision:D-64
  Scenario Outline: Every decline shows the acquirer's own code
    When the merchant debits 92.00 EUR with
      | testMode    | <mode> |
      | card.holder | <code> |
    Then the payment is declined with <code>
    And the response shows resultDetails.AcquirerResponse "<original>"

    Examples:
      | mode     | code        | original | why              |
      | INTERNAL | 800.100.151 | 14       | an invalid card  |
      | INTERNAL | 800.100.152 | 05       | no reason        |
      | INTERNAL | 800.100.153 | 82       | an invalid code  |
      | INTERNAL | 800.100.155 | 51       | above the credit |
      | INTERNAL | 800.100.157 | 54       | an expired card  |
      | INTERNAL | 800.100.160 | 62       | a blocked card   |
      | INTERNAL | 800.100.171 | 04       | the card is kept |
      | EXTERNAL | 800.100.151 | 14       | an invalid card  |
      | EXTERNAL | 800.100.152 | 05       | no reason        |
      | EXTERNAL | 800.100.155 | 51       | above the credit |
      | EXTERNAL | 800.100.157 | 54       | an expired card  |
      | EXTERNAL | 800.100.171 | 04       | the card is kept |

  @req:RSP-04 @req:MODE-04 @decision:D-64
  Scenario Outline: Every approval shows the acquirer's own code
    When the merchant <sends> with testMode "<mode>"
    Then the payment succeeds
    And the response shows resultDetails.AcquirerResponse "00"

    Examples:
      | sends                | mode     | why              |
      | authorizes 92.00 USD | INTERNAL | an authorization |
      | debits 0.01 EUR      | EXTERNAL | a sale           |
      | credits 7.00 GBP     | EXTERNAL | a credit         |

  @req:FORM-01 @req:SVC-09 @req:EVT-04 @needs:clock @pattern:limit
  Scenario Outline: A checkout that was changed is valid 30 minutes from its creation
    Given the sandbox clock is frozen
    And a checkout for 92.00 EUR
    And 20 minutes pass
    And the merchant changes the checkout with amount "50.00"
    And <span> pass
    When the shopper pays in the checkout by card
    Then <outcome>

    Examples:
      | span                     | outcome                   | why                  |
      | 9 minutes and 59 seconds | the payment succeeds      | the last second      |
      | 10 minutes               | the checkout is not found | its 30 minutes ended |

  @req:FORM-01 @req:SVC-10 @req:END-07 @needs:clock @pattern:limit @pattern:place
  Scenario Outline: A registration checkout is valid for 30 minutes
    Given the sandbox clock is frozen
    And a registration checkout
    And <span> pass
    When the merchant reads the registration result of the checkout
    Then <outcome>

    Examples:
      | span                      | outcome                   | why             |
      | 29 minutes and 59 seconds | the payment is pending    | the last second |
      | 30 minutes                | the checkout is not found | it ended        |

  @req:RISK-03 @req:RISK-05 @needs:scripts @needs:clock @decision:D-165 @pattern:limit
  Scenario Outline: A velocity check counts the payments of its hour
    Given the sandbox clock is frozen
    And the risk system accepts 1 payment an hour from an account
    And a debit of 92.00 EUR
    And <span> pass
    When the merchant debits 92.00 EUR
    Then <outcome>

    Examples:
      | span                      | outcome                                  | why             |
      | 59 minutes and 59 seconds | the payment is declined with 800.120.101 | the last second |
      | 60 minutes and 1 second   | the payment succeeds                     | an hour later   |

  @req:STATE-01 @req:ASYNC-01 @needs:clock @decision:D-47 @pattern:limit
  Scenario Outline: A redirected payment may be paid until it expires
    Given the sandbox clock is frozen
    And a debit of 92.00 EUR through EPS
    And <span> pass
    When the merchant reads it
    Then the response shows result.code "<code>"

    Examples:
      | span                      | code        | why             |
      | 29 minutes and 59 seconds | 000.200.000 | the last second |
      | 30 minutes                | 100.396.103 | it expired      |
