"""The decoding lab: packs of logits, their manifests, the server-side reference.

It uses judge.domain only and runs no model.
"""
