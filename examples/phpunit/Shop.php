<?php

declare(strict_types=1);

/** The payment side of a small shop. It needs only an address and credentials. */
final class Shop
{
    public function __construct(
        private readonly string $url,
        private readonly string $token,
        private readonly string $entityId,
    ) {
    }

    /** The shop that `sandgate run` describes. */
    public static function fromEnvironment(): self
    {
        return new self(
            (string) getenv('SANDGATE_URL'),
            (string) getenv('SANDGATE_TOKEN'),
            (string) getenv('SANDGATE_ENTITY_ID'),
        );
    }

    /** Charge a card (DB), or authorize an amount (PA). */
    public function pay(string $amount, array $card, string $paymentType = 'DB'): array
    {
        $sent = ['paymentType' => $paymentType, 'amount' => $amount, 'currency' => 'EUR'];
        foreach ($card as $name => $value) {
            $sent["card.$name"] = $value;
        }

        return $this->post('v1/payments', $sent);
    }

    /** Capture an authorized amount, or a part of it. */
    public function capture(string $payment, string $amount): array
    {
        return $this->refer($payment, 'CP', $amount);
    }

    /** Refund a captured amount, or a part of it. */
    public function refund(string $payment, string $amount): array
    {
        return $this->refer($payment, 'RF', $amount);
    }

    private function refer(string $payment, string $paymentType, string $amount): array
    {
        $sent = ['paymentType' => $paymentType, 'amount' => $amount, 'currency' => 'EUR'];

        return $this->post("v1/payments/$payment", $sent);
    }

    /** Status and decoded body of the answer, whatever its status. */
    private function post(string $path, array $sent): array
    {
        $context = stream_context_create(['http' => [
            'method' => 'POST',
            'header' => [
                "Authorization: Bearer {$this->token}",
                'Content-Type: application/x-www-form-urlencoded',
            ],
            'content' => http_build_query(['entityId' => $this->entityId] + $sent),
            'ignore_errors' => true,
            'timeout' => 10,
        ]]);
        $body = file_get_contents($this->url . $path, false, $context);
        $status = (int) explode(' ', $http_response_header[0])[1];

        return [$status, json_decode((string) $body, true, 512, JSON_THROW_ON_ERROR)];
    }
}
