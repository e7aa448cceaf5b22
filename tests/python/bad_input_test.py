# SPDX-License-Identifier: Apache-2.0
"""Bad input is an InputError with the line of the command line, or a TypeError; never a crash."""

import re
import unittest

import numpy as np

import command_line
import muster


def reason(refusal):
    """Without the remedy: a module without RTL knows fewer engines than the program beside it."""
    return re.split("; (?:see|known are) ", refusal)[0]


class BadInputTest(unittest.TestCase):
    def setUp(self):
        self.network = muster.read(command_line.FIGURE1)

    def test_the_line_is_that_of_the_command_line(self):
        for keywords, words in [
                ({"group": "n99"}, ["--group", "n99"]),
                ({"group": "a\nb"}, ["--group", "a\nb"]),
                ({"scheme": "btn"}, ["--scheme", "btn"]),
                ({"engine": "fpga"}, ["--engine", "fpga"]),
                ({"barriers": 0}, ["--barriers", "0"]),
                ({"barriers": -1}, ["--barriers=-1"]),
                ({"load": -0.5}, ["--load=-0.5"]),
                ({"load": float("nan")}, ["--load", "nan"]),
                ({"load": 0.1, "load_flits": 0.1}, ["--load", "0.1", "--load-flits", "0.1"]),
                ({"config": ""}, ["--config="]),
                ({"turn": True, "scheme": "star"}, ["--turn", "--scheme", "star"]),
                ({"nic": "host"}, ["--nic", "host"]),
                ({"nic": "hots", "scheme": "nic-gather"},
                 ["--nic", "hots", "--scheme", "nic-gather"]),
                ({"arrivals": "none.json"}, ["--arrivals", "none.json"]),
                ({"kill_link": "3:9-0:9@5"}, ["--kill-link", "3:9-0:9@5"])]:
            with self.subTest(words), self.assertRaises(muster.InputError) as raised:
                muster.run(self.network, **keywords)
            refusal = command_line.refusal_of("run", command_line.FIGURE1, *words)
            self.assertEqual(reason(str(raised.exception)), reason(refusal))
            self.assertNotIn("\n", str(raised.exception))

    def test_a_keyword_that_there_is_not_is_refused(self):
        for name in ("lod", "json", "wave", "page", "repeat", "help", "FILE", "", "a=b", "-"):
            with self.subTest(name), self.assertRaisesRegex(muster.InputError,
                                                            "has no such option; similar are"):
                muster.run(self.network, **{name: 3})
        with self.assertRaisesRegex(muster.InputError, "wdth: mesh has no such option"):
            muster.generate("mesh", wdth=3)
        with self.assertRaisesRegex(muster.InputError, "unknown generator 'mess'; known are"):
            muster.generate("mess")
        with self.assertRaisesRegex(muster.InputError, "unknown generator 'mess'"):
            muster.options("mess")

    def test_no_option_is_there_that_would_write_a_file(self):
        self.assertEqual([name for name, help in muster.options().items()
                          if help.startswith("Write")], [])

    def test_flags_are_true_or_false_and_others_are_not(self):
        with self.assertRaisesRegex(muster.InputError, "turn: is a flag; give True or False"):
            muster.run(self.network, turn=3)
        with self.assertRaisesRegex(muster.InputError, "load: takes a value"):
            muster.run(self.network, load=True)
        plain = muster.run(self.network, turn=False, config=None).digest
        self.assertEqual(plain, muster.run(self.network).digest)
        self.assertNotEqual(plain, muster.run(self.network, turn=np.True_).digest)

    def test_what_is_no_value_is_a_type_error(self):
        for value in ({}, object(), b"5", 1j, [[3]], [True], np.zeros((2, 2))):
            with self.subTest(value), self.assertRaisesRegex(TypeError, "barriers: "):
                muster.run(self.network, barriers=value)
        for group in (3, None, {}, [1.5], [["x", {}]]):
            with self.subTest(group), self.assertRaises((TypeError, muster.InputError)):
                muster.run(self.network, group)
        for keywords, text in [({"stop": 3}, "stop: int is no muster.Stop"),
                               ({"progress": 3}, "progress: int is no function"),
                               ({"arrivals": 3}, "arrivals: give a function"),
                               ({"arrivals": [[0.5]]}, "arrivals: give a function"),
                               ({"arrivals": []}, "arrivals: give a function"),
                               ({"arrivals": [[1], [2, 3]]}, "arrivals: give a function"),
                               ({"arrivals": [1, 2]}, "arrivals: give a function")]:
            with self.subTest(text), self.assertRaisesRegex(TypeError, text):
                muster.run(self.network, **keywords)
        for network in (3, None, b"x", {}):
            with self.subTest(network), self.assertRaisesRegex(TypeError, "path: "):
                muster.run(network)

    def test_values_of_numpy_are_values(self):
        self.assertEqual(
            muster.run(self.network, barriers=np.int16(3), load=np.float32(0.25), seed=np.uint64(2),
                       group=np.arange(5)).digest,
            muster.run(self.network, barriers=3, load=0.25, seed=2, group=range(5)).digest)

    def test_an_empty_group_or_a_list_of_none_is_refused(self):
        for group in ([], [[]], [[0], []]):
            with self.subTest(group), self.assertRaisesRegex(muster.InputError, "group: is empty"):
                muster.run(self.network, group)

    def test_arrivals_exclude_spread(self):
        with self.assertRaisesRegex(muster.InputError, "arrivals: excludes spread"):
            muster.run(self.network, arrivals=lambda member, barrier, now: now, spread=3)
        with self.assertRaisesRegex(muster.InputError, "arrivals: a cycle is below 0"):
            muster.run(self.network, arrivals=[[-1]])

    def test_text_that_is_no_utf_8_is_refused(self):
        for keywords in ({"group": "\udc00"}, {"scheme": "\udc00"}, {"arrivals": "\udc00"}):
            with self.subTest(keywords), self.assertRaisesRegex(muster.InputError, "UTF-8"):
                muster.run(self.network, **keywords)
        with self.assertRaisesRegex(muster.InputError, "UTF-8"):
            muster.read("\udc00")

    def test_files_that_are_no_network_are_refused(self):
        for text in ("", "{", "{}", "\0", "[" * 100000):
            with self.subTest(text[:5]), self.assertRaises(muster.InputError):
                muster.parse(text)
        with self.assertRaisesRegex(muster.InputError, "none.json: cannot be read"):
            muster.run("none.json")

    def test_objects_come_from_their_functions_alone(self):
        for kind in (muster.Network, muster.Result):
            for argument in (3, None, "x", muster.Stop()):
                with self.subTest(kind), self.assertRaisesRegex(TypeError, "is made by muster"):
                    kind(argument)

    def test_jobs_are_a_number(self):
        for jobs in (0, -1, 1.5, "x"):
            with self.subTest(jobs), self.assertRaisesRegex(muster.InputError, "jobs: "):
                muster.run_many([{"network": self.network}], jobs=jobs)
        with self.assertRaisesRegex(muster.InputError, "row 1: needs network"):
            muster.run_many([{"network": self.network}, {}])


if __name__ == "__main__":
    unittest.main()
