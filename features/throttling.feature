@needs:throttling
Feature: Throttling
  A merchant that asks too often is told to come back later. What is allowed is allowed exactly.

  @req:LIM-01 @req:LIM-02
  Scenario Outline: An operation takes its limit in a minute, and no more
    Given a merchant that may make <limit> payments a minute
    When the merchant tries 12 payments at once
    Then <limit> of them succeed and the others are throttled

    Examples:
      | limit | why         |
      | 1     | the least   |
      | 7     | some        |
      | 12    | all of them |

  @req:LIM-02 @needs:clock
  Scenario: The next minute takes the limit again
    Given a merchant that may make 3 payments a minute
    And the merchant has tried 12 payments at once
    And 1 minute passes
    When the merchant tries 12 payments at once
    Then 3 of them succeed and the others are throttled

  @req:LIM-02 @decision:D-87 @needs:clock
  Scenario Outline: A minute begins when the clock says so
    Given a merchant that may make 1 payment a minute, at half past the minute
    And a debit of 92.00 EUR
    And <time> passes
    When the merchant tries 2 payments at once
    Then <count> of them succeed and the others are throttled

    Examples:
      | time       | count | why                |
      | 29 seconds | 0     | the same minute    |
      | 30 seconds | 1     | the next has begun |

  @req:LIM-01
  Scenario: A limit on payments limits no reads
    Given a merchant that may make 1 payment a minute
    And a debit of 92.00 EUR
    When the merchant reads it
    Then the payment succeeds

  @req:LIM-01
  Scenario: Reads of one payment are limited
    Given a merchant that may read each payment 1 time a minute
    And a debit of 92.00 EUR
    And it is read
    When the merchant reads it
    Then the request is throttled

  @req:LIM-01
  Scenario: A limit on reads counts for each payment apart
    Given a merchant that may read each payment 1 time a minute
    And a debit of 92.00 EUR
    And it is read
    And a debit of 93.00 EUR
    When the merchant reads it
    Then the payment succeeds

  @req:LIM-01 @decision:D-91
  Scenario: Limits are chosen by name
    Given a merchant with the limits of the field
    And a debit of 92.00 EUR
    And it is read
    And it is read
    When the merchant reads it
    Then the request is throttled

  @req:LIM-01 @needs:live
  Scenario: The test host and the live host have limits of their own
    Given a merchant that may make 1 payment a minute, and 2 on the live host
    And the merchant has tried 12 payments at once
    When the merchant tries 12 payments at once on the live host
    Then 2 of them succeed and the others are throttled

  @req:LIM-01 @req:AUTH-06 @needs:clock
  Scenario: A merchant uses up nothing of what another may do
    Given a merchant with a neighbour
    And the clock stands still
    And each of them may make 1 payment a minute
    And the neighbour has tried 12 payments at once
    When the merchant tries 12 payments at once
    Then 1 of them succeed and the others are throttled

  @req:LIM-02 @decision:D-87
  Scenario: A request with wrong parameters counts like any other
    Given a merchant that may make 1 payment a minute
    And the merchant has tried to debit 92.0 EUR
    When the merchant debits 92.00 EUR
    Then the request is throttled

  @req:ERR-04 @req:ERR-05
  Scenario: A throttled request is told what it needs to know
    Given a merchant that may make 1 payment a minute
    And a debit of 92.00 EUR
    When the merchant debits 92.00 EUR
    Then the request is throttled
    And the answer shows id as a payment id
    And the answer shows buildNumber as some text
    And the answer shows timestamp as a timestamp
    And the answer shows ndc as a request id
    And the description says that there were too many requests, and to retry later

  @req:ERR-04
  Scenario: A throttled payment was never made
    Given a merchant that may make 1 payment a minute
    And a debit of 92.00 EUR
    And a debit of 93.00 EUR
    When the merchant reads it
    Then it is not found

  @req:ERR-04 @decision:D-59
  Scenario: A throttled request is told before its wrong parameters
    Given a merchant that may make 1 payment a minute
    And a debit of 92.00 EUR
    When the merchant debits 92.0 EUR
    Then the request is throttled

  @req:LIM-01
  Scenario: Limits may be lifted while they are in force
    Given a merchant that may make 1 payment a minute
    And a debit of 92.00 EUR
    And the tester lifts the limits
    When the merchant debits 92.00 EUR
    Then the payment succeeds
