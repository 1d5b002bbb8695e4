Feature: Risk checks
  The risk system checks a payment before it is sent to the acquirer. A merchant may also request a
  risk check without a payment.

  @req:RISK-05 @req:SVC-17 @needs:channels
  Scenario: A payment shows its risk score
    Given a merchant whose channel checks the risk
    When the merchant debits 92.00 EUR
    Then the payment succeeds
    And the risk score is between -99999 and +99999

  @req:RISK-05 @req:SVC-17 @decision:D-168
  Scenario: A risk check without a payment shows the risk score
    When the merchant requests a risk check of 92.00 EUR
    Then the risk check succeeds
    And the risk score is between -99999 and +99999

  @req:RISK-05 @req:SVC-06 @needs:brands @decision:D-168
  Scenario Outline: A risk check without a payment takes every brand of a bank account
    When the merchant sends paymentBrand "<brand>" with a risk check of a bank account
    Then the risk check succeeds
    And the response shows paymentBrand "<brand>"
    And the risk score is between -99999 and +99999

    Examples:
      | brand            | why                        |
      | DIRECTDEBIT_SEPA | no payment type is sent    |
      | SEPA             | a brand that also pays out |
      | PREPAYMENT       | a brand of one type        |

  @req:RISK-05 @needs:scripts @needs:channels @decision:D-164 @pattern:values
  Scenario: The lowest score of several checks is shown
    Given a merchant whose channel checks the risk by the country
    And the risk system accepts every payment with the score -12
    When the merchant debits 92.00 EUR
    Then the payment succeeds
    And the response shows risk.score "-12"

  @req:RISK-05 @needs:scripts @decision:D-164
  Scenario: A payment that the risk system denies is declined
    Given the risk system denies every payment with 100.400.142 and the score -450
    When the merchant debits 92.00 EUR
    Then the payment is declined with 100.400.142
    And the response shows risk.score "-450"

  @req:RISK-02 @needs:scripts @decision:D-164 @pattern:limit
  Scenario Outline: A risk check uses risk.amount
    Given the risk system denies payments over 100.00
    When the merchant debits <amount> EUR with risk.amount "<checked>"
    Then <outcome>

    Examples:
      | amount | checked | outcome                                  | why                             |
      | 92.00  | 100.01  | the payment is declined with 100.380.100 | risk.amount is above the limit  |
      | 192.00 | 100.00  | the payment succeeds                     | risk.amount is within the limit |

  @req:RISK-01 @req:RISK-02 @needs:channels @decision:D-164 @decision:D-167 @pattern:limit
  Scenario Outline: The risk system and the screening service both use risk.amount
    Given a merchant whose channel checks the amount
    When the merchant debits <amount> EUR with
      | risk.amount    | <checked> |
      | risk.serviceId | <service> |
    Then <outcome>

    Examples:
      | amount | checked | service | outcome                                  | why                   |
      | 92.00  | 500.01  | S1      | the payment is declined with 100.380.100 | the risk system       |
      | 92.00  | 500.01  | S       | the payment is declined with 100.380.100 | the screening service |
      | 592.00 | 500.00  | S1      | the payment succeeds                     | within its limit      |
      | 592.00 | 500.00  | S       | the payment succeeds                     | within its limit too  |

  @req:RISK-05 @req:TDS-07 @needs:channels @decision:D-164 @pattern:place
  Scenario Outline: A payment that was screened shows its score though the issuer declines
    Given a merchant whose channel checks the amount and requires 3-D Secure
    When the shopper pays 92.00 EUR by the card 4200000000000026 with <name> "<value>"
    Then the response shows result.code "<code>"
    And the risk score is between -99999 and +99999

    Examples:
      | name                            | value | code        | why            |
      | customParameters[3DS2_enrolled] | false | 100.390.109 | it is declined |
      | customer.merchantCustomerId     | 4711  | 000.100.110 | it is approved |

  @req:RISK-04 @needs:scripts @decision:D-164
  Scenario Outline: A risk check uses risk.brand, else paymentBrand
    Given the risk system denies the brand MASTER with 100.400.142
    When the merchant debits 92.00 EUR with <name> "<value>"
    Then <outcome>

    Examples:
      | name              | value   | outcome                                  | why                  |
      | risk.brand        | MASTER  | the payment is declined with 100.400.142 | risk.brand is sent   |
      | risk.accountToken | a-token | the payment succeeds                     | paymentBrand is VISA |

  @req:RISK-03 @needs:scripts @decision:D-165 @pattern:limit
  Scenario Outline: A risk check uses risk.orderTimestamp, else the time of the request
    Given the risk system accepts 1 payment an hour from an account
    And a debit of 92.00 EUR
    When the merchant debits 92.00 EUR with <name> "<value>"
    Then <outcome>

    Examples:
      | name                 | value               | outcome                                  | why            |
      | risk.merchantWebsite | shop                | the payment is declined with 800.120.101 | within an hour |
      | risk.orderTimestamp  | 2020-01-31 10:00:00 | the payment succeeds                     | years before   |

  @req:RISK-01 @pattern:limit
  Scenario Outline: The screening service has shorter limits
    When the merchant debits 92.00 EUR with
      | risk.serviceId | <service> |
      | risk.channelId | <channel> |
    Then <outcome>

    Examples:
      | service | channel       | outcome                                       | why               |
      | S       | 123456789012  | the payment succeeds                          | twelve characters |
      | S       | 1234567890123 | the request is refused, naming risk.channelId | one more          |
      | S1      | 1234567890123 | the payment succeeds                          | another service   |

  @req:RISK-05 @needs:scripts @decision:D-164
  Scenario Outline: Every way to pay is screened
    Given the risk system denies every payment with 100.400.142 and the score -450
    When the merchant <pays> 92.00 EUR
    Then the payment is declined with 100.400.142
    And the response shows risk.score "-450"
    And the acquirer received no request

    Examples:
      | pays       | why              |
      | authorizes | an authorization |
      | debits     | a sale           |

  @req:RISK-05 @needs:scripts @decision:D-164 @pattern:limit
  Scenario Outline: A score is shown as the risk system gave it
    Given the risk system denies every payment with 100.400.142 and the score <score>
    When the merchant debits 92.00 EUR
    Then the response shows risk.score "<shown>"

    Examples:
      | score  | shown  | why         |
      | -99999 | -99999 | the lowest  |
      | 0      | 0      | none        |
      | 99999  | 99999  | the highest |

  @req:RISK-02 @needs:scripts @decision:D-164 @pattern:limit
  Scenario Outline: A risk check uses the amount of the payment where risk.amount is not sent
    Given the risk system denies payments over 100.00
    When the merchant debits <amount> EUR
    Then <outcome>

    Examples:
      | amount | outcome                                  | why               |
      | 100.00 | the payment succeeds                     | the limit itself  |
      | 100.01 | the payment is declined with 100.380.100 | a cent above it   |

  @req:RISK-02 @req:RISK-05 @needs:scripts @decision:D-168
  Scenario: A risk check without a payment is denied like a payment
    Given the risk system denies payments over 100.00
    When the merchant requests a risk check of 100.01 EUR
    Then the response shows result.code "100.380.100"

  @req:RISK-05 @needs:scripts @decision:D-164
  Scenario: A stored card is screened like a card
    Given a stored card
    And the risk system denies every payment with 100.400.142 and the score -450
    When the merchant debits 9.90 EUR from the registration
    Then the payment is declined with 100.400.142

  @req:RISK-04 @needs:scripts @decision:D-164
  Scenario Outline: A risk check without risk.brand uses the brand of the card
    Given the risk system denies the brand MASTER with 100.400.142
    When the merchant debits 92.00 EUR by the <brand> card <number>
    Then <outcome>

    Examples:
      | brand  | number           | outcome                                  | why        |
      | MASTER | 5200000000000007 | the payment is declined with 100.400.142 | that brand |
      | VISA   | 4200000000000000 | the payment succeeds                     | another    |

  @req:RISK-05 @req:ASYNC-01 @needs:scripts @code:D-164 @pattern:values
  Scenario Outline: A payment that ends later shows the score of its check in its result
    Given the risk system accepts every payment with the score <score>
    And a debit of 92.00 EUR through EPS
    And the shopper <does> on the redirect page
    When the merchant reads it
    Then the response shows result.code "<code>"
    And the response shows risk.score "<score>"

    Examples:
      | does    | code        | score  | why                |
      | pays    | 000.100.110 | 17     | it is paid         |
      | pays    | 000.100.110 | -99999 | the lowest score   |
      | cancels | 100.396.101 | -12    | nothing is debited |
      | fails   | 100.396.104 | 0      | the bank fails     |
      | leaves  | 000.200.000 | 7      | it is pending      |

  @req:RISK-05 @needs:scripts @needs:clock @code:D-164 @pattern:values
  Scenario Outline: A payment that was left pending shows the score of its check when it has ended
    Given the risk system accepts every payment with the score <score>
    And the acquirer leaves 1 payment pending
    And a debit of 92.00 EUR
    And the tester completes the payment with <outcome>
    When the merchant reads it
    Then the response shows result.code "<code>"
    And the response shows risk.score "<score>"

    Examples:
      | outcome   | code        | score | why                   |
      | a success | 000.100.110 | 17    | it is approved later  |
      | a failure | 800.100.152 | -12   | it is declined later  |
      | an expiry | 100.396.103 | 0     | it is given up        |

  @req:RISK-05 @req:ASYNC-01 @needs:channels @pattern:place
  Scenario: A redirected payment that was screened by its channel shows its score in the end
    Given a merchant whose channel checks the risk
    And a debit of 92.00 EUR through EPS
    And the shopper pays on the redirect page
    When the merchant reads it
    Then the payment succeeds
    And the risk score is between -99999 and +99999
