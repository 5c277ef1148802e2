"""Pure rules of the judge: no I/O, no clock, no framework."""
