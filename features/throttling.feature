@needs:throttling
Feature: Throttling
  A merchant that sends too many requests is throttled. The limit holds exactly.

  @req:LIM-01 @req:LIM-02 @pattern:limit
  Scenario Outline: An operation accepts its limit in a minute and no more
    Given a merchant limited to <limit> payments a minute
    When the merchant sends 12 payments at once
    Then <limit> of them succeed and the others are throttled

    Examples:
      | limit | why                       |
      | 1     | the lowest limit          |
      | 7     | a limit below the load    |
      | 12    | a limit of the whole load |

  @req:LIM-02 @needs:clock @pattern:limit
  Scenario: The next minute accepts the limit again
    Given a merchant limited to 3 payments a minute
    And the merchant has tried to send 12 payments at once
    And 1 minute passes
    When the merchant sends 12 payments at once
    Then 3 of them succeed and the others are throttled

  @req:LIM-02 @decision:D-87 @needs:clock @pattern:limit
  Scenario Outline: A minute begins at the full minute of the sandbox clock
    Given a merchant limited to 1 payment a minute, at half past the minute
    And a debit of 92.00 EUR
    And <time> passes
    When the merchant sends 2 payments at once
    Then <count> of them succeed and the others are throttled

    Examples:
      | time       | count | why                |
      | 29 seconds | 0     | the same minute    |
      | 30 seconds | 1     | the next has begun |

  @req:LIM-01 @pattern:place
  Scenario: A limit on payments does not limit reads
    Given a merchant limited to 1 payment a minute
    And a debit of 92.00 EUR
    When the merchant reads it
    Then the payment succeeds

  @req:LIM-01 @needs:control
  Scenario: Reads of one payment are limited
    Given a merchant limited to reading each payment 1 time a minute
    And a debit of 92.00 EUR
    And it is read
    When the merchant reads it
    Then the request is throttled

  @req:LIM-01 @needs:control
  Scenario: A limit on reads counts for each payment separately
    Given a merchant limited to reading each payment 1 time a minute
    And a debit of 92.00 EUR
    And it is read
    And a debit of 93.00 EUR
    When the merchant reads it
    Then the payment succeeds

  @req:LIM-01 @decision:D-91 @needs:control
  Scenario: Limits are chosen by name
    Given a merchant with the limits of profile field
    And a debit of 92.00 EUR
    And it is read
    And it is read
    When the merchant reads it
    Then the request is throttled

  @req:LIM-01 @needs:live @pattern:place @req:LIM-02 @needs:control
  Scenario: The test host and the live host have separate limits
    Given a merchant limited to 1 payment a minute, and 2 on the live host
    And the merchant has tried to send 12 payments at once
    When the merchant sends 12 payments at once on the live host
    Then 2 of them succeed and the others are throttled

  @req:LIM-01 @req:AUTH-06 @needs:clock @needs:control
  Scenario: The limit of a merchant does not count requests of another merchant
    Given two merchants of one sandbox
    And the sandbox clock is frozen
    And both merchants are limited to 1 payment a minute
    And the other merchant has tried to send 12 payments at once
    When the merchant sends 12 payments at once
    Then 1 of them succeed and the others are throttled

  @req:LIM-02 @decision:D-87
  Scenario: A request with invalid parameters counts like any other
    Given a merchant limited to 1 payment a minute
    And the merchant has tried to debit 92.0 EUR
    When the merchant debits 92.00 EUR
    Then the request is throttled

  @req:ERR-04 @req:ERR-05
  Scenario: A throttled request is answered with an id and an explanation
    Given a merchant limited to 1 payment a minute
    And a debit of 92.00 EUR
    When the merchant debits 92.00 EUR
    Then the request is throttled
    And the response shows id as a payment id
    And the response shows buildNumber as some text
    And the response shows timestamp as a timestamp
    And the response shows ndc as a request id
    And the result description says too many requests and to retry later

  @req:ERR-04
  Scenario: A throttled payment is not stored
    Given a merchant limited to 1 payment a minute
    And a debit of 92.00 EUR
    And a debit of 93.00 EUR
    When the merchant reads it
    Then the request is refused as not found

  @req:ERR-04 @decision:D-59
  Scenario: Throttling is reported before invalid parameters
    Given a merchant limited to 1 payment a minute
    And a debit of 92.00 EUR
    When the merchant debits 92.0 EUR
    Then the request is throttled

  @req:LIM-01 @needs:control
  Scenario: Limits may be lifted at any time
    Given a merchant limited to 1 payment a minute
    And a debit of 92.00 EUR
    And the tester lifts the limits
    When the merchant debits 92.00 EUR
    Then the payment succeeds
