@needs:scripts
Feature: Steering
  A tester tells the acquirer how to answer. What is armed in the sandbox comes first.

  @req:SVC-01 @req:ERR-01
  Scenario: A script declines the next payment alone
    Given the acquirer declines 1 payment with 800.100.155
    And a debit of 92.00 EUR
    When the merchant debits 92.00 EUR
    Then the payment succeeds

  @req:SVC-01 @req:ERR-01
  Scenario: A script declines every payment until it is removed
    Given the acquirer declines every payment with 800.100.155
    And a debit of 92.00 EUR
    When the merchant debits 92.00 EUR
    Then the payment is declined with 800.100.155

  @req:SVC-01
  Scenario: A script that was removed answers no more
    Given the acquirer declines every payment with 800.100.155
    And the script is removed
    When the merchant debits 92.00 EUR
    Then the payment succeeds

  @req:SVC-01
  Scenario: The newest script answers
    Given the acquirer declines every payment with 800.100.155
    And the acquirer declines every payment with 800.100.159
    When the merchant debits 92.00 EUR
    Then the payment is declined with 800.100.159

  @req:SVC-01
  Scenario Outline: A script answers what it matches
    Given the acquirer declines payments of 13.00 EUR with 800.100.155
    When the merchant debits <amount> EUR
    Then the answer shows result.code "<code>"

    Examples:
      | amount | code        | why           |
      | 13.00  | 800.100.155 | the amount    |
      | 13     | 800.100.155 | the same      |
      | 13.01  | 000.100.110 | another       |

  @req:SVC-01 @decision:D-34
  Scenario: A script is asked before a forced result
    Given the acquirer declines every payment with 800.100.155
    When the merchant debits 92.00 EUR with customParameters[forceResultCode] "800.100.151"
    Then the payment is declined with 800.100.155

  @req:SVC-01 @decision:D-34
  Scenario: A forced result is asked before the holder
    When the merchant debits 92.00 EUR with
      | card.holder                       | 800.100.152 |
      | customParameters[forceResultCode] | 800.100.151 |
    Then the payment is declined with 800.100.151

  @req:SVC-01
  Scenario: An acquirer that fails twice takes the third payment
    Given the acquirer fails 2 times with 800.100.100 and then approves
    And a debit of 92.00 EUR
    And a debit of 92.00 EUR
    When the merchant debits 92.00 EUR
    Then the payment succeeds

  @req:SVC-01
  Scenario: An acquirer that fails twice fails the second payment
    Given the acquirer fails 2 times with 800.100.100 and then approves
    And a debit of 92.00 EUR
    When the merchant debits 92.00 EUR
    Then the payment is declined with 800.100.100

  @req:ADDR-05 @req:RSP-05
  Scenario Outline: The acquirer's answers to the address and to the security code are shown
    Given the acquirer answers <avs> to the address and <cvv> to the security code
    When the merchant debits 92.00 EUR with billing.street1 "Main Street"
    Then the payment succeeds
    And the answer shows result.avsResponse "<avs>"
    And the answer shows result.cvvResponse "<cvv>"

    Examples:
      | avs | cvv | why                              |
      | A   | M   | the address matches, not the zip |
      | Z   | N   | the zip matches, not the address |
      | N   | P   | neither matches                  |
      | U   | S   | nothing could be compared        |
      | F   | U   | both match                       |

  @req:SVC-01
  Scenario: A slow acquirer is waited for
    Given the acquirer takes 1 second to approve
    When the merchant debits 92.00 EUR
    Then the payment succeeds

  @req:SVC-01
  Scenario: A script counts what it answered
    Given the acquirer declines every payment with 800.100.155
    And a debit of 92.00 EUR
    When the tester reads the script
    Then it answered 1 time

  @req:SVC-01
  Scenario: A script that was never matched says so
    Given the acquirer declines payments of 13.00 EUR with 800.100.155
    And a debit of 92.00 EUR
    When the tester reads the script
    Then it answered 0 times
    And it reports a near miss

  @req:SVC-01
  Scenario: A reset forgets payments
    Given a debit of 92.00 EUR
    And the sandbox is reset
    When the merchant reads it
    Then it is not found

  @req:SVC-01 @needs:control
  Scenario: A script armed in one sandbox answers in no other
    Given a script of another sandbox that declines every payment
    When the merchant debits 92.00 EUR
    Then the payment succeeds
