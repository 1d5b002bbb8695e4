@needs:scripts
Feature: Steering
  A tester scripts the outcome of payments. Scripts armed in the sandbox come first.

  @req:SVC-01 @req:ERR-01
  Scenario: A script may decline the next payment only
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
  Scenario: A removed script does not match
    Given the acquirer declines every payment with 800.100.155
    And the script is removed
    When the merchant debits 92.00 EUR
    Then the payment succeeds

  @req:SVC-01
  Scenario: The newest script decides
    Given the acquirer declines every payment with 800.100.155
    And the acquirer declines every payment with 800.100.159
    When the merchant debits 92.00 EUR
    Then the payment is declined with 800.100.159

  @req:SVC-01
  Scenario Outline: A script decides the payments it matches
    Given the acquirer declines payments of 13.00 EUR with 800.100.155
    When the merchant debits <amount> EUR
    Then the response shows result.code "<code>"

    Examples:
      | amount | code        | why                 |
      | 13.00  | 800.100.155 | the matching amount |
      | 13     | 800.100.155 | the same amount     |
      | 13.01  | 000.100.110 | another amount      |

  @req:SVC-01 @decision:D-34
  Scenario: A script overrides a forced result
    Given the acquirer declines every payment with 800.100.155
    When the merchant debits 92.00 EUR with customParameters[forceResultCode] "800.100.151"
    Then the payment is declined with 800.100.155

  @req:SVC-01 @decision:D-34
  Scenario: A forced result overrides the card holder
    When the merchant debits 92.00 EUR with
      | card.holder                       | 800.100.152 |
      | customParameters[forceResultCode] | 800.100.151 |
    Then the payment is declined with 800.100.151

  @req:SVC-01
  Scenario: An acquirer that fails twice approves the third payment
    Given the acquirer fails 2 times with 800.100.100 and then approves
    And a debit of 92.00 EUR
    And a debit of 92.00 EUR
    When the merchant debits 92.00 EUR
    Then the payment succeeds

  @req:SVC-01
  Scenario: An acquirer that fails twice declines the second payment
    Given the acquirer fails 2 times with 800.100.100 and then approves
    And a debit of 92.00 EUR
    When the merchant debits 92.00 EUR
    Then the payment is declined with 800.100.100

  @req:ADDR-05 @req:RSP-05
  Scenario Outline: The results of the address and security code checks are shown
    Given the acquirer returns <avs> for the address and <cvv> for the security code
    When the merchant debits 92.00 EUR with billing.street1 "Main Street"
    Then the payment succeeds
    And the response shows result.avsResponse "<avs>"
    And the response shows result.cvvResponse "<cvv>"

    Examples:
      | avs | cvv | why                              |
      | A   | M   | the address matches, not the zip |
      | Z   | N   | the zip matches, not the address |
      | N   | P   | neither matches                  |
      | U   | S   | nothing could be compared        |
      | F   | U   | both match                       |

  @req:RSP-05 @req:SVC-11 @pattern:place
  Scenario: The results of both checks are shown when a card is stored
    Given the acquirer returns Z for the address and N for the security code
    When the merchant sends billing.street1 "Main Street" with a registration
    Then it is accepted
    And the response shows result.avsResponse "Z"
    And the response shows result.cvvResponse "N"

  @req:SVC-01
  Scenario: A payment waits for a slow acquirer
    Given the acquirer takes 1 second to approve
    When the merchant debits 92.00 EUR
    Then the payment succeeds

  @req:SVC-01
  Scenario: A script counts its matches
    Given the acquirer declines every payment with 800.100.155
    And a debit of 92.00 EUR
    When the tester reads the script
    Then the script matched 1 time

  @req:SVC-01
  Scenario: A script without a match reports a near miss
    Given the acquirer declines payments of 13.00 EUR with 800.100.155
    And a debit of 92.00 EUR
    When the tester reads the script
    Then the script matched 0 times
    And the script reports a near miss

  @req:SVC-01
  Scenario: A reset sandbox has no payments
    Given a debit of 92.00 EUR
    And the sandbox is reset
    When the merchant reads it
    Then the request is refused as not found

  @req:SVC-01 @needs:control
  Scenario: A script of another sandbox does not match
    Given a script of another sandbox that declines every payment
    When the merchant debits 92.00 EUR
    Then the payment succeeds

  @req:END-10 @decision:D-325
  Scenario: A payment whose answer was lost is found by its reference
    Given the answer to the next payment is lost
    And a debit with the reference "order-4711-lost" that is not answered
    When the merchant requests a report by the reference "order-4711-lost"
    Then the report contains 1 transaction

  @req:END-10 @decision:D-325
  Scenario: A payment that did not arrive is in no report
    Given the next payment does not arrive
    And a debit with the reference "order-4711-gone" that is not answered
    When the merchant requests a report by the reference "order-4711-gone"
    Then the report finds no transaction

  @req:SVC-01 @decision:D-325
  Scenario: One answer is lost, the next one is not
    Given the answer to the next payment is lost
    And a debit with the reference "order-4711-lost" that is not answered
    When the merchant debits 92.00 EUR
    Then the payment succeeds

  @req:SVC-01 @req:STATE-01 @needs:control @needs:scripts @needs:clock @decision:D-33
  Scenario: A payment that a restart interrupts is reversed
    Given the sandbox clock is frozen
    And a debit of 40.00 EUR by the card 4242000000000026 with the reference "order-4711" that a restart interrupts
    When the merchant requests a report by the reference "order-4711"
    Then the one payment of the report ended with 900.100.301

  @req:SVC-01 @req:STATE-01 @needs:control @needs:scripts @needs:clock @decision:D-33
  Scenario: A payment that a restart interrupts takes nothing from its card
    Given the sandbox clock is frozen
    And a debit of 40.00 EUR by the card 4242000000000026 with the reference "order-4711" that a restart interrupts
    When the merchant debits 50.00 EUR with card.number "4242000000000026"
    Then the payment succeeds
