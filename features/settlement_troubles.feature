Feature: Settlement that goes wrong
  What an institute sends twice, leaves unnamed or takes back never costs the merchant a line or a
  cent: each movement is settled once, and what could not be is said.

  @req:RCN-05 @needs:settlement @decision:D-391
  Scenario Outline: Captures that the institute put together are one line
    Given a merchant whose payments <institute> settles
    And the merchant made a capture in 3 parts
    And the institute will write a line with the fault captures_summed
    When the bank day is settled
    Then 1 line is SETTLED, DEBIT
    And the lines of sales have Amount "92.00" and MatchingStatus "<status>"
    And payouts are the lines less their fees, as the ledger posted them

    Examples:
      | institute          | status      | why                                          |
      | Sandgate Clearing  | MATCHED     | the line names the first of them             |
      | Sandgate Acquiring | NOT_MATCHED | no capture has its reference with its amount |

  @req:RCN-08 @needs:settlement @decision:D-403
  Scenario: A refund before the settlement is taken off the same payout
    Given a merchant whose payments Sandgate Clearing settles
    And the merchant made a debit
    And the merchant refunded a part of it
    When the bank day is settled
    Then 1 line is SETTLED, DEBIT
    And 1 line is SETTLED, REFUND
    And 1 line is FEE, BATCH
    And payouts are the lines less their fees, as the ledger posted them

  @req:RCN-08 @needs:settlement @decision:D-147
  Scenario: A chargeback of a refund gives the merchant back what it refunded
    Given a merchant whose payments Sandgate Clearing settles
    And the merchant made a chargeback of a refund
    When the bank day is settled
    Then 1 line is SETTLED, REFUND
    And its line has Cashflow "POS"
    And payouts are the lines less their fees, as the ledger posted them

  @field:E04 @req:RCN-08 @needs:settlement @decision:D-524
  Scenario: A debit that is reversed in its bank day is not paid out
    Given a merchant whose payments Sandgate Clearing settles
    And the merchant made a debit
    And it was reversed
    When the bank day is settled
    Then 1 line is FEE, CANCEL_FEE
    And 0 lines are SETTLED, DEBIT
    And payouts are the lines less their fees, as the ledger posted them

  @req:RCN-06 @needs:settlement @decision:D-404
  Scenario Outline: A chargeback that comes by a file too is the one that there is
    Given a merchant whose payments <institute> settles
    And the merchant made a <movement>
    And it was charged back
    And the institute will write 2 lines with the fault line_twice
    When the bank day is settled
    Then 2 lines are CHARGEBACK, DEBIT
    And every chargeback line names the chargeback that there is
    And no other chargeback was made of it

    Examples:
      | institute          | movement     | why                     |
      | Sandgate Clearing  | debit        | lines are separated     |
      | Sandgate Acquiring | debit        | lines have a fixed form |
      | Sandgate Bank      | debit        | lines are XML           |
      | Sandgate Bank      | direct debit | of a bank account       |

  @req:RCN-06 @req:RCN-08 @needs:settlement @decision:D-386
  Scenario Outline: An institute charges back nothing that the merchant charged back
    Given a merchant whose payments <institute> settles
    And the merchant made a <movement>
    And it was charged back
    And the institute will write a line with the fault <fault>
    When the bank day is settled
    Then 1 line is SETTLED, DEBIT
    And 1 line is CHARGEBACK, DEBIT
    And every chargeback line names the chargeback that there is
    And payouts are the lines less their fees, as the ledger posted them

    Examples:
      | institute          | movement     | fault            | why                     |
      | Sandgate Clearing  | debit        | chargeback_early | lines are separated     |
      | Sandgate Clearing  | debit        | chargeback_late  | it comes after 120 days |
      | Sandgate Acquiring | debit        | chargeback_early | lines have a fixed form |
      | Sandgate Bank      | debit        | chargeback_early | lines are XML           |
      | Sandgate Bank      | direct debit | chargeback_early | of a bank account       |

  @req:RCN-06 @needs:settlement @decision:D-404
  Scenario Outline: A chargeback of an unknown payment makes none
    Given a merchant whose payments <institute> settles
    And the merchant made a debit
    And it was charged back
    And the institute will write 2 lines with the fault reference_unknown
    When the bank day is settled
    Then the chargeback line has MatchingStatus "NOT_MATCHED"
    And the chargeback line has ChargebackId ""
    And no other chargeback was made of it

    Examples:
      | institute         | why                      |
      | Sandgate Clearing | the id is of no payment  |
      | Sandgate Bank     | the same in another form |

  @req:SVC-23 @needs:settlement @decision:D-402
  Scenario Outline: A file that comes twice is booked once
    Given a merchant whose payments <institute> settles
    And the merchant made a debit
    And the institute will deliver its file twice
    When the bank day is settled
    Then the merchant fetches one file by SFTP
    And 1 line is SETTLED, DEBIT
    And the run says that a file came once more
    And payouts are the lines less their fees, as the ledger posted them

    Examples:
      | institute          | why                     |
      | Sandgate Clearing  | lines are separated     |
      | Sandgate Acquiring | lines have a fixed form |
      | Sandgate Bank      | lines are XML           |

  @req:RCN-05 @needs:settlement @decision:D-391
  Scenario Outline: A merchantTransactionId of three payments does not mix them up
    Given a merchant whose payments <institute> settles
    And the merchant made 3 debits with one merchantTransactionId
    When the bank day is settled
    Then 3 lines are SETTLED, DEBIT
    And every line of a payment is matched with it alone

    Examples:
      | institute         | why                       |
      | Sandgate Clearing | the id of each decides    |
      | Sandgate Bank     | the id stands in the line |

  @req:RCN-08 @needs:settlement @decision:D-403
  Scenario Outline: A payout that the bank rejects is repeated with the next file
    Given a merchant whose payments <institute> settles
    And the merchant made a debit
    And the bank will reject the payout
    And the bank day was settled
    And its payout is FAILED and nothing of it is posted
    When the bank days of 4 days are settled
    Then the payout that failed is SUCCESS, of the same amount

    Examples:
      | institute          | why                     |
      | Sandgate Clearing  | lines are separated     |
      | Sandgate Acquiring | lines have a fixed form |
      | Sandgate Bank      | lines are XML           |

  @req:SVC-23 @needs:settlement @decision:D-401
  Scenario: A leap of 40 days makes the file of each bank day in order
    Given a merchant whose payments Sandgate Clearing settles
    And the merchant made a debit
    When the bank days of 40 days are settled
    Then 28 bank days were settled, each once and in order
    And 1 line is SETTLED, DEBIT

  @req:SVC-23 @needs:settlement @decision:D-402
  Scenario Outline: Two merchants never see each other
    Given a merchant whose payments <institute> settles
    And another merchant of the sandbox made a debit
    And the merchant made a debit
    And the institute will write a line with the fault other_merchant
    When the bank day is settled
    Then each of the two merchants fetches lines of its own payments alone

    Examples:
      | institute          | why                                      |
      | Sandgate Clearing  | a line with the id of the other's payment |
      | Sandgate Acquiring | one with its reference                   |
      | Sandgate Bank      | the same in XML                          |

  @req:SVC-23 @needs:settlement @decision:D-402
  Scenario: A bank day that several ask for at once is settled once
    Given a merchant whose payments Sandgate Clearing settles
    And the merchant made a debit
    When the bank day is settled by 4 at once
    Then the merchant fetches one file by SFTP
    And 1 line is SETTLED, DEBIT
    And the ledger posted the payout of the file once

  @req:RCN-03 @req:RCN-05 @needs:settlement @decision:D-391
  Scenario Outline: A reference with the signs of a table is that of its payment
    Given a merchant whose payments <institute> settles
    And the merchant made a debit with merchantTransactionId "<reference>"
    When the bank day is settled
    Then its line has MatchingStatus "MATCHED"
    And its line is matched with it alone
    And the API reports its merchantTransactionId "<reference>"

    Examples:
      | institute         | reference              | why                      |
      | Sandgate Clearing | order 47, the second   | a comma                  |
      | Sandgate Clearing | order "47"             | quotes                   |
      | Sandgate Clearing | "47", "48"; and "49"   | all of them              |
      | Sandgate Bank     | order <47> & "48", 'x' | signs of XML             |

  @req:RCN-05 @needs:settlement @decision:D-391
  Scenario Outline: A line that the institute writes twice is in the file of the merchant twice
    Given a merchant whose payments <institute> settles
    And the merchant made a debit
    And the institute will write a line with the fault line_twice
    When the bank day is settled
    Then 2 lines are SETTLED, DEBIT

    Examples:
      | institute          | why                     |
      | Sandgate Clearing  | lines are separated     |
      | Sandgate Acquiring | lines have a fixed form |
      | Sandgate Bank      | lines are XML           |

  @req:RCN-05 @needs:settlement @decision:D-391
  Scenario Outline: The API says in what a line and its payment differ
    Given a merchant whose payments <institute> settles
    And the merchant made a debit of 92.00 <currency>
    And the institute will write a line with the fault <fault>
    When the bank day is settled
    Then the API reports its matchedTransactions.reason "<reason>"

    Examples:
      | institute         | currency | fault        | reason                                         | why              |
      | Sandgate Clearing | KWD      | exponent_kwd | by payment id; amount 9.20 instead of 92.00    | a smaller amount |
      | Sandgate Bank     | KWD      | exponent_kwd | by payment id; amount 9.20 instead of 92.00    | the same in XML  |
      | Sandgate Bank     | JPY      | exponent_jpy | by payment id; amount 9200.00 instead of 92.00 | a larger amount  |
      | Sandgate Clearing | EUR      | amount_cent  | by payment id; amount 92.01 instead of 92.00   | a cent more      |
      | Sandgate Clearing | EUR      | amount_large | by payment id; amount 920.00 instead of 92.00  | ten times it     |

  @req:SVC-23 @needs:settlement @decision:D-620
  Scenario Outline: A file of a bank day is pushed to a server of the merchant's own
    Given a merchant whose payments <institute> settles
    And the merchant has a server of its own
    And the merchant made a debit
    When the bank day is settled
    Then its server has the file as it is fetched, and nothing else but its digest

    Examples:
      | institute          | why                     |
      | Sandgate Clearing  | lines are separated     |
      | Sandgate Acquiring | lines have a fixed form |
      | Sandgate Bank      | lines are XML           |

  @req:SVC-23 @needs:settlement @decision:D-620
  Scenario: A file that the merchant's own server did not take is pushed again on demand
    Given a merchant whose payments Sandgate Clearing settles
    And the merchant has a server of its own that lets in no one
    And the merchant made a debit
    And the bank day was settled
    And its server lets the gateway in again
    When its files are pushed again
    Then its server has the file as it is fetched, and nothing else but its digest

  @req:SVC-23 @needs:settlement @decision:D-620 @pattern:limit
  Scenario Outline: A file that the merchant's own server did not take is tried again after a minute
    Given a merchant whose payments Sandgate Clearing settles
    And the merchant has a server of its own that lets in no one
    And the merchant made a debit
    And the bank day was settled
    And its server lets the gateway in again
    When <time> pass for its files
    Then its server has <what>

    Examples:
      | time       | what                                                       | why              |
      | 59 seconds | no file                                                    | not yet          |
      | 60 seconds | the file as it is fetched, and nothing else but its digest | the first repeat |
