# What was not loaded before the fork can be loaded: all of the standard library that a box can use.
import asyncio
import csv
import email.message
import html.parser
import sqlite3
import unittest
import xml.dom.minidom
import zoneinfo

import numpy.fft
import numpy.polynomial
import numpy.testing


def pair_sum(a, b):
    return a + b
