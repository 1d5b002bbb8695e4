Feature: Reporting
  A merchant reads back what it did: one transaction, those of an order, those of some days.

  @req:END-10 @decision:D-171
  Scenario: A report of one transaction
    Given a debit of 92.00 EUR
    When the merchant asks for a report of it
    Then the answer is about it
    And the answer shows amount "92.00"

  @req:PAY-10 @decision:D-171
  Scenario: The memo of the merchant appears in a report only
    Given a debit of 92.00 EUR with merchantMemo "for the books of May"
    When the merchant asks for a report of it
    Then the answer shows merchantMemo "for the books of May"
    And a payment shows no merchantMemo

  @req:END-10 @decision:D-171
  Scenario: A report by the merchant's own reference
    Given two debits with the reference "order-4711-report"
    When the merchant asks for a report by the reference "order-4711-report"
    Then the report holds these debits

  @req:AUTH-06 @req:END-10 @needs:control @decision:D-171
  Scenario: A report shows nothing of another merchant
    Given a merchant with a neighbour
    And a debit of 92.00 EUR
    When the neighbour asks for a report of it
    Then the answer nowhere contains "92.00"
    And the answer nowhere contains "Jane Jones"

  @req:REP-01 @decision:D-171
  Scenario Outline: Both days of a time frame are needed, as yyyy-MM-dd
    When the merchant asks for a report from "<from>" to "<to>"
    Then the report is refused for <name>

    Examples:
      | from       | to         | name      | why              |
      |            | 2026-11-20 | date.from | no beginning     |
      | 2026-11-20 |            | date.to   | no end           |
      | 20.11.2026 | 2026-11-20 | date.from | the day first    |
      | 2026-11-20 | 2026-11-31 | date.to   | there is no such |

  @req:SVC-21 @decision:D-171
  Scenario: A report of the day of a payment
    Given a debit of 92.00 EUR with merchantTransactionId "order-4711-today"
    When the merchant asks for a report of the day it was made
    Then the report holds the payment

  @req:REP-01 @decision:D-171
  Scenario: A time frame in which nothing happened
    Given a debit of 92.00 EUR
    When the merchant asks for a report from "2001-01-01" to "2001-01-31"
    Then the report holds 0 transactions

  @req:END-10 @decision:D-171
  Scenario: The list of result codes
    When the merchant asks for the result codes
    Then every result code has its form and a description
