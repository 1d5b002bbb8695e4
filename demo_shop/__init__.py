"""A small shop with the hosted form in its page, for demonstrations.

It knows the gateway as any merchant does: through `simulator.client`, over HTTP.
"""
