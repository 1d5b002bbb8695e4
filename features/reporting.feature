Feature: Reporting
  A merchant reads its transactions: one by its id, those of a reference, those of a time frame.

  @req:END-10 @needs:reports
  Scenario: A report of one transaction
    Given a debit of 92.00 EUR
    When the merchant requests a report of it
    Then the response has the id of the payment
    And the response shows amount "92.00"

  @req:PAY-10 @needs:reports
  Scenario: The merchant's memo is shown in reports only
    Given a debit of 92.00 EUR with merchantMemo "accounting for May"
    When the merchant requests a report of it
    Then the response shows merchantMemo "accounting for May"
    And a payment shows no merchantMemo

  @req:END-10 @needs:reports
  Scenario: A report by the merchant's own reference
    Given two debits with the reference "order-4711-report"
    When the merchant requests a report by the reference "order-4711-report"
    Then the report contains these debits

  @req:AUTH-06 @req:END-10 @needs:other @needs:reports
  Scenario: A report shows nothing of another merchant
    Given two merchants of one sandbox
    And a debit of 92.00 EUR
    When the other merchant requests a report of it
    Then the response does not contain "92.00"
    And the response does not contain "Jane Jones"
    And the other merchant was answered, and the merchant's own report contains the payment

  @req:REP-01 @needs:reports
  Scenario Outline: A time frame requires both days as yyyy-MM-dd
    When the merchant requests a report from "<from>" to "<to>"
    Then the report is refused, naming <name>

    Examples:
      | from       | to         | name      | why                 |
      |            | 2026-11-20 | date.from | no first day        |
      | 2026-11-20 |            | date.to   | no last day         |
      | 20.11.2026 | 2026-11-20 | date.from | another date format |
      | 2026-11-20 | 2026-11-31 | date.to   | no such day         |

  @req:SVC-21 @needs:reports
  Scenario: A report of the day of a payment
    Given a debit of 92.00 EUR with merchantTransactionId "order-4711-today"
    When the merchant requests a report of the day it was made
    Then the report contains the payment

  @req:REP-01 @needs:reports
  Scenario: A time frame does not end before it begins
    When the merchant requests a report from "2026-11-20" to "2026-11-19"
    Then the report is refused, naming date.to

  @req:REP-01 @decision:D-171
  Scenario: A report of a single day is answered
    When the merchant requests a report from "2026-11-20" to "2026-11-20"
    Then the report contains 0 transactions

  @req:REP-01 @decision:D-171
  Scenario: A report of a time frame without payments is empty
    Given a debit of 92.00 EUR
    When the merchant requests a report from "2001-01-01" to "2001-01-31"
    Then the report contains 0 transactions

  @req:END-10 @needs:reports
  Scenario: The list of result codes
    When the merchant requests the result codes
    Then every result code has its form and a description

  @req:REP-01 @req:SVC-21 @needs:clock @decision:D-172 @pattern:limit
  Scenario Outline: A time frame contains the first and the last second of its days
    Given payments at different times of
      | at                   | amount |
      | 2028-02-28T23:59:59Z | 1.00   |
      | 2028-02-29T00:00:00Z | 2.00   |
      | 2028-02-29T12:00:00Z | 3.00   |
      | 2028-02-29T23:59:59Z | 4.00   |
      | 2028-03-01T00:00:00Z | 5.00   |
      | 2029-02-28T12:00:00Z | 6.00   |
    When the merchant requests a report from "<from>" to "<to>"
    Then the report contains the amounts "<amounts>"

    Examples:
      | from       | to         | amounts                       | why                     |
      | 2028-02-29 | 2028-02-29 | 2.00 3.00 4.00                | a single day            |
      | 2028-02-28 | 2028-02-28 | 1.00                          | the day before          |
      | 2028-03-01 | 2028-03-01 | 5.00                          | the day after           |
      | 2028-02-28 | 2028-02-29 | 1.00 2.00 3.00 4.00           | two days                |
      | 2028-02-29 | 2028-03-01 | 2.00 3.00 4.00 5.00           | over the end of a month |
      | 2028-01-01 | 2028-12-31 | 1.00 2.00 3.00 4.00 5.00      | a year                  |
      | 2028-01-01 | 2029-12-31 | 1.00 2.00 3.00 4.00 5.00 6.00 | two years               |
      | 2029-02-28 | 2029-02-28 | 6.00                          | the same day, next year |
      | 2028-03-02 | 2029-02-27 |                               | between two payments    |

  @req:REP-01 @decision:D-172 @pattern:limit
  Scenario: A time frame that ends before it begins is refused
    When the merchant requests a report from "2026-11-20" to "2026-11-19"
    Then the report is refused, naming date.to

  @req:REP-01 @needs:reports
  Scenario Outline: A day of a report exists and has its form
    When the merchant requests a report from "<day>" to "2099-12-31"
    Then the report is refused, naming date.from

    Examples:
      | day                 | why                  |
      | 2027-02-29          | no leap year         |
      | 2026-13-01          | no such month        |
      | 2026-00-10          | no such month        |
      | 2026-11-00          | no such day          |
      | 2026-1-1            | one digit            |
      | 26-11-20            | two digits of a year |
      | 20261120            | without hyphens      |
      | 2026-11-20T00:00:00 | with a time          |

  @req:END-10 @req:SVC-21 @decision:D-173 @needs:control
  Scenario Outline: A report contains the transactions of the types and methods it asks for
    Given an authorized payment of 10.00 EUR with merchantTransactionId "order-4711-types"
    And 7.00 EUR of it is captured
    And a debit of 20.00 EUR with merchantTransactionId "order-4711-types"
    And 5.00 EUR of it is refunded
    And a credit of 30.00 EUR
    And a direct debit of 40.00 EUR
    When the merchant requests a report of all days with <name> "<value>"
    Then the report contains the amounts "<amounts>"

    Examples:
      | name           | value | amounts                           | why             |
      | paymentTypes   | PA    | 10.00                             | one type        |
      | paymentTypes   | DB    | 20.00 40.00                       | card and bank   |
      | paymentTypes   | CP    | 7.00                              | a capture       |
      | paymentTypes   | RF    | 5.00                              | a refund        |
      | paymentTypes   | CD    | 30.00                             | a credit        |
      | paymentTypes   | CP,RF | 7.00 5.00                         | two types       |
      | paymentTypes   | RF,CP | 7.00 5.00                         | in either order |
      | paymentTypes   | RB    |                                   | none of it      |
      | paymentMethods | CC    | 10.00 7.00 20.00 5.00 30.00       | cards           |
      | paymentMethods | DD    | 40.00                             | bank accounts   |
      | paymentMethods | CC,DD | 10.00 7.00 20.00 5.00 30.00 40.00 | both            |
      | paymentMethods | VA    |                                   | none of it      |

  @req:END-10 @decision:D-173 @needs:control @pattern:limit
  Scenario Outline: A report is read page by page
    Given payments of
      | amount |
      | 1.00   |
      | 2.00   |
      | 3.00   |
      | 4.00   |
      | 5.00   |
    When the merchant requests a report of all days with
      | limit  | <limit> |
      | pageNo | <page>  |
    Then the report contains the amounts "<amounts>"

    Examples:
      | limit | page | amounts                  | why                      |
      | 2     | 1    | 1.00 2.00                | the first page           |
      | 2     | 2    | 3.00 4.00                | the second page          |
      | 2     | 3    | 5.00                     | the last one is not full |
      | 2     | 4    |                          | beyond the last          |
      | 1     | 5    | 5.00                     | one a page               |
      | 5     | 1    | 1.00 2.00 3.00 4.00 5.00 | all on one page          |
      | 5     | 2    |                          | a full page is the last  |
      | 499   | 1    | 1.00 2.00 3.00 4.00 5.00 | the longest page         |

  @req:END-10 @decision:D-173 @needs:control @pattern:limit
  Scenario Outline: A report in pages counts them
    Given payments of
      | amount |
      | 1.00   |
      | 2.00   |
      | 3.00   |
      | 4.00   |
    When the merchant requests a report in pages of all days with limit "<limit>"
    Then the report has <pages> pages
    And the report contains <records> records

    Examples:
      | limit | pages | records | why                  |
      | 1     | 4     | 1       | one a page           |
      | 2     | 2     | 2       | two full pages       |
      | 3     | 2     | 3       | the last is not full |

  @req:END-10 @decision:D-690 @needs:control @pattern:limit
  Scenario Outline: A report that goes on says how many pages there are
    Given payments of
      | amount | merchantTransactionId |
      | 1.00   | order-4711            |
      | 2.00   | order-4711            |
      | 3.00   | order-4711            |
    When the merchant requests a report of all days with
      | limit        | <limit> |
      | pageNo       | <page>  |
      | paymentTypes | <types> |
    Then the report contains the amounts "<amounts>"
    And the report has <pages> pages

    Examples:
      | limit | page | types | amounts   | pages | why                           |
      | 1     | 1    | DB    | 1.00      | 3     | the first of three            |
      | 2     | 1    | DB    | 1.00 2.00 | 2     | the first of two              |
      | 2     | 2    | DB    | 3.00      | 2     | the last one says it too      |
      | 2     | 1    | RF,DB | 1.00 2.00 | 2     | several types                 |
      | 2     | 1    | RF    |           | 2     | none on it: it is not the end |

  @req:END-10 @decision:D-173 @pattern:limit
  Scenario Outline: A page has a limit of its own, and pages are counted from 1
    When the merchant requests a report of all days with <name> "<value>"
    Then the report is refused, naming <name>

    Examples:
      | name           | value | why              |
      | limit          | 0     | none             |
      | limit          | 501   | one more         |
      | limit          | x     | no number        |
      | pageNo         | 0     | before the first |
      | pageNo         | -1    | before the first |
      | paymentTypes   | XX    | no type          |
      | paymentMethods | XX    | no method        |

  @req:END-10 @decision:D-174 @needs:control
  Scenario Outline: A report shows what a transaction is linked to
    Given an authorized payment of 10.00 EUR with merchantTransactionId "<reference>"
    And 7.00 EUR of it is captured
    And 3.00 EUR of the capture is refunded
    When the merchant requests a report of the <what> with includeLinkedTransactions "<linked>"
    Then the report contains the amounts "<amounts>"

    Examples:
      | reference        | what    | linked | amounts         | why             |
      | order-4711-first | payment | true   | 10.00 7.00 3.00 | from the top    |
      | order-4711-mid   | capture | true   | 7.00 10.00 3.00 | from the middle |

  @req:END-10 @req:SVC-21 @decision:D-175 @needs:clock
  Scenario: A report shows each transaction as it was
    Given the sandbox clock is frozen at "2027-05-01T10:20:30Z"
    And an authorized payment of 92.00 USD with merchantTransactionId "order-4711-whole"
    And the sandbox clock is frozen at "2027-05-01T11:20:30Z"
    And 30.00 USD of it is captured
    And a declined debit of 5.00 GBP
    When the merchant requests a report from "2027-05-01" to "2027-05-01"
    Then the report contains 3 transactions
    And the response shows
      | payments[0].amount                | 92.00                    |
      | payments[1].amount                | 30.00                    |
      | payments[0].paymentType           | PA                       |
      | payments[0].currency              | USD                      |
      | payments[0].timestamp             | 2027-05-01 10:20:30+0000 |
      | payments[0].result.code           | 000.100.110              |
      | payments[0].merchantTransactionId | order-4711-whole         |
      | payments[0].paymentBrand          | VISA                     |
      | payments[0].paymentMethod         | CC                       |
      | payments[0].card.bin              | 420000                   |
      | payments[0].card.last4Digits      | 0000                     |
      | payments[1].paymentType           | CP                       |
      | payments[1].currency              | USD                      |
      | payments[1].timestamp             | 2027-05-01 11:20:30+0000 |
      | payments[2].paymentType           | DB                       |
      | payments[2].result.code           | 800.100.152              |
    And the response does not contain "4200000000000000"

  @req:PAY-10 @req:END-10 @decision:D-175
  Scenario Outline: Every memo is shown in the report of its own payment
    Given a debit of 92.00 EUR with merchantMemo "accounting for May"
    And a debit of 93.00 EUR with merchantMemo "accounting for June"
    When the merchant requests a report of it with includeLinkedTransactions "<linked>"
    Then the response shows <path> "accounting for June"
    And the response does not contain "accounting for May"

    Examples:
      | linked | path                     | why             |
      | false  | merchantMemo             | one transaction |
      | true   | payments[0].merchantMemo | a list          |

  @req:END-10 @decision:D-171 @needs:control
  Scenario Outline: A report by reference contains that reference alone
    Given payments of
      | amount | merchantTransactionId |
      | 1.00   | order-4711            |
      | 2.00   | order-47110           |
      | 3.00   | order-4711            |
      | 4.00   | ORDER-4711            |
      | 5.00   | order-4712            |
    When the merchant requests a report by the reference "<reference>"
    Then the report contains the amounts "<amounts>"

    Examples:
      | reference   | amounts   | why                    |
      | order-4711  | 1.00 3.00 | twice the same         |
      | order-47110 | 2.00      | one more digit         |
      | ORDER-4711  | 4.00      | capitals are different |
      | order-4712  | 5.00      | another                |

  @req:END-10 @decision:D-171
  Scenario: A report by a reference that was never sent is refused
    When the merchant requests a report by the reference "order-never-sent"
    Then the request is refused with 700.400.580

  @req:AUTH-06 @req:SVC-21 @req:REP-01 @needs:other @needs:reports
  Scenario: A report of a day contains no payment of another merchant
    Given two merchants of one sandbox
    And a debit of 92.00 EUR with merchantTransactionId "order-4711"
    When the other merchant requests a report of all days
    Then the report contains 0 transactions

  @req:AUTH-06 @req:END-10 @needs:other @decision:D-171
  Scenario: A report by reference contains no payment of another merchant
    Given two merchants of one sandbox
    And a debit of 92.00 EUR with merchantTransactionId "order-4711"
    When the other merchant requests a report by the reference "order-4711"
    Then the request is refused with 700.400.580

  @req:AUTH-06 @req:SVC-21 @needs:other @needs:reports
  Scenario: A report of a day contains no payment of another sandbox
    Given a debit of 92.00 EUR
    When a merchant of another sandbox requests a report of all days
    Then the report contains 0 transactions

  @req:SVC-21 @needs:control @decision:D-171
  Scenario: A report contains the payments of every channel of the merchant
    Given a merchant with the channels web and shop
    And a debit of 10.00 EUR on the channel web
    And a debit of 20.00 EUR on the channel shop
    When the merchant requests a report of all days
    Then the report contains the amounts "10.00 20.00"

  @req:HOST-01 @req:SVC-21 @req:HOST-03 @needs:live @needs:control @decision:D-171
  Scenario: A report of the test host contains no payment of the live host
    Given a debit of 10.00 EUR
    And a debit of 20.00 EUR on the live host
    When the merchant requests a report of all days
    Then the report contains the amounts "10.00"

  @req:HOST-01 @req:SVC-21 @req:HOST-03 @needs:live @needs:control @decision:D-171
  Scenario: A report of the live host contains no payment of the test host
    Given a debit of 10.00 EUR
    And a debit of 20.00 EUR on the live host
    When the merchant requests a report of all days on the live host
    Then the report contains the amounts "20.00"

  @req:SVC-21 @req:END-10 @decision:D-171 @needs:control
  Scenario Outline: A refused request is in no report, a declined one is
    Given <before>
    When the merchant requests a report of all days
    Then the report contains <count> transactions

    Examples:
      | before                        | count | why                     |
      | a declined debit of 92.00 EUR | 1     | it reached the acquirer |
      | a debit of 92.00 EUR          | 1     | it was paid             |
      | a stored card                 | 1     | it is a transaction     |

  @req:END-10 @req:REP-01 @req:SVC-21 @decision:D-171 @needs:clock @pattern:limit
  Scenario Outline: A report by reference keeps to the days it names
    Given payments at different times of
      | at                   | amount | merchantTransactionId |
      | 2028-02-28T23:59:59Z | 1.00   | order-4711            |
      | 2028-02-29T12:00:00Z | 2.00   | order-4711            |
      | 2028-02-29T12:00:00Z | 3.00   | order-4712            |
      | 2028-03-01T00:00:00Z | 4.00   | order-4711            |
    When the merchant requests a report by the reference "order-4711" with
      | date.from | <from> |
      | date.to   | <to>   |
    Then the report contains the amounts "<amounts>"

    Examples:
      | from       | to         | amounts        | why         |
      | 2028-02-29 | 2028-02-29 | 2.00           | one day     |
      | 2028-02-28 | 2028-02-29 | 1.00 2.00      | two days    |
      | 2028-01-01 | 2028-12-31 | 1.00 2.00 4.00 | the year    |

  @req:END-10 @req:SVC-21 @needs:reports @pattern:limit
  Scenario Outline: A page goes on where the one before ended
    Given payments with a reference of their own
      | DB | 1.00 |
      | DB | 2.00 |
      | PA | 3.00 |
      | DB | 4.00 |
      | DB | 5.00 |
    When the merchant requests a report by that reference with
      | limit  | <limit> |
      | pageNo | <page>  |
    Then the report contains the amounts "<amounts>"

    Examples:
      | limit | page | amounts                  | why                    |
      | 2     | 1    | 1.00 2.00                | the first page         |
      | 2     | 2    | 3.00 4.00                | the second page        |
      | 2     | 3    | 5.00                     | the last is not full   |
      | 2     | 4    |                          | beyond the last        |
      | 1     | 2    | 2.00                     | one a page             |
      | 1     | 5    | 5.00                     | the last of one a page |
      | 3     | 2    | 4.00 5.00                | two of three           |
      | 5     | 1    | 1.00 2.00 3.00 4.00 5.00 | all on one page        |
      | 5     | 2    |                          | a full page is the last |

  @req:END-10 @req:SVC-21 @needs:reports
  Scenario Outline: A report by reference has the types and methods it asks for
    Given payments with a reference of their own
      | DB | 1.00 |
      | PA | 2.00 |
      | CD | 3.00 |
      | DB | 4.00 |
    When the merchant requests a report by that reference with
      | <name> | <value> |
    Then the report contains the amounts "<amounts>"

    Examples:
      | name           | value    | amounts             | why              |
      | paymentTypes   | DB       | 1.00 4.00           | one type         |
      | paymentTypes   | PA       | 2.00                | another          |
      | paymentTypes   | CD       | 3.00                | a third          |
      | paymentTypes   | PA,CD    | 2.00 3.00           | two              |
      | paymentTypes   | CD,PA,DB | 1.00 2.00 3.00 4.00 | three, any order |
      | paymentMethods | CC       | 1.00 2.00 3.00 4.00 | cards            |
      | paymentMethods | DD       |                     | none of it       |
      | limit          | 499      | 1.00 2.00 3.00 4.00 | the longest page |

  @req:END-10 @req:SVC-21 @decision:D-173 @needs:control
  Scenario Outline: Filters of types and methods hold together, and for every kind of account
    Given a debit of 10.00 EUR
    And an authorized payment of 20.00 EUR
    And a direct debit of 30.00 EUR
    And a debit of 40.00 EUR through EPS
    And the merchant has sent amount "50.00" with a payment from a virtual account
    And the merchant has sent amount "60.00" with a wallet payment
    When the merchant requests a report of all days with
      | paymentTypes   | <types>   |
      | paymentMethods | <methods> |
    Then the report contains the amounts "<amounts>"

    Examples:
      | types    | methods  | amounts                       | why                        |
      | DB       | CC       | 10.00 60.00                   | cards, and wallets of them |
      | DB       | DD       | 30.00 40.00                   | bank accounts, and transfers |
      | DB       | VA       | 50.00                         | accounts elsewhere         |
      | PA       | CC       | 20.00                         | another type               |
      | PA       | DD       |                               | none of both               |
      | PA,DB,CP | CC,DD    | 10.00 20.00 30.00 40.00 60.00 | three and two              |
      | PA,CP,DB | CC,DD,VA | 10.00 20.00 30.00 40.00 50.00 60.00 | three and three      |

  @req:END-10 @decision:D-173 @needs:control @pattern:limit
  Scenario: A page has a hundred transactions where nothing else is asked for
    Given 101 payments of one cent
    When the merchant requests a report of all days
    Then the report contains 100 transactions

  @req:END-10 @decision:D-173 @needs:control @pattern:limit
  Scenario: A report in pages of nothing has no pages
    When the merchant requests a report in pages of all days with limit "2"
    Then the report has 0 pages
    And the report contains 0 records

  @req:END-10 @decision:D-174 @needs:reports
  Scenario Outline: A report shows all that a transaction is linked to, each once
    Given an authorized payment of 10.00 EUR
    And 4.00 EUR of it is captured
    And 3.00 EUR of it is captured
    And 1.00 EUR of the capture is refunded
    And 2.00 EUR of the capture is refunded
    When the merchant requests a report of the <what> with includeLinkedTransactions "<linked>"
    Then the report contains the amounts "<amounts>"

    Examples:
      | what    | linked | amounts                  | why             |
      | payment | true   | 10.00 4.00 3.00 1.00 2.00 | from the top    |
      | capture | true   | 3.00 10.00 4.00 1.00 2.00 | from the middle |

  @req:END-10 @decision:D-174 @needs:control
  Scenario: A report of days shows linked transactions once
    Given an authorized payment of 10.00 EUR
    And 4.00 EUR of it is captured
    And a debit of 20.00 EUR
    And 5.00 EUR of it is refunded
    When the merchant requests a report of all days with includeLinkedTransactions "true"
    Then the report contains the amounts "10.00 4.00 20.00 5.00"

  @req:END-10 @decision:D-174 @needs:control
  Scenario: A page of one transaction has the linked ones with it
    Given an authorized payment of 10.00 EUR
    And 4.00 EUR of it is captured
    And 1.00 EUR of the capture is refunded
    When the merchant requests a report of all days with
      | includeLinkedTransactions | true |
      | limit                     | 1    |
    Then the report contains the amounts "10.00 4.00 1.00"

  @req:END-10 @decision:D-173 @decision:D-174 @needs:reports
  Scenario Outline: A report of one transaction in pages has its filters
    Given an authorized payment of 10.00 EUR
    And 4.00 EUR of it is captured
    And 1.00 EUR of the capture is refunded
    When the merchant requests a report in pages of the payment with <name> "<value>"
    Then the report has 1 page
    And the pages contain the amounts "<amounts>"

    Examples:
      | name           | value | amounts         | why        |
      | paymentTypes   | CP    | 4.00            | one type   |
      | paymentTypes   | PA,RF | 10.00 1.00      | two types  |
      | paymentMethods | CC    | 10.00 4.00 1.00 | a method   |
      | paymentMethods | DD    |                 | none of it |

  @req:END-10 @req:RSP-08 @req:SVC-21 @needs:reports
  Scenario Outline: A report shows of a transaction what its response showed
    Given <payment>
    When the merchant requests a report of it
    Then the report shows of it what its response showed

    Examples:
      | payment                                                | why                 |
      | a debit of 92.00 EUR                                   | a sale              |
      | an authorized payment of 92.00 USD                     | an authorization    |
      | a credit of 0.01 GBP                                   | a credit            |
      | a declined debit of 92.00 EUR                          | a failure           |
      | a direct debit of 92.00 EUR                            | a bank account      |
      | a debit of 92.00 EUR with customParameters[note] "twice" | a custom parameter |
      | a debit of 92.00 EUR with billing.city "Berlin"        | an address          |
      | a debit of 92.00 EUR with cart.items[0].name "Book"    | a cart              |
      | a debit of 92.00 EUR with createRegistration "true"    | it stored its card  |

  @req:END-10 @req:SVC-21 @decision:D-175 @needs:control
  Scenario Outline: A report says how a transaction came in
    Given the merchant has sent customParameters[note] "twice" with <kind>
    When the merchant requests a report of all days
    Then the response shows payments[0].source "<source>"

    Examples:
      | kind                    | source | why         |
      | a debit                 | OPP    | by the API  |
      | a payment in a checkout | OPPUI  | by the form |

  @req:HOST-01 @req:HOST-03 @req:END-10 @needs:live @needs:reports
  Scenario: A report of one transaction keeps to its host
    Given a debit of 92.00 EUR
    And the merchant works on the live host
    When the merchant requests a report of it
    Then the request is refused like one for something unknown

  @req:RSP-09 @req:SVC-21 @needs:reports @pattern:place
  Scenario Outline: A report of a transaction does not show the id that it refers to
    Given the merchant has sent transactionCategory "EC" with <kind>
    When the merchant requests a report of it
    Then the response shows id as a payment id
    And the response shows no referencedId

    Examples:
      | kind       | why                         |
      | a capture  | notifications alone show it |
      | a refund   | notifications alone show it |
      | a reversal | notifications alone show it |
      | a rebill   | notifications alone show it |
      | a receipt  | notifications alone show it |

  @req:RSP-09 @req:END-10 @req:SVC-21 @needs:reports @pattern:place
  Scenario Outline: A report of linked transactions shows the id of none that they refer to
    Given an authorized payment of 10.00 EUR
    And 4.00 EUR of it is captured
    And 1.00 EUR of the capture is refunded
    When the merchant requests a report of the <what> with includeLinkedTransactions "true"
    Then the report contains the amounts "<amounts>"
    And the response shows no payments[0].referencedId
    And the response shows no payments[1].referencedId
    And the response shows no payments[2].referencedId

    Examples:
      | what    | amounts         | why             |
      | payment | 10.00 4.00 1.00 | from the top    |
      | capture | 4.00 10.00 1.00 | from the middle |

  @req:RSP-09 @req:END-10 @needs:reports @pattern:place
  Scenario: A report in pages shows the id of none that they refer to
    Given an authorized payment of 10.00 EUR
    And 4.00 EUR of it is captured
    And 1.00 EUR of the capture is refunded
    When the merchant requests a report in pages of the payment with paymentTypes "PA,CP,RF"
    Then the pages contain the amounts "10.00 4.00 1.00"
    And the response shows no records[1].referencedId
    And the response shows no records[2].referencedId
