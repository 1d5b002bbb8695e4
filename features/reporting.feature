Feature: Reporting
  A merchant reads its transactions: one by its id, those of a reference, those of a time frame.

  @req:END-10 @decision:D-171
  Scenario: A report of one transaction
    Given a debit of 92.00 EUR
    When the merchant requests a report of it
    Then the response has the id of the payment
    And the response shows amount "92.00"

  @req:PAY-10 @decision:D-171
  Scenario: The merchant's memo is shown in reports only
    Given a debit of 92.00 EUR with merchantMemo "accounting for May"
    When the merchant requests a report of it
    Then the response shows merchantMemo "accounting for May"
    And a payment shows no merchantMemo

  @req:END-10 @decision:D-171
  Scenario: A report by the merchant's own reference
    Given two debits with the reference "order-4711-report"
    When the merchant requests a report by the reference "order-4711-report"
    Then the report contains these debits

  @req:AUTH-06 @req:END-10 @needs:control @decision:D-171
  Scenario: A report shows nothing of another merchant
    Given two merchants of one sandbox
    And a debit of 92.00 EUR
    When the other merchant requests a report of it
    Then the response does not contain "92.00"
    And the response does not contain "Jane Jones"

  @req:REP-01 @decision:D-171
  Scenario Outline: A time frame requires both days as yyyy-MM-dd
    When the merchant requests a report from "<from>" to "<to>"
    Then the report is refused, naming <name>

    Examples:
      | from       | to         | name      | why                 |
      |            | 2026-11-20 | date.from | no first day        |
      | 2026-11-20 |            | date.to   | no last day         |
      | 20.11.2026 | 2026-11-20 | date.from | another date format |
      | 2026-11-20 | 2026-11-31 | date.to   | no such day         |

  @req:SVC-21 @decision:D-171
  Scenario: A report of the day of a payment
    Given a debit of 92.00 EUR with merchantTransactionId "order-4711-today"
    When the merchant requests a report of the day it was made
    Then the report contains the payment

  @req:REP-01 @decision:D-171
  Scenario: A report of a time frame without payments is empty
    Given a debit of 92.00 EUR
    When the merchant requests a report from "2001-01-01" to "2001-01-31"
    Then the report contains 0 transactions

  @req:END-10 @decision:D-171
  Scenario: The list of result codes
    When the merchant requests the result codes
    Then every result code has its form and a description
