@req:STATE-01 @needs:scripts
Feature: States
  Some payments have no outcome at once. They are pending first and final later.

  Scenario: A payment without an outcome is pending
    Given the acquirer leaves 1 payment pending
    When the merchant debits 92.00 EUR
    Then the payment is pending
    And the response shows id as a payment id

  Scenario: A pending payment is read as pending
    Given the acquirer leaves 1 payment pending
    And a debit of 92.00 EUR
    When the merchant reads it
    Then the payment is pending
    And the response has the id of the payment

  @needs:clock @pattern:limit
  Scenario: A pending payment is pending until its outcome is due
    Given the sandbox clock is frozen
    And the acquirer approves 1 payment after a minute
    And a debit of 92.00 EUR
    And 59 seconds pass
    When the merchant reads it
    Then the payment is pending

  @needs:clock @pattern:limit
  Scenario Outline: A pending payment becomes final when its outcome is due
    Given the sandbox clock is frozen
    And the acquirer <decides> 1 payment after a minute
    And a debit of 92.00 EUR
    And 60 seconds pass
    When the merchant reads it
    Then the response shows result.code "<code>"
    And the response has the id of the payment

    Examples:
      | decides  | code        | why                   |
      | approves | 000.100.110 | the acquirer approves |
      | declines | 800.100.152 | the acquirer declines |

  @needs:clock
  Scenario: A pending payment is final at the next due job
    Given the sandbox clock is frozen
    And the acquirer approves 1 payment after a minute
    And a debit of 92.00 EUR
    And time passes until the next due job
    When the merchant reads it
    Then the payment succeeds

  @needs:clock
  Scenario: A pending authorization can be captured when it is final
    Given the acquirer approves 1 payment after a minute
    And an authorized payment of 92.00 EUR
    And 1 minute passes
    When the merchant captures 92.00 EUR of it
    Then the capture succeeds

  @needs:clock @decision:D-47 @pattern:limit
  Scenario Outline: A pending payment without an outcome expires after 30 minutes
    Given the sandbox clock is frozen
    And the acquirer leaves 1 payment pending
    And a debit of 92.00 EUR
    And <time> pass
    When the merchant reads it
    Then the response shows result.code "<code>"

    Examples:
      | time                      | code        | why             |
      | 29 minutes and 59 seconds | 000.200.000 | the last moment |
      | 30 minutes                | 100.396.103 | no longer       |

  @needs:clock
  Scenario Outline: A tester completes a pending payment
    Given the acquirer leaves 1 payment pending
    And a debit of 92.00 EUR
    And the tester completes the payment with <outcome>
    When the merchant reads it
    Then the response shows result.code "<code>"

    Examples:
      | outcome   | code        | why        |
      | a success | 000.100.110 | approved   |
      | a failure | 800.100.152 | declined   |
      | an expiry | 100.396.103 | no outcome |
