Feature: What was sent is what is shown
  Every member of every structure comes back from every request that has it, letter by letter and in its place;
  a refusal names everything that is wrong.

  @req:CUST-01 @req:CUST-07 @req:RSP-08 @pattern:place @pattern:values
  Scenario Outline: Every member of a customer is shown
    When the merchant sends these with <kind>
      | customer.givenName                | Jane                    |
      | customer.middleName               | de la                   |
      | customer.surname                  | JONES                   |
      | customer.sex                      | F                       |
      | customer.birthDate                | 1990-02-28              |
      | customer.phone                    | +49 (0)30/123-45.6      |
      | customer.mobile                   | 0170 1                  |
      | customer.workPhone                | 030 CALL-Me             |
      | customer.email                    | Jane.JONES@Shop.example |
      | customer.companyName              | Jones & Söhne           |
      | customer.identificationDocType    | TAXSTATEMENT            |
      | customer.identificationDocId      | l01x00T47               |
      | customer.ip                       | 2001:DB8::1             |
      | customer.merchantCustomerId       | 0047-a                  |
      | customer.status                   | NEW                     |
      | customer.browserFingerprint.id    | fp-1                    |
      | customer.browserFingerprint.value | 0a=+/                   |
      | customer.browser.acceptHeader     | text/html, */*;q=0.8    |
      | customer.browser.language         | de-AT                   |
      | customer.browser.screenHeight     | 0900                    |
      | customer.browser.screenWidth      | 1600                    |
      | customer.browser.timezone         | -60                     |
      | customer.browser.userAgent        | Browser/5.0 (Linux) <x> |
      | customer.browser.javaEnabled      | false                   |
      | customer.browser.screenColorDepth | 24                      |
      | customer.browser.challengeWindow  | 05                      |
      | customer.browser.deviceId         | Dev 1                   |
    Then it is accepted
    And the response shows
      | customer.givenName                | Jane                    |
      | customer.middleName               | de la                   |
      | customer.surname                  | JONES                   |
      | customer.sex                      | F                       |
      | customer.birthDate                | 1990-02-28              |
      | customer.phone                    | +49 (0)30/123-45.6      |
      | customer.mobile                   | 0170 1                  |
      | customer.workPhone                | 030 CALL-Me             |
      | customer.email                    | Jane.JONES@Shop.example |
      | customer.companyName              | Jones & Söhne           |
      | customer.identificationDocType    | TAXSTATEMENT            |
      | customer.identificationDocId      | l01x00T47               |
      | customer.ip                       | 2001:DB8::1             |
      | customer.merchantCustomerId       | 0047-a                  |
      | customer.status                   | NEW                     |
      | customer.browserFingerprint.id    | fp-1                    |
      | customer.browserFingerprint.value | 0a=+/                   |
      | customer.browser.acceptHeader     | text/html, */*;q=0.8    |
      | customer.browser.language         | de-AT                   |
      | customer.browser.screenHeight     | 0900                    |
      | customer.browser.screenWidth      | 1600                    |
      | customer.browser.timezone         | -60                     |
      | customer.browser.userAgent        | Browser/5.0 (Linux) <x> |
      | customer.browser.javaEnabled      | false                   |
      | customer.browser.screenColorDepth | 24                      |
      | customer.browser.challengeWindow  | 05                      |
      | customer.browser.deviceId         | Dev 1                   |

    Examples:
      | kind                          | why           |
      | a debit                       | each was sent |
      | a debit at the card host      | each was sent |
      | a direct debit                | each was sent |
      | a payment from a registration | each was sent |
      | a payment in a checkout       | each was sent |
      | a capture                     | each was sent |
      | a refund                      | each was sent |
      | a registration                | each was sent |

  @req:CUST-05 @req:CUST-06 @req:RSP-08 @pattern:place @pattern:values
  Scenario Outline: Every member of a shipping customer is shown
    When the merchant sends these with <kind>
      | shipping.customer.givenName                | Jane                    |
      | shipping.customer.middleName               | de la                   |
      | shipping.customer.surname                  | JONES                   |
      | shipping.customer.sex                      | F                       |
      | shipping.customer.birthDate                | 1990-02-28              |
      | shipping.customer.phone                    | +49 (0)30/123-45.6      |
      | shipping.customer.mobile                   | 0170 1                  |
      | shipping.customer.workPhone                | 030 CALL-Me             |
      | shipping.customer.email                    | Jane.JONES@Shop.example |
      | shipping.customer.companyName              | Jones & Söhne           |
      | shipping.customer.identificationDocType    | TAXSTATEMENT            |
      | shipping.customer.identificationDocId      | l01x00T47               |
      | shipping.customer.ip                       | 2001:DB8::1             |
      | shipping.customer.merchantCustomerId       | 0047-a                  |
      | shipping.customer.status                   | NEW                     |
      | shipping.customer.browser.acceptHeader     | text/html, */*;q=0.8    |
      | shipping.customer.browser.language         | de-AT                   |
      | shipping.customer.browser.screenHeight     | 0900                    |
      | shipping.customer.browser.screenWidth      | 1600                    |
      | shipping.customer.browser.timezone         | -60                     |
      | shipping.customer.browser.userAgent        | Browser/5.0 (Linux) <x> |
      | shipping.customer.browser.javaEnabled      | false                   |
      | shipping.customer.browser.screenColorDepth | 24                      |
      | shipping.customer.browser.challengeWindow  | 05                      |
    Then it is accepted
    And the response shows
      | shipping.customer.givenName                | Jane                    |
      | shipping.customer.middleName               | de la                   |
      | shipping.customer.surname                  | JONES                   |
      | shipping.customer.sex                      | F                       |
      | shipping.customer.birthDate                | 1990-02-28              |
      | shipping.customer.phone                    | +49 (0)30/123-45.6      |
      | shipping.customer.mobile                   | 0170 1                  |
      | shipping.customer.workPhone                | 030 CALL-Me             |
      | shipping.customer.email                    | Jane.JONES@Shop.example |
      | shipping.customer.companyName              | Jones & Söhne           |
      | shipping.customer.identificationDocType    | TAXSTATEMENT            |
      | shipping.customer.identificationDocId      | l01x00T47               |
      | shipping.customer.ip                       | 2001:DB8::1             |
      | shipping.customer.merchantCustomerId       | 0047-a                  |
      | shipping.customer.status                   | NEW                     |
      | shipping.customer.browser.acceptHeader     | text/html, */*;q=0.8    |
      | shipping.customer.browser.language         | de-AT                   |
      | shipping.customer.browser.screenHeight     | 0900                    |
      | shipping.customer.browser.screenWidth      | 1600                    |
      | shipping.customer.browser.timezone         | -60                     |
      | shipping.customer.browser.userAgent        | Browser/5.0 (Linux) <x> |
      | shipping.customer.browser.javaEnabled      | false                   |
      | shipping.customer.browser.screenColorDepth | 24                      |
      | shipping.customer.browser.challengeWindow  | 05                      |

    Examples:
      | kind                          | why           |
      | a debit                       | each was sent |
      | a debit at the card host      | each was sent |
      | a direct debit                | each was sent |
      | a payment from a registration | each was sent |
      | a payment in a checkout       | each was sent |
      | a capture                     | each was sent |
      | a refund                      | each was sent |
      | a registration                | each was sent |

  @req:ADDR-01 @req:SHIP-01 @req:RSP-08 @pattern:place @pattern:values
  Scenario Outline: Every member of both addresses is shown
    When the merchant sends these with <kind>
      | billing.street1               | Main Street 5 |
      | billing.street2               | Back Yard     |
      | billing.city                  | Graz          |
      | billing.state                 | St.1          |
      | billing.postcode              | 0A1           |
      | billing.country               | AT            |
      | billing.normalized            | MAIN ST 5     |
      | billing.validationStatus      | Confirmed     |
      | shipping.street1              | Main Street 5 |
      | shipping.street2              | Back Yard     |
      | shipping.city                 | Graz          |
      | shipping.state                | St.1          |
      | shipping.postcode             | 0A1           |
      | shipping.country              | AT            |
      | shipping.normalized           | MAIN ST 5     |
      | shipping.validationStatus     | Confirmed     |
      | shipping.method               | PUDO          |
      | shipping.cost                 | 4.90          |
      | shipping.comment              | Ring twice    |
      | shipping.expectedDate         | 2099-02-28    |
      | shipping.logisticsProvider    | By Bike       |
      | shipping.trackingNumber       | 0047          |
      | shipping.returnTrackingNumber | 0048          |
      | shipping.warehouse            | W 1           |
      | shipping.preference           | GET_FROM_FILE |
    Then it is accepted
    And the response shows
      | billing.street1               | Main Street 5 |
      | billing.street2               | Back Yard     |
      | billing.city                  | Graz          |
      | billing.state                 | St.1          |
      | billing.postcode              | 0A1           |
      | billing.country               | AT            |
      | billing.normalized            | MAIN ST 5     |
      | billing.validationStatus      | Confirmed     |
      | shipping.street1              | Main Street 5 |
      | shipping.street2              | Back Yard     |
      | shipping.city                 | Graz          |
      | shipping.state                | St.1          |
      | shipping.postcode             | 0A1           |
      | shipping.country              | AT            |
      | shipping.normalized           | MAIN ST 5     |
      | shipping.validationStatus     | Confirmed     |
      | shipping.method               | PUDO          |
      | shipping.cost                 | 4.90          |
      | shipping.comment              | Ring twice    |
      | shipping.expectedDate         | 2099-02-28    |
      | shipping.logisticsProvider    | By Bike       |
      | shipping.trackingNumber       | 0047          |
      | shipping.returnTrackingNumber | 0048          |
      | shipping.warehouse            | W 1           |
      | shipping.preference           | GET_FROM_FILE |

    Examples:
      | kind                          | why           |
      | a debit                       | each was sent |
      | a debit at the card host      | each was sent |
      | a direct debit                | each was sent |
      | a payment from a registration | each was sent |
      | a payment in a checkout       | each was sent |
      | a capture                     | each was sent |
      | a refund                      | each was sent |
      | a registration                | each was sent |

  @req:MERCH-01 @req:MERCH-02 @req:RSP-08 @pattern:place @pattern:values
  Scenario Outline: Every member of a company and of a merchant is shown
    When the merchant sends these with <kind>
      | corporate.name          | Jones Books   |
      | corporate.description   | Books & more  |
      | corporate.street        | High Street 7 |
      | corporate.address       | 2nd floor     |
      | corporate.city          | Linz          |
      | corporate.state         | Upper Austria |
      | corporate.postCode      | 04020         |
      | corporate.suite         | 5 B           |
      | corporate.postboxNumber | 0012          |
      | corporate.purchase      | N             |
      | corporate.phone         | 0049301       |
      | corporate.fax           | 0049302       |
      | merchant.name           | Jones Books   |
      | merchant.city           | Jones.example |
      | merchant.street         | High Street 7 |
      | merchant.postcode       | A-04020       |
      | merchant.state          | UA1           |
      | merchant.country        | at            |
      | merchant.phone          | +43.1-2       |
      | merchant.mcc            | 0742          |
      | merchant.submerchantId  | Sub 1         |
      | merchant.data[Key.1_a]  | 07.50         |
      | merchant.websiteId      | w-0           |
    Then it is accepted
    And the response shows
      | corporate.name          | Jones Books   |
      | corporate.description   | Books & more  |
      | corporate.street        | High Street 7 |
      | corporate.address       | 2nd floor     |
      | corporate.city          | Linz          |
      | corporate.state         | Upper Austria |
      | corporate.postCode      | 04020         |
      | corporate.suite         | 5 B           |
      | corporate.postboxNumber | 0012          |
      | corporate.purchase      | N             |
      | corporate.phone         | 0049301       |
      | corporate.fax           | 0049302       |
      | merchant.name           | Jones Books   |
      | merchant.city           | Jones.example |
      | merchant.street         | High Street 7 |
      | merchant.postcode       | A-04020       |
      | merchant.state          | UA1           |
      | merchant.country        | at            |
      | merchant.phone          | +43.1-2       |
      | merchant.mcc            | 0742          |
      | merchant.submerchantId  | Sub 1         |
      | merchant.data[Key.1_a]  | 07.50         |
      | merchant.websiteId      | w-0           |

    Examples:
      | kind                          | why           |
      | a debit                       | each was sent |
      | a debit at the card host      | each was sent |
      | a direct debit                | each was sent |
      | a payment from a registration | each was sent |
      | a payment in a checkout       | each was sent |
      | a capture                     | each was sent |
      | a refund                      | each was sent |

  @req:CART-01 @req:CART-02 @req:CART-04 @req:RSP-08 @pattern:place @pattern:values
  Scenario Outline: Every member of a cart item is shown
    When the merchant sends these with <kind>
      | cart.items[0].name                   | Book                           |
      | cart.items[0].merchantItemId         | 0047                           |
      | cart.items[0].quantity               | 1.50                           |
      | cart.items[0].type                   | PHYSICAL                       |
      | cart.items[0].sku                    | SKU 1                          |
      | cart.items[0].currency               | EUR                            |
      | cart.items[0].description            | A <b>book</b>                  |
      | cart.items[0].price                  | 10.00                          |
      | cart.items[0].totalAmount            | 15.00                          |
      | cart.items[0].taxAmount              | 1.90                           |
      | cart.items[0].totalTaxAmount         | 2.80                           |
      | cart.items[0].tax                    | 19.00                          |
      | cart.items[0].shipping               | 4.90                           |
      | cart.items[0].discount               | 0.00                           |
      | cart.items[0].giftMessage            | For You                        |
      | cart.items[0].shippingMethod         | By Bike                        |
      | cart.items[0].shippingInstructions   | Ring                           |
      | cart.items[0].shippingTrackingNumber | 0049                           |
      | cart.items[0].originalPrice          | 12.00                          |
      | cart.items[0].quantityUnit           | KG                             |
      | cart.items[0].productUrl             | https://shop.example/Book?id=1 |
      | cart.items[0].imageUrl               | https://shop.example/Book.png  |
      | cart.items[0].totalDiscountAmount    | 0.50                           |
      | cart.items[0].productCode            | PC1                            |
      | cart.items[0].partNumber             | 007                            |
      | cart.items[0].recipient.salutation   | Dr.                            |
      | cart.items[0].recipient.firstName    | Ann                            |
      | cart.items[0].recipient.middleName   | de                             |
      | cart.items[0].recipient.lastName     | OTHER                          |
      | cart.items[0].recipient.apartment    | 5 B                            |
      | cart.items[0].recipient.street       | Main Street                    |
      | cart.items[0].recipient.address      | 2nd                            |
      | cart.items[0].recipient.city         | Graz                           |
      | cart.items[0].recipient.state        | St                             |
      | cart.items[0].recipient.postcode     | 08010                          |
      | cart.items[0].recipient.country      | 040                            |
      | cart.items[0].recipient.phone        | 00431                          |
      | cart.items[0].recipient.email        | Ann@Shop.example               |
    Then it is accepted
    And the response shows
      | cart.items[0].name                   | Book                           |
      | cart.items[0].merchantItemId         | 0047                           |
      | cart.items[0].quantity               | 1.50                           |
      | cart.items[0].type                   | PHYSICAL                       |
      | cart.items[0].sku                    | SKU 1                          |
      | cart.items[0].currency               | EUR                            |
      | cart.items[0].description            | A <b>book</b>                  |
      | cart.items[0].price                  | 10.00                          |
      | cart.items[0].totalAmount            | 15.00                          |
      | cart.items[0].taxAmount              | 1.90                           |
      | cart.items[0].totalTaxAmount         | 2.80                           |
      | cart.items[0].tax                    | 19.00                          |
      | cart.items[0].shipping               | 4.90                           |
      | cart.items[0].discount               | 0.00                           |
      | cart.items[0].giftMessage            | For You                        |
      | cart.items[0].shippingMethod         | By Bike                        |
      | cart.items[0].shippingInstructions   | Ring                           |
      | cart.items[0].shippingTrackingNumber | 0049                           |
      | cart.items[0].originalPrice          | 12.00                          |
      | cart.items[0].quantityUnit           | KG                             |
      | cart.items[0].productUrl             | https://shop.example/Book?id=1 |
      | cart.items[0].imageUrl               | https://shop.example/Book.png  |
      | cart.items[0].totalDiscountAmount    | 0.50                           |
      | cart.items[0].productCode            | PC1                            |
      | cart.items[0].partNumber             | 007                            |
      | cart.items[0].recipient.salutation   | Dr.                            |
      | cart.items[0].recipient.firstName    | Ann                            |
      | cart.items[0].recipient.middleName   | de                             |
      | cart.items[0].recipient.lastName     | OTHER                          |
      | cart.items[0].recipient.apartment    | 5 B                            |
      | cart.items[0].recipient.street       | Main Street                    |
      | cart.items[0].recipient.address      | 2nd                            |
      | cart.items[0].recipient.city         | Graz                           |
      | cart.items[0].recipient.state        | St                             |
      | cart.items[0].recipient.postcode     | 08010                          |
      | cart.items[0].recipient.country      | 040                            |
      | cart.items[0].recipient.phone        | 00431                          |
      | cart.items[0].recipient.email        | Ann@Shop.example               |

    Examples:
      | kind                          | why           |
      | a debit                       | each was sent |
      | a debit at the card host      | each was sent |
      | a direct debit                | each was sent |
      | a payment from a registration | each was sent |
      | a payment in a checkout       | each was sent |
      | a capture                     | each was sent |
      | a refund                      | each was sent |

  @req:AIR-01 @req:TRN-06 @req:RSP-08 @pattern:place @pattern:values
  Scenario Outline: Every member of a journey is shown
    When the merchant sends these with <kind>
      | airline.passengers[0].name                       | Joe            |
      | airline.passengers[1].legs[0].flightNumber       | SG 00          |
      | airline.totalTaxAmount                           | 1.50           |
      | airline.totalFeesAmount                          | 2.00           |
      | airline.totalFareAmount                          | 80.00          |
      | airline.ticketIssueDate                          | 2026-02-28     |
      | airline.ticketIssueAddress                       | Graz           |
      | airline.thirdPartyBooking                        | No             |
      | airline.bookingtype                              | On-line        |
      | airline.ticketDeliveryMethod                     | e-Mail         |
      | airline.bookingRefNum                            | x4711Y         |
      | airline.agentName                                | Jane           |
      | airline.agentCode                                | 007            |
      | airline.passengers[1].type                       | ADULT          |
      | airline.passengers[1].name                       | Jane JONES     |
      | airline.passengers[1].ticketRestricted           | no             |
      | airline.passengers[1].ticketNumber               | 0047           |
      | airline.passengers[1].status                     | ok             |
      | airline.passengers[1].phone                      | 030            |
      | airline.passengers[1].frequentFlyerNumber        | FF 1           |
      | airline.passengers[1].email                      | J@shop.example |
      | airline.passengers[1].dob                        | 1990-02-28     |
      | airline.passengers[1].checkDigit                 | 0              |
      | airline.passengers[1].legs[1].taxAmount          | 1.10           |
      | airline.passengers[1].legs[1].feesAmount         | 2.20           |
      | airline.passengers[1].legs[1].fareAmount         | 3.30           |
      | airline.passengers[1].legs[1].departureTaxAmount | 4.40           |
      | airline.passengers[1].legs[1].departureDate      | 2026-02-28     |
      | airline.passengers[1].legs[1].arrivalDate        | 2026-03-01     |
      | airline.passengers[1].legs[1].timeToDeparture    | 07             |
      | airline.passengers[1].legs[1].ticketNumber       | 0048           |
      | airline.passengers[1].legs[1].stopOverAllowed    | Yes            |
      | airline.passengers[1].legs[1].restrictions       | none           |
      | airline.passengers[1].legs[1].flightNumber       | SG 01          |
      | airline.passengers[1].legs[1].fareBasis          | Y1             |
      | airline.passengers[1].legs[1].exchangeTicketNum  | 0049           |
      | airline.passengers[1].legs[1].departureCountry   | AT             |
      | airline.passengers[1].legs[1].departureAirport   | GRZ            |
      | airline.passengers[1].legs[1].airlineName        | Air            |
      | airline.passengers[1].legs[1].airlineCode        | aI             |
      | airline.passengers[1].legs[1].departureTime      | 23:50          |
      | airline.passengers[1].legs[1].arrivalCountry     | DE             |
      | airline.passengers[1].legs[1].arrivalAirport     | BER            |
      | airline.passengers[1].legs[1].arrivalTime        | 00:50          |
      | airline.passengers[1].legs[1].couponNumber       | 01             |
      | airline.passengers[1].legs[1].classOfService     | Y              |
      | airline.passengers[1].legs[1].carrierCode        | SG             |
    Then it is accepted
    And the response shows
      | airline.passengers[0].name                       | Joe            |
      | airline.passengers[1].legs[0].flightNumber       | SG 00          |
      | airline.totalTaxAmount                           | 1.50           |
      | airline.totalFeesAmount                          | 2.00           |
      | airline.totalFareAmount                          | 80.00          |
      | airline.ticketIssueDate                          | 2026-02-28     |
      | airline.ticketIssueAddress                       | Graz           |
      | airline.thirdPartyBooking                        | No             |
      | airline.bookingtype                              | On-line        |
      | airline.ticketDeliveryMethod                     | e-Mail         |
      | airline.bookingRefNum                            | x4711Y         |
      | airline.agentName                                | Jane           |
      | airline.agentCode                                | 007            |
      | airline.passengers[1].type                       | ADULT          |
      | airline.passengers[1].name                       | Jane JONES     |
      | airline.passengers[1].ticketRestricted           | no             |
      | airline.passengers[1].ticketNumber               | 0047           |
      | airline.passengers[1].status                     | ok             |
      | airline.passengers[1].phone                      | 030            |
      | airline.passengers[1].frequentFlyerNumber        | FF 1           |
      | airline.passengers[1].email                      | J@shop.example |
      | airline.passengers[1].dob                        | 1990-02-28     |
      | airline.passengers[1].checkDigit                 | 0              |
      | airline.passengers[1].legs[1].taxAmount          | 1.10           |
      | airline.passengers[1].legs[1].feesAmount         | 2.20           |
      | airline.passengers[1].legs[1].fareAmount         | 3.30           |
      | airline.passengers[1].legs[1].departureTaxAmount | 4.40           |
      | airline.passengers[1].legs[1].departureDate      | 2026-02-28     |
      | airline.passengers[1].legs[1].arrivalDate        | 2026-03-01     |
      | airline.passengers[1].legs[1].timeToDeparture    | 07             |
      | airline.passengers[1].legs[1].ticketNumber       | 0048           |
      | airline.passengers[1].legs[1].stopOverAllowed    | Yes            |
      | airline.passengers[1].legs[1].restrictions       | none           |
      | airline.passengers[1].legs[1].flightNumber       | SG 01          |
      | airline.passengers[1].legs[1].fareBasis          | Y1             |
      | airline.passengers[1].legs[1].exchangeTicketNum  | 0049           |
      | airline.passengers[1].legs[1].departureCountry   | AT             |
      | airline.passengers[1].legs[1].departureAirport   | GRZ            |
      | airline.passengers[1].legs[1].airlineName        | Air            |
      | airline.passengers[1].legs[1].airlineCode        | aI             |
      | airline.passengers[1].legs[1].departureTime      | 23:50          |
      | airline.passengers[1].legs[1].arrivalCountry     | DE             |
      | airline.passengers[1].legs[1].arrivalAirport     | BER            |
      | airline.passengers[1].legs[1].arrivalTime        | 00:50          |
      | airline.passengers[1].legs[1].couponNumber       | 01             |
      | airline.passengers[1].legs[1].classOfService     | Y              |
      | airline.passengers[1].legs[1].carrierCode        | SG             |

    Examples:
      | kind                          | why           |
      | a debit                       | each was sent |
      | a debit at the card host      | each was sent |
      | a direct debit                | each was sent |
      | a payment from a registration | each was sent |
      | a payment in a checkout       | each was sent |
      | a capture                     | each was sent |
      | a refund                      | each was sent |

  @req:COF-01 @req:REC-01 @req:REC-02 @req:GIFT-01 @req:RSP-08 @pattern:place @pattern:values
  Scenario Outline: Every member of a series and of a gift card is shown
    When the merchant sends these with <kind>
      | standingInstruction.type                 | INSTALLMENT |
      | standingInstruction.mode                 | REPEATED    |
      | standingInstruction.source               | CIT         |
      | standingInstruction.expiry               | 2099-02-28  |
      | standingInstruction.frequency            | 0030        |
      | standingInstruction.numberOfInstallments | 012         |
      | recurringType                            | REPEATED    |
      | recurring.numberOfInstallments           | 012         |
      | giftCard.message                         | Well <done> |
      | giftCard.type                            | OTHER       |
    Then it is accepted
    And the response shows
      | standingInstruction.type                 | INSTALLMENT |
      | standingInstruction.mode                 | REPEATED    |
      | standingInstruction.source               | CIT         |
      | standingInstruction.expiry               | 2099-02-28  |
      | standingInstruction.frequency            | 0030        |
      | standingInstruction.numberOfInstallments | 012         |
      | recurringType                            | REPEATED    |
      | recurring.numberOfInstallments           | 012         |
      | giftCard.message                         | Well <done> |
      | giftCard.type                            | OTHER       |

    Examples:
      | kind                          | why           |
      | a debit                       | each was sent |
      | a debit at the card host      | each was sent |
      | a payment from a registration | each was sent |
      | a payment in a checkout       | each was sent |

  @req:TDS-01 @req:TDS-03 @req:TDS-08 @req:RSP-08 @pattern:place @pattern:values
  Scenario Outline: Every member of an authentication elsewhere is shown
    When the merchant sends these with <kind>
      | threeDSecure.eci                        | 06                                                               |
      | threeDSecure.verificationId             | AAABBWFlmQAAAABjRWWZEEFgFz8=                                     |
      | threeDSecure.xid                        | Q0FWVg/+Q0FWVg/+Q0FWVg/+Q0FWVg/+Q0FWVg/+Q0FWVg/+Q0FWVg/+Q0FWVg/+ |
      | threeDSecure.enrollmentStatus           | U                                                                |
      | threeDSecure.authenticationStatus       | A                                                                |
      | threeDSecure.merchant.name              | Jones                                                            |
      | threeDSecure.merchant.url               | https://Shop.example/                                            |
      | threeDSecure.merchant.country           | AUT                                                              |
      | threeDSecure.v1.jcb.requestorId         | R 1                                                              |
      | threeDSecure.v2.diners.requestorId      | R 2                                                              |
      | threeDSecure.v2.diners.requestorName    | Jones                                                            |
      | threeDSecure.dsTransactionId            | F25084F0-5b16-4c0a-ae5d-b24808a95e4b                             |
      | threeDSecure.version                    | 2.2.0                                                            |
      | threeDSecure.challengeIndicator         | 08                                                               |
      | threeDSecure.challengeMandatedIndicator | N                                                                |
      | threeDSecure.authType                   | 04                                                               |
      | threeDSecure.exemptionFlag              | 03                                                               |
      | threeDSecure.transactionStatusReason    | 07                                                               |
    Then it is accepted
    And the response shows
      | threeDSecure.eci                        | 06                                                               |
      | threeDSecure.verificationId             | AAABBWFlmQAAAABjRWWZEEFgFz8=                                     |
      | threeDSecure.xid                        | Q0FWVg/+Q0FWVg/+Q0FWVg/+Q0FWVg/+Q0FWVg/+Q0FWVg/+Q0FWVg/+Q0FWVg/+ |
      | threeDSecure.enrollmentStatus           | U                                                                |
      | threeDSecure.authenticationStatus       | A                                                                |
      | threeDSecure.merchant.name              | Jones                                                            |
      | threeDSecure.merchant.url               | https://Shop.example/                                            |
      | threeDSecure.merchant.country           | AUT                                                              |
      | threeDSecure.v1.jcb.requestorId         | R 1                                                              |
      | threeDSecure.v2.diners.requestorId      | R 2                                                              |
      | threeDSecure.v2.diners.requestorName    | Jones                                                            |
      | threeDSecure.dsTransactionId            | F25084F0-5b16-4c0a-ae5d-b24808a95e4b                             |
      | threeDSecure.version                    | 2.2.0                                                            |
      | threeDSecure.challengeIndicator         | 08                                                               |
      | threeDSecure.challengeMandatedIndicator | N                                                                |
      | threeDSecure.authType                   | 04                                                               |
      | threeDSecure.exemptionFlag              | 03                                                               |
      | threeDSecure.transactionStatusReason    | 07                                                               |

    Examples:
      | kind                          | why           |
      | a debit                       | each was sent |
      | a debit at the card host      | each was sent |
      | a payment from a registration | each was sent |
      | a payment in a checkout       | each was sent |

  @req:CUST-02 @req:CART-02 @req:ADDR-02 @req:CUST-05 @pattern:place
  Scenario Outline: Names are cut, units filled in and second lines left out with every request
    When the merchant sends these with <kind>
      | customer.givenName         | aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa |
      | customer.surname           | bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb |
      | shipping.customer.surname  | ccccccccccccccccccccccccccccccccccccccccccccccccc |
      | cart.items[0].name         | Pen                                               |
      | cart.items[1].name         | Cloth                                             |
      | cart.items[1].quantityUnit | M                                                 |
      | billing.street1            | Main Street                                       |
      | billing.street2            | Back yard                                         |
      | billing.houseNumber1       | 5                                                 |
      | shipping.street1           | High Street                                       |
      | shipping.street2           | Attic                                             |
      | shipping.houseNumber1      | 7                                                 |
    Then it is accepted
    And the response shows
      | customer.givenName         | aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa |
      | customer.surname           | bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb |
      | shipping.customer.surname  | cccccccccccccccccccccccccccccccccccccccccccccccc |
      | cart.items[0].quantityUnit | COUNT                                            |
      | cart.items[1].quantityUnit | M                                                |
    And the response shows no billing.street2
    And the response shows no shipping.street2

    Examples:
      | kind                             | why                |
      | a debit                          | it has all of them |
      | a debit at the card host         | it has all of them |
      | a direct debit                   | it has all of them |
      | a payment from a registration    | it has all of them |
      | a payment in a checkout          | it has all of them |
      | a capture                        | it has all of them |
      | a refund                         | it has all of them |
      | a rebill                         | it has all of them |
      | a credit                         | it has all of them |
      | a wallet payment                 | it has all of them |
      | a payment from a virtual account | it has all of them |

  @req:CART-01 @pattern:limit @pattern:place
  Scenario Outline: A cart has at most a thousand items at every place
    When the merchant sends a cart of <count> items with <kind>
    Then <outcome>

    Examples:
      | kind                          | count | outcome                                              | why         |
      | a capture                     | 1000  | it is accepted                                       | the longest |
      | a capture                     | 1001  | the request is refused, naming cart.items[1000].name | one more    |
      | a payment from a registration | 1000  | it is accepted                                       | the longest |
      | a payment from a registration | 1001  | the request is refused, naming cart.items[1000].name | one more    |
      | a direct debit                | 1000  | it is accepted                                       | the longest |
      | a direct debit                | 1001  | the request is refused, naming cart.items[1000].name | one more    |
      | a credit                      | 1000  | it is accepted                                       | the longest |
      | a credit                      | 1001  | the request is refused, naming cart.items[1000].name | one more    |

  @req:AIR-01 @req:CART-01 @req:CART-03 @req:TRN-06
  Scenario Outline: A gap in any list is refused, wherever the list stands
    When the merchant sends these with a debit
      | <first>  | 1 |
      | <second> | 2 |
      | <third>  | 3 |
    Then the request is refused, naming <third>

    Examples:
      | first                      | second                                     | third                                      | why                     |
      | airline.passengers[0].name | airline.passengers[1].legs[0].flightNumber | airline.passengers[1].legs[2].flightNumber | of the second passenger |
      | airline.passengers[0].name | airline.passengers[1].name                 | airline.passengers[1].legs[1].flightNumber | no first leg            |
      | airline.passengers[0].name | airline.passengers[1].name                 | airline.passengers[3].name                 | a passenger             |
      | cart.items[0].name         | cart.items[1].name                         | cart.items[3].name                         | an item                 |
      | cart.payments[0].name      | cart.payments[1].name                      | cart.payments[3].name                      | a payment               |

  @req:CART-03 @req:TRN-06 @pattern:limit
  Scenario: A long list of cart payments comes back in its order
    When the merchant debits 92.00 EUR with
      | cart.payments[0].name  | Voucher 0  |
      | cart.payments[1].name  | Voucher 1  |
      | cart.payments[2].name  | Voucher 2  |
      | cart.payments[3].name  | Voucher 3  |
      | cart.payments[4].name  | Voucher 4  |
      | cart.payments[5].name  | Voucher 5  |
      | cart.payments[6].name  | Voucher 6  |
      | cart.payments[7].name  | Voucher 7  |
      | cart.payments[8].name  | Voucher 8  |
      | cart.payments[9].name  | Voucher 9  |
      | cart.payments[10].name | Voucher 10 |
      | cart.payments[11].name | Voucher 11 |
    Then the payment succeeds
    And the response shows
      | cart.payments[0].name  | Voucher 0  |
      | cart.payments[1].name  | Voucher 1  |
      | cart.payments[2].name  | Voucher 2  |
      | cart.payments[3].name  | Voucher 3  |
      | cart.payments[4].name  | Voucher 4  |
      | cart.payments[5].name  | Voucher 5  |
      | cart.payments[6].name  | Voucher 6  |
      | cart.payments[7].name  | Voucher 7  |
      | cart.payments[8].name  | Voucher 8  |
      | cart.payments[9].name  | Voucher 9  |
      | cart.payments[10].name | Voucher 10 |
      | cart.payments[11].name | Voucher 11 |

  @req:AIR-01 @req:SVC-09 @pattern:place
  Scenario: A checkout keeps the whole journey
    Given a checkout for 92.00 EUR with a journey
    When the shopper pays in the checkout by card
    Then the payment succeeds
    And each of 3 passengers has 2 legs of its own

  @req:CUSTOM-01 @pattern:place
  Scenario Outline: Custom parameters come back from everything that has an answer
    When the merchant sends customParameters[Order.no_1] "<b>ring</b> & twice" with <kind>
    Then it is accepted
    And the response shows customParameters[Order.no_1] "<b>ring</b> & twice"

    Examples:
      | kind                             | why         |
      | a debit at the card host         | it was sent |
      | a wallet payment                 | it was sent |
      | a direct debit                   | it was sent |
      | a payment from a virtual account | it was sent |
      | a payment in a checkout          | it was sent |
      | a registration in a checkout     | it was sent |
      | a rebill                         | it was sent |
      | a reversal                       | it was sent |
      | a receipt                        | it was sent |
      | a risk check                     | it was sent |
      | a schedule                       | it was sent |

  @req:CUSTOM-01 @req:TRN-07 @pattern:limit
  Scenario Outline: Many custom parameters are shown, each with its value
    When the merchant debits 92.00 EUR with <count> custom parameters
    Then the payment succeeds
    And the response shows each of <count> custom parameters

    Examples:
      | count | why                 |
      | 21    | more than twenty    |
      | 101   | more than a hundred |
      | 300   | many                |

  @req:CUSTOM-01 @req:TRN-02
  Scenario: Lines, tabs and blanks of a value are kept
    When the merchant debits 92.00 EUR with a note of several lines
    Then the payment succeeds
    And the response shows the note of several lines

  @req:CUSTOM-01 @req:SVC-11 @req:SVC-13 @pattern:place
  Scenario: Custom parameters of a registration are read with it
    Given a stored card with
      | customParameters[shelf] | 12 |
    When the merchant reads the registration
    Then the registration succeeds
    And the response shows customParameters[shelf] "12"

  @req:RSP-02 @req:RSP-10 @req:ERR-03 @pattern:place
  Scenario Outline: Everything that is done has its result, its time and its request id
    Given <before>
    When the merchant <does>
    Then the response shows result.code as a result code
    And the response shows buildNumber as some text
    And the response shows timestamp as a timestamp
    And the response shows ndc as a request id

    Examples:
      | before                   | does                                          | why                |
      | a stored card            | reads the registration                        | a reading          |
      | a stored card            | deletes the registration                      | a deletion         |
      | a stored card            | extends its lifetime                          | an extension       |
      | a debit of 92.00 EUR     | reads it                                      | a reading          |
      | a checkout for 92.00 EUR | changes the checkout with amount "42.00"      | a change           |
      | a checkout for 92.00 EUR | reads the payment result of the checkout      | a reading          |
      | a registration checkout  | reads the registration result of the checkout | a reading          |
      | an unknown payment       | reads it                                      | nothing has the id |

  @req:RSP-04 @pattern:place
  Scenario Outline: Every request that reached an acquirer shows the acquirer's code
    When the merchant sends transactionCategory "EC" with <kind>
    Then it is accepted
    And the response shows resultDetails.AcquirerResponse as some text

    Examples:
      | kind                          | why             |
      | an authorization              | it was approved |
      | a credit                      | it was approved |
      | a capture                     | it was approved |
      | a refund                      | it was approved |
      | a reversal                    | it was approved |
      | a rebill                      | it was approved |
      | a payment from a registration | it was approved |
      | a payment in a checkout       | it was approved |
      | a wallet payment              | it was approved |
      | a direct debit                | it was approved |
      | a debit at the card host      | it was approved |

  @req:RSP-09 @pattern:place
  Scenario Outline: Nothing that refers to a payment shows its id
    When the merchant sends transactionCategory "EC" with <kind>
    Then it is accepted
    And the response shows no referencedId
    And what is read is what was answered

    Examples:
      | kind       | why                         |
      | a capture  | notifications alone show it |
      | a refund   | notifications alone show it |
      | a reversal | notifications alone show it |
      | a rebill   | notifications alone show it |
      | a receipt  | notifications alone show it |

  @req:RSP-03 @needs:declines @pattern:place
  Scenario Outline: A card that was declined is shown with its digits and its expiry
    When the merchant sends customParameters[forceResultCode] "800.100.151" with <kind>
    Then the payment is declined with 800.100.151
    And the response shows
      | card.bin         | 420000     |
      | card.last4Digits | 0000       |
      | card.expiryMonth | 12         |
      | card.expiryYear  | 2099       |
    And the response does not contain "4200000000000000"

    Examples:
      | kind                          | why             |
      | an authorization              | it was declined |
      | a debit at the card host      | it was declined |
      | a payment from a registration | it was declined |
      | a payment in a checkout       | it was declined |
      | a registration                | it was declined |

  @req:RSP-03 @req:SVC-11 @pattern:place
  Scenario Outline: A stored card is shown with its digits and its expiry
    When the merchant sends transactionCategory "EC" with <kind>
    Then it is accepted
    And the response shows
      | card.bin         | 420000     |
      | card.last4Digits | 0000       |
      | card.holder      | Jane Jones |
      | card.expiryMonth | 12         |
      | card.expiryYear  | 2099       |
    And the response does not contain "4200000000000000"

    Examples:
      | kind                          | why           |
      | a registration                | it is stored  |
      | a registration in a checkout  | in a checkout |
      | a payment from a registration | it is charged |

  @req:ERR-01 @needs:declines @pattern:place
  Scenario Outline: A decline is no success anywhere
    When the merchant sends customParameters[forceResultCode] "800.100.152" with <kind>
    Then the payment is declined with 800.100.152
    And the response shows customParameters[forceResultCode] "800.100.152"

    Examples:
      | kind                                 | why       |
      | a payment in a checkout              | no reason |
      | a registration in a checkout         | no reason |
      | a reversal                           | no reason |
      | a receipt                            | no reason |
      | a payment from a virtual account     | no reason |
      | a registration of a bank account     | no reason |
      | a payment from a stored bank account | no reason |

  @req:ERR-06 @pattern:place
  Scenario Outline: No secret is repeated, whatever its name and wherever it came
    When the merchant sends <name> "<value>" with <kind>
    Then the request is refused, naming <name>
    And the error of <name> shows no value
    And the response does not contain "<value>"

    Examples:
      | kind                          | name                          | value                                                                                                     | why        |
      | a registration                | card.number                   | 42000000000000001234X                                                                                     | a number   |
      | a payment in a checkout       | card.number                   | 42000000000000001234X                                                                                     | a number   |
      | a risk check                  | card.number                   | 42000000000000001234X                                                                                     | a number   |
      | a registration                | card.cvv                      | 98765                                                                                                     | a code     |
      | a payment in a checkout       | card.cvv                      | 98765                                                                                                     | a code     |
      | a payment from a registration | card.cvv                      | 98765                                                                                                     | a code     |
      | a debit                       | risk.accountToken             | Token-Token-Token-Token-Token-Token-Token-Token-Token-Token-Token-                                        | a token    |
      | a risk check                  | risk.accountToken             | Token-Token-Token-Token-Token-Token-Token-Token-Token-Token-Token-                                        | a token    |
      | a debit                       | threeDSecure.v1.visa.password | Secret-Secret-Secret-Secret-Secret-Secret-Secret-Secret-Secret-Secret-Secret-Secret-Secret-Secret-Secret- | a password |

  @req:ERR-06 @pattern:values
  Scenario Outline: Sixty wrong parameters are all named
    When the merchant sends 60 wrong parameters with <kind>
    Then the refusal names each of 60 wrong parameters

    Examples:
      | kind       | why        |
      | a debit    | a payment  |
      | a checkout | a checkout |

  @req:ERR-06
  Scenario Outline: A wrong value is shown whole
    When the merchant debits 92.00 EUR with <name> "<value>"
    Then the request is refused, naming <name>
    And the error of <name> shows the value "<value>"

    Examples:
      | name                | value                       | why                 |
      | transactionCategory | E-C of the whole family     | blanks and a hyphen |
      | customer.birthDate  | the thirtieth of February   | no date             |
      | shipping.method     | BY_CAMEL_THROUGH_THE_DESERT | not in the list     |

  @req:ERR-06 @decision:D-02
  Scenario Outline: A name that is not known is named beside what else is wrong
    When the merchant sends these with <kind>
      | no.such.name         | x   |
      | transactionCategory  | E-C |
      | billing.country      | de  |
      | cart.items[0].price  | 1.5 |
      | customParameters[ab] | x   |
    Then the request is refused, naming no.such.name, transactionCategory, billing.country, cart.items[0].price, customParameters[ab]

    Examples:
      | kind                          | why            |
      | a debit                       | five are wrong |
      | a capture                     | five are wrong |
      | a registration                | five are wrong |
      | a checkout                    | five are wrong |
      | a payment from a registration | five are wrong |
