"""Tests of the module in own.c, and some use of NumPy."""

import unittest

import numpy as np

import own


class Own(unittest.TestCase):
    def test_lose(self):
        own.lose()

    def test_sum(self):
        own.sum()

    def test_numpy(self):
        cells = np.random.default_rng(1).random((20, 20))
        self.assertEqual(np.linalg.inv(cells @ cells.T + np.eye(20)).shape, (20, 20))
        self.assertEqual(np.fft.fft(np.sort(cells)[0]).size, 20)
        self.assertEqual(np.unique(np.array(["a", "b"]).astype(object)).size, 2)
        np.random.rand(3)


if __name__ == "__main__":
    unittest.main()
