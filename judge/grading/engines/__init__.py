"""What turns a source of one language into runs of its test cases: one engine a language."""
