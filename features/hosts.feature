@needs:live @pattern:place
Feature: Hosts
  There is a test host and a live host, each with its own address, tokens, limits and success code.

  @req:HOST-02
  Scenario: Every base address ends with a slash
    When the merchant is given the addresses of both hosts
    Then every address ends with a slash

  @req:HOST-01 @req:HOST-03
  Scenario: A payment succeeds on the live host
    When the merchant debits 92.00 EUR on the live host
    Then the payment succeeds
    And the response shows id as a payment id

  @req:HOST-03 @decision:D-88
  Scenario: The live host has its own success code
    When the merchant debits 92.00 EUR on the live host
    Then the response shows result.code "000.000.000"

  @req:HOST-03 @req:MODE-02 @decision:D-88
  Scenario: A payment with a test mode on the live host is sent to the simulators
    When the merchant debits 92.00 EUR on the live host with testMode "INTERNAL"
    Then the response shows result.code "000.100.110"

  @req:HOST-03 @req:ERR-01 @needs:declines
  Scenario: A payment in test mode is declined on the live host as on the test host
    When the merchant debits 92.00 EUR on the live host, with the forced result 800.100.152
    Then the payment is declined with 800.100.152

  @req:HOST-03 @req:AUTH-04
  Scenario: A token of the test host is unknown to the live host
    When the merchant debits 92.00 EUR on the live host with its token for the test host
    Then the credentials are refused as unknown

  @req:HOST-03 @req:AUTH-04
  Scenario: A token of the live host is unknown to the test host
    When the merchant debits 92.00 EUR with its token for the live host
    Then the credentials are refused as unknown

  @req:HOST-01
  Scenario: A payment of the live host is unknown to the test host
    Given a debit of 92.00 EUR on the live host
    When the merchant reads it
    Then the request is refused as not found

  @req:HOST-01
  Scenario: A payment of the test host is unknown to the live host
    Given a debit of 92.00 EUR
    When the merchant reads it on the live host
    Then the request is refused as not found

  @req:HOST-01 @req:END-08
  Scenario: A payment of the live host is captured on the live host
    Given an authorized payment of 92.00 EUR on the live host
    When the merchant captures 92.00 EUR of it on the live host
    Then the capture succeeds
