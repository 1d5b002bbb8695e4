Feature: Bank days
  Institutes settle on the days that banks are open, each movement of money once.

  @req:RCN-09 @needs:settlement @decision:D-401
  Scenario Outline: What is sold when banks are closed settles on the next bank day
    Given a merchant whose payments Sandgate Clearing settles
    And it is "<sold>"
    And the merchant made a debit
    When the bank days of 7 days are settled
    Then its line has SettlementDate "<settled>"

    Examples:
      | sold                 | settled    | why                         |
      | 2030-01-04T23:30:00Z | 2030-01-08 | Friday, after the cut-off   |
      | 2030-01-06T12:00:00Z | 2030-01-08 | Sunday                      |
      | 2030-04-18T12:00:00Z | 2030-04-23 | Easter                      |
      | 2030-12-31T12:00:00Z | 2031-01-02 | the last bank day of a year |

  @req:RCN-05 @needs:settlement @decision:D-391
  Scenario: A refund of the next day is in the next file
    Given a merchant whose payments Sandgate Clearing settles
    And the merchant made a debit
    And it is "2030-01-04T12:00:00Z"
    And the merchant refunded a part of it
    When the bank days of 4 days are settled
    Then the merchant has files of 2030-01-04, 2030-01-07
    And every line of a payment is matched with it alone

  @req:RCN-05 @needs:settlement @decision:D-391
  Scenario Outline: A capture in parts
    Given a merchant whose payments <institute> settles
    And the merchant made a capture in 3 parts
    When the bank day is settled
    Then 3 lines are SETTLED, DEBIT
    And every line of a payment is matched with it alone

    Examples:
      | institute          | why                           |
      | Sandgate Clearing  | found by the id of each       |
      | Sandgate Acquiring | found by the reference of each |

  @req:RCN-03 @needs:settlement @decision:D-401
  Scenario: A day of fees alone
    Given a merchant whose payments Sandgate Clearing settles
    And the merchant made an authorization
    When the bank day is settled
    Then 0 lines are SETTLED, DEBIT
    And 1 line is FEE, BATCH
    And payouts are the lines less their fees, as the ledger posted them

  @req:RCN-08 @needs:settlement @decision:D-402
  Scenario: Nothing of a file that does not add up is booked
    Given a merchant whose payments Sandgate Clearing settles
    And the merchant made a debit
    And the institute will write a file with a wrong total
    When the bank day is settled
    Then the merchant finds no file

  @req:SVC-23 @needs:settlement @decision:D-402
  Scenario: A file that was refused is sent again, under the next number
    Given a merchant whose payments Sandgate Clearing settles
    And the merchant made a debit
    And the institute will write a file with a wrong total
    And the bank day was settled
    When the bank day 2030-01-03 is settled again
    Then the merchant fetches one file by SFTP
    And payouts are the lines less their fees, as the ledger posted them

  @req:SVC-23 @needs:settlement @needs:brands @decision:D-401
  Scenario: Each bank day of a month is settled once
    Given a merchant whose payments Sandgate Acquiring settles
    And the merchant made movements of every kind on each of 30 days, in 3 currencies
    When every institute settles the bank days of 10 days
    Then no movement of them is missing or there twice
    And payouts are the lines less their fees, as the ledger posted them
    And no line of the file breaks RCN-10
