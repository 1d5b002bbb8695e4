Feature: Structures of a payment
  What a merchant sends with a payment comes back as it was sent, and what a channel needs is asked.

  @req:RSP-08 @decision:D-145
  Scenario Outline: A structure comes back as it was sent
    When the merchant debits 92.00 EUR with <parameter> "<value>"
    Then the payment succeeds
    And the answer shows <parameter> "<value>"

    Examples:
      | parameter                                  | value              | why                     |
      | corporate.name                             | Jones Books        | the company             |
      | corporate.purchase                         | Y                  | it pays                 |
      | merchant.name                              | Jones Books        | on the statement        |
      | merchant.city                              | Berlin             | its second line         |
      | merchant.mcc                               | 5942               | what it trades in       |
      | merchant.submerchantId                     | 4711               | of a facilitator        |
      | merchant.data[shelf.number]                | 12                 | more of it              |
      | cart.items[0].name                         | Book               | an item                 |
      | cart.items[0].recipient.city               | Berlin             | and who gets it         |
      | cart.payments[0].name                      | Voucher            | paid already            |
      | cart.payments[0].status                    | captured           | how far                 |
      | airline.bookingRefNum                      | X4711              | a ticket                |
      | airline.passengers[0].name                 | Jane Jones         | who flies               |
      | airline.passengers[0].legs[0].flightNumber | SG123              | and with what           |
      | giftCard.type                              | BIRTHDAY           | an occasion             |
      | giftCard.message                           | Happy birthday     | and words for it        |
      | shipping.method                            | GROUND             | on its way              |
      | shipping.preference                        | NO_SHIPPING        | or not                  |
      | billing.city                               | Berlin             | where the shopper lives |
      | customParameters[shop.till]                | 7                  | the merchant's own      |

  @req:CUST-04 @needs:control @decision:D-146
  Scenario Outline: Version 2 of 3-D Secure needs what the browser tells
    Given a merchant whose channel asks by 3-D Secure version 2
    When the merchant debits 92.00 EUR with the data of a browser but <parameter>
    Then the request is refused, naming <parameter>

    Examples:
      | parameter                     | why               |
      | customer.browser.acceptHeader | what it takes     |
      | customer.browser.language     | what it speaks    |
      | customer.browser.screenHeight | how high it is    |
      | customer.browser.screenWidth  | how wide it is    |
      | customer.browser.timezone     | what time it has  |
      | customer.browser.userAgent    | what it is        |
      | customer.browser.javaEnabled  | what it runs      |

  @req:ADDR-04 @needs:control @decision:D-146
  Scenario Outline: Version 2 of 3-D Secure needs the billing address
    Given a merchant whose channel asks by 3-D Secure version 2
    When the merchant debits 92.00 EUR with the data of a browser but <parameter>
    Then the request is refused, naming <parameter>

    Examples:
      | parameter        | why          |
      | billing.street1  | the street   |
      | billing.city     | the city     |
      | billing.postcode | the postcode |
      | billing.country  | the country  |

  @req:CUST-04 @req:ADDR-04
  Scenario: Without 3-D Secure neither browser nor address is needed
    When the merchant debits 92.00 EUR
    Then the payment succeeds

  @req:MERCH-03 @needs:control @decision:D-145
  Scenario Outline: A submerchant is told to the one scheme that has facilitators
    When the merchant debits 92.00 EUR for a submerchant by the <brand> card <number>
    Then the payment succeeds
    And the acquirer was <told> of merchant.submerchantId

    Examples:
      | brand  | number           | told     | why            |
      | MASTER | 5454545454545454 | told     | that scheme    |
      | VISA   | 4200000000000000 | not told | another scheme |

  @req:PAY-09 @needs:control
  Scenario: The invoice number stays with the gateway
    When the merchant debits 92.00 EUR with merchantInvoiceId "invoice-4711"
    Then the payment succeeds
    And the acquirer was not told of merchantInvoiceId

  @req:MERCH-01 @needs:control
  Scenario: What stands on the statement is told to the acquirer
    When the merchant debits 92.00 EUR with merchant.city "Berlin"
    Then the payment succeeds
    And the acquirer was told of merchant.city

  @req:CARD-05 @needs:control @decision:D-145
  Scenario: A channel that demands the security code asks none of a wallet
    Given a merchant whose channel demands the security code
    When the merchant debits 92.00 EUR by wallet with mobileWallet.source "app"
    Then the payment succeeds
