Feature: Structures of a payment
  Structures of a payment are echoed as they were sent, and data that a channel requires is demanded.

  @req:RSP-08 @decision:D-145
  Scenario Outline: A structure is echoed as it was sent
    When the merchant debits 92.00 EUR with <parameter> "<value>"
    Then the payment succeeds
    And the response shows <parameter> "<value>"

    Examples:
      | parameter                                  | value          | why                              |
      | corporate.name                             | Jones Books    | a company                        |
      | corporate.purchase                         | Y              | a company purchase               |
      | merchant.name                              | Jones Books    | on the statement                 |
      | merchant.city                              | Berlin         | the second line of the statement |
      | merchant.mcc                               | 5942           | the merchant category            |
      | merchant.submerchantId                     | 4711           | of a facilitator                 |
      | merchant.data[shelf.number]                | 12             | merchant data                    |
      | cart.items[0].name                         | Book           | an item                          |
      | cart.items[0].recipient.city               | Berlin         | the recipient of an item         |
      | cart.payments[0].name                      | Voucher        | paid already                     |
      | cart.payments[0].status                    | captured       | the state of a cart payment      |
      | airline.bookingRefNum                      | X4711          | a ticket                         |
      | airline.passengers[0].name                 | Jane Jones     | a passenger                      |
      | airline.passengers[0].legs[0].flightNumber | SG123          | a flight                         |
      | giftCard.type                              | BIRTHDAY       | an occasion                      |
      | giftCard.message                           | Happy birthday | a gift card message              |
      | shipping.method                            | GROUND         | a shipping method                |
      | shipping.preference                        | NO_SHIPPING    | a shipping preference            |
      | billing.city                               | Berlin         | where the shopper lives          |
      | customParameters[shop.till]                | 7              | the merchant's own               |

  @req:CUST-04 @needs:channels
  Scenario Outline: Version 2 of 3-D Secure requires browser data
    Given a merchant whose channel requires 3-D Secure version 2
    When the merchant debits 92.00 EUR with the data of a browser but <parameter>
    Then the request is refused, naming <parameter>

    Examples:
      | parameter                     | why                  |
      | customer.browser.acceptHeader | accepted media types |
      | customer.browser.language     | the language         |
      | customer.browser.screenHeight | the screen height    |
      | customer.browser.screenWidth  | the screen width     |
      | customer.browser.timezone     | the time zone        |
      | customer.browser.userAgent    | the user agent       |
      | customer.browser.javaEnabled  | Java support         |

  @req:ADDR-04 @needs:channels
  Scenario Outline: Version 2 of 3-D Secure requires the billing address
    Given a merchant whose channel requires 3-D Secure version 2
    When the merchant debits 92.00 EUR with the data of a browser but <parameter>
    Then the request is refused, naming <parameter>

    Examples:
      | parameter        | why          |
      | billing.street1  | the street   |
      | billing.city     | the city     |
      | billing.postcode | the postcode |
      | billing.country  | the country  |

  @req:CUST-04 @req:ADDR-04
  Scenario: A payment without 3-D Secure requires neither browser data nor address
    When the merchant debits 92.00 EUR
    Then the payment succeeds

  @req:MERCH-03 @needs:control @decision:D-145
  Scenario Outline: A submerchant is sent only to the scheme with facilitators
    When the merchant debits 92.00 EUR for a submerchant by the <brand> card <number>
    Then the payment succeeds
    And the acquirer <received> merchant.submerchantId

    Examples:
      | brand  | number           | received        | why                          |
      | MASTER | 5454545454545454 | received        | the scheme with facilitators |
      | VISA   | 4200000000000000 | did not receive | another scheme               |

  @req:SVC-06 @req:END-08 @needs:control @decision:D-30
  Scenario: A rebill of a direct debit names the account again
    Given a direct debit of 92.00 EUR
    When the merchant rebills 15.00 EUR on it
    Then the acquirer received bankAccount.iban

  @req:PAY-09 @needs:control
  Scenario: The invoice number is not sent to the acquirer
    When the merchant debits 92.00 EUR with merchantInvoiceId "invoice-4711"
    Then the payment succeeds
    And the acquirer did not receive merchantInvoiceId

  @req:MERCH-01 @needs:control
  Scenario: The merchant's city on the statement is sent to the acquirer
    When the merchant debits 92.00 EUR with merchant.city "Berlin"
    Then the payment succeeds
    And the acquirer received merchant.city

  @req:CARD-05 @needs:channels @decision:D-145
  Scenario: A channel that requires the security code accepts a wallet without it
    Given a merchant whose channel requires the security code
    When the merchant debits 92.00 EUR by wallet with mobileWallet.source "app"
    Then the payment succeeds

  @req:CART-01 @req:RSP-08 @req:TRN-06 @pattern:values
  Scenario: More than ten cart items come back in their order
    When the merchant debits 92.00 EUR with
      | cart.items[0].name  | Book 0  |
      | cart.items[1].name  | Book 1  |
      | cart.items[2].name  | Book 2  |
      | cart.items[3].name  | Book 3  |
      | cart.items[4].name  | Book 4  |
      | cart.items[5].name  | Book 5  |
      | cart.items[6].name  | Book 6  |
      | cart.items[7].name  | Book 7  |
      | cart.items[8].name  | Book 8  |
      | cart.items[9].name  | Book 9  |
      | cart.items[10].name | Book 10 |
      | cart.items[11].name | Book 11 |
    Then the payment succeeds
    And the response shows
      | cart.items[0].name  | Book 0  |
      | cart.items[1].name  | Book 1  |
      | cart.items[2].name  | Book 2  |
      | cart.items[3].name  | Book 3  |
      | cart.items[4].name  | Book 4  |
      | cart.items[5].name  | Book 5  |
      | cart.items[6].name  | Book 6  |
      | cart.items[7].name  | Book 7  |
      | cart.items[8].name  | Book 8  |
      | cart.items[9].name  | Book 9  |
      | cart.items[10].name | Book 10 |
      | cart.items[11].name | Book 11 |
