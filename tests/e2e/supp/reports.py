"""Valgrind's XML and grindgate's JSON, as far as the errors in them are told apart."""

import re
import xml.etree.ElementTree as ET


def said(kind, message):
    """The kind, and what tells apart errors of it in the same place."""
    return message if kind == "SyscallParam" else kind


class Error:
    """An error of a report: kind, frames of its own stack, and the suppression that valgrind
    generates for it, as lines ("Memcheck:Addr4", "fun:f", ...)."""

    def __init__(self, element):
        self.kind = element.findtext("kind")
        what = element.find("what")
        if what is None:
            what = element.find("xwhat/text")
        self.what = what.text if what is not None else ""
        stack = element.find("stack")
        self.frames = [] if stack is None else [
            {child.tag: child.text for child in frame} for frame in stack.findall("frame")]
        self.key = (said(self.kind, self.what), tuple(
            (int(frame["ip"], 16), frame.get("obj"), frame.get("file"),
             int(frame.get("line") or 0)) for frame in self.frames))
        # Addresses apart: errors that differ in nothing else are one finding.
        self.place = (self.key[0], tuple(
            (frame.get("fn"), frame.get("obj"), frame.get("file"), frame.get("line"))
            for frame in self.frames))
        self.supp = None
        supp = element.find("suppression")
        if supp is not None:
            self.supp = [supp.findtext("skind")]
            self.supp += [supp.findtext("skaux")] if supp.find("skaux") is not None else []


def read(path):
    """The errors, each once, in order; None when the program did not run to its end, as when a
    suppression file is refused."""
    errors, root = {}, ET.parse(path).getroot()
    if [status.findtext("state") for status in root.findall("status")][-1:] != ["FINISHED"]:
        return None
    for element in root.findall("error"):
        error = Error(element)
        errors.setdefault(error.key, error)
    return list(errors.values())


def finding_key(finding):
    """The key of the error behind a finding of grindgate's JSON."""
    stacks = [stack for stack in finding["stacks"] if stack["role"] == "error"]
    frames = stacks[0]["frames"] if stacks else []
    return (said(finding["kind"], finding["message"]), tuple(
        (int(frame["ip"], 16), frame["object"], frame["file"], frame["line"] or 0)
        for frame in frames))


def version(world):
    """(3, 19)"""
    said = world.run(["valgrind", "--version"], world.scratch, [0]).stdout.decode()
    return tuple(int(part) for part in re.findall(r"\d+", said)[:2])
