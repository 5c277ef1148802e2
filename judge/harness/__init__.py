"""Calling the learner's function: requests that go into a box and replies that come out.

Pure: nothing here starts a process. The drivers are source text that the sandbox runs inside the
box; whatever they write is only ever believed as "this is the learner's answer".
"""
