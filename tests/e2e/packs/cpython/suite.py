"""Tests of the module in own.c, with what tests of Python load anyway."""

import ctypes
import dataclasses
import datetime
import decimal
import enum
import json
import logging
import re
import threading
import unittest

import own


class Colour(enum.Enum):
    RED = 1


@dataclasses.dataclass
class Point:
    x: int


class Pair(ctypes.Structure):
    _fields_ = [("a", ctypes.c_int), ("b", ctypes.c_char_p)]


class Own(unittest.TestCase):
    def test_lose(self):
        self.assertIsNone(own.lose())

    def test_lose_object(self):
        own.lose_object()

    def test_key(self):
        self.assertEqual(sorted([3, 1, 2], key=own.key), [1, 2, 3])


class Library(unittest.TestCase):
    def test_library(self):
        self.assertEqual(json.loads('{"a": [1]}'), {"a": [1]})
        self.assertTrue(re.match("a+b", "aab"))
        self.assertEqual(decimal.Decimal("1.5") + 1, decimal.Decimal("2.5"))
        self.assertEqual(Colour.RED.value + Point(2).x + Pair(3, b"x").a, 6)
        logging.getLogger("own").debug("%s", datetime.date(2020, 1, 1))
        thread = threading.Thread(target=json.dumps, args=([1],))
        thread.start()
        thread.join()


if __name__ == "__main__":
    unittest.main()
