Feature: Risk checks
  A risk system looks at a payment before the acquirer is asked. The merchant may ask it alone.

  @req:RISK-05 @req:SVC-17 @decision:D-164
  Scenario: A payment tells its score
    When the merchant debits 92.00 EUR
    Then the payment succeeds
    And the risk score is between -99999 and +99999

  @req:RISK-05 @req:SVC-17 @decision:D-168
  Scenario: A risk check alone tells the score
    When the merchant has 92.00 EUR checked for risk
    Then the risk check succeeds
    And the risk score is between -99999 and +99999

  @req:RISK-05 @needs:scripts @decision:D-164
  Scenario: A payment that the risk system denies is declined
    Given the risk system denies every payment with 100.400.142 and the score -450
    When the merchant debits 92.00 EUR
    Then the payment is declined with 100.400.142
    And the answer shows risk.score "-450"

  @req:RISK-02 @needs:scripts @decision:D-164
  Scenario Outline: What the check judges is risk.amount
    Given the risk system denies payments over 100.00
    When the merchant debits <amount> EUR with risk.amount "<checked>"
    Then <outcome>

    Examples:
      | amount | checked | outcome                                  | why                |
      | 92.00  | 100.01  | the payment is declined with 100.380.100 | more is checked    |
      | 192.00 | 100.00  | the payment succeeds                     | less is checked    |

  @req:RISK-04 @needs:scripts @decision:D-164
  Scenario Outline: The brand is paymentBrand unless the merchant names another
    Given the risk system denies the brand MASTER with 100.400.142
    When the merchant debits 92.00 EUR with <name> "<value>"
    Then <outcome>

    Examples:
      | name              | value   | outcome                                  | why           |
      | risk.brand        | MASTER  | the payment is declined with 100.400.142 | it was named  |
      | risk.accountToken | a-token | the payment succeeds                     | VISA pays     |

  @req:RISK-03 @needs:scripts @decision:D-165
  Scenario Outline: The time is that of the request unless the merchant names another
    Given the risk system takes 1 payment an hour from an account
    And a debit of 92.00 EUR
    When the merchant debits 92.00 EUR with <name> "<value>"
    Then <outcome>

    Examples:
      | name                 | value               | outcome                                  | why            |
      | risk.merchantWebsite | shop                | the payment is declined with 800.120.101 | within an hour |
      | risk.orderTimestamp  | 2020-01-31 10:00:00 | the payment succeeds                     | years before   |

  @req:RISK-01
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
