@req:STATE-01 @needs:scripts
Feature: States
  Some payments are not decided at once. They are pending first, and final later.

  Scenario: A payment whose outcome is still to come is pending
    Given the acquirer leaves 1 payment pending
    When the merchant debits 92.00 EUR
    Then the payment is pending
    And the answer shows id as a payment id

  Scenario: A pending payment is read as pending
    Given the acquirer leaves 1 payment pending
    And a debit of 92.00 EUR
    When the merchant reads it
    Then the payment is pending
    And the answer is about it

  @needs:clock
  Scenario: A pending payment is pending until its time comes
    Given the clock stands still
    And the acquirer approves 1 payment after a minute
    And a debit of 92.00 EUR
    And 59 seconds pass
    When the merchant reads it
    Then the payment is pending

  @needs:clock
  Scenario Outline: A pending payment becomes final when its time comes
    Given the clock stands still
    And the acquirer <decides> 1 payment after a minute
    And a debit of 92.00 EUR
    And 60 seconds pass
    When the merchant reads it
    Then the answer shows result.code "<code>"
    And the answer is about it

    Examples:
      | decides  | code        | why                |
      | approves | 000.100.110 | the acquirer takes |
      | declines | 800.100.152 | the acquirer does not |

  @needs:clock
  Scenario: Time may pass just until something is due
    Given the clock stands still
    And the acquirer approves 1 payment after a minute
    And a debit of 92.00 EUR
    And time passes until something is due
    When the merchant reads it
    Then the payment succeeds

  @needs:clock
  Scenario: An authorisation that was pending is captured once it is final
    Given the acquirer approves 1 payment after a minute
    And an authorised payment of 92.00 EUR
    And 1 minute passes
    When the merchant captures 92.00 EUR of it
    Then the capture succeeds

  @needs:clock @decision:D-47
  Scenario Outline: A pending payment that nobody decides expires after 30 minutes
    Given the clock stands still
    And the acquirer leaves 1 payment pending
    And a debit of 92.00 EUR
    And <time> pass
    When the merchant reads it
    Then the answer shows result.code "<code>"

    Examples:
      | time                      | code        | why               |
      | 29 minutes and 59 seconds | 000.200.000 | the last moment   |
      | 30 minutes                | 100.396.103 | no longer         |

  @needs:clock
  Scenario Outline: A tester decides what is pending
    Given the acquirer leaves 1 payment pending
    And a debit of 92.00 EUR
    And the tester ends it as <outcome>
    When the merchant reads it
    Then the answer shows result.code "<code>"

    Examples:
      | outcome    | code        | why                |
      | a success  | 000.100.110 | approved           |
      | a failure  | 800.100.152 | declined           |
      | an expiry  | 100.396.103 | nobody decided     |
