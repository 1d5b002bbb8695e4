"""The simulators behind the gateway: acquirers, issuer, 3-D Secure, risk system, wallet
provider.
"""
