#!/usr/bin/env python3
"""Writes a valgrind report of a given size, the same bytes each time.

    gen.py SIZE > report.xml        SIZE in bytes, or with k, m, g

The shape is that of reports of large C++ programs: 12 to 40 frames a stack, some 290 bytes a frame,
an entity every 60 bytes, a further stack for two errors in three, a generated suppression (printed
twice, as valgrind does) for one in three, and few distinct frames: what grows with the size is how
often they recur.
"""

import random
import sys

TYPES = ["char", "unsigned long", "std::string const&", "Node*", "std::pair<int, long>",
         "std::vector<Node*, std::allocator<Node*> >", "std::map<std::string, int>",
         "std::shared_ptr<Session const>", "std::function<void (Event const&)>"]
WORDS = ["parse", "insert", "lookup", "flush", "commit", "render", "encode", "decode", "visit",
         "apply", "resolve", "dispatch", "convert", "merge", "split", "collect"]
SPACES = ["core", "store", "net", "ui", "detail", "io", "index", "query"]
HEAD = """<?xml version="1.0"?>

<valgrindoutput>

<protocolversion>4</protocolversion>
<protocoltool>memcheck</protocoltool>

<preamble>
  <line>Memcheck, a memory error detector</line>
  <line>Copyright (C) 2002-2022, and GNU GPL'd, by Julian Seward et al.</line>
  <line>Using Valgrind-3.19.0 and LibVEX; rerun with -h for copyright info</line>
  <line>Command: ./server --all</line>
</preamble>

<pid>4711</pid>
<ppid>4710</ppid>
<tool>memcheck</tool>

<args>
  <vargv>
    <exe>/usr/bin/valgrind.bin</exe>
    <arg>--xml=yes</arg>
    <arg>--track-origins=yes</arg>
    <arg>--num-callers=40</arg>
  </vargv>
  <argv>
    <exe>./server</exe>
    <arg>--all</arg>
  </argv>
</args>

<status>
  <state>RUNNING</state>
  <time>00:00:00:00.512 </time>
</status>

"""
TAIL = """<status>
  <state>FINISHED</state>
  <time>00:00:09:10.101 </time>
</status>

<errorcounts>
%s</errorcounts>

<suppcounts>
</suppcounts>

</valgrindoutput>
"""
KINDS = [("InvalidRead", "Invalid read of size 8"),
         ("InvalidWrite", "Invalid write of size 4"),
         ("UninitCondition", "Conditional jump or move depends on uninitialised value(s)"),
         ("UninitValue", "Use of uninitialised value of size 8")]


MAIN = """    <frame>
      <ip>0x400A1F3</ip>
      <obj>/builds/team/product/build/bin/product_test</obj>
      <fn>main</fn>
      <dir>/builds/team/product/test</dir>
      <file>main.cpp</file>
      <line>88</line>
    </frame>
"""


def escape(text):
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def size_of(text):
    units = {"k": 10**3, "m": 10**6, "g": 10**9}
    return int(text[:-1]) * units[text[-1].lower()] if text[-1].lower() in units else int(text)


def make_frame(rnd, number):
    name = f"{rnd.choice(SPACES)}::{rnd.choice(WORDS)}_{number}"
    if rnd.random() < 0.6:
        name += f"<{rnd.choice(TYPES)}, {rnd.choice(TYPES)}>"
    name += f"({rnd.choice(TYPES)}, {rnd.choice(TYPES)})"
    space = rnd.choice(SPACES)
    fields = [("ip", f"0x{0x4000000 + number * 53:X}"),
              ("obj", f"/builds/team/product/build/lib/lib{space}.so.4")]
    if rnd.random() > 0.02:
        fields.append(("fn", escape(name)))
    if rnd.random() > 0.1:
        fields += [("dir", f"/builds/team/product/src/{space}"),
                   ("file", f"{rnd.choice(WORDS)}.cpp"), ("line", rnd.randint(1, 2000))]
    lines = "".join(f"      <{tag}>{value}</{tag}>\n" for tag, value in fields)
    symbol = f"_ZN{len(space)}{space}{number}EPcmRKNSt"
    return f"    <frame>\n{lines}    </frame>\n", symbol


def suppression(symbols, kind):
    frames = "".join(f"    <sframe> <fun>{symbol}</fun> </sframe>\n" for symbol in symbols)
    raw = "".join(f"   fun:{symbol}\n" for symbol in symbols)
    return ("  <suppression>\n    <sname>insert_a_suppression_name_here</sname>\n"
            f"    <skind>Memcheck:{kind}</skind>\n{frames}    <rawtext>\n<![CDATA[\n{{\n"
            f"   <insert_a_suppression_name_here>\n   Memcheck:{kind}\n{raw}}}\n]]>\n"
            "    </rawtext>\n  </suppression>\n")


def make_error(rnd, frames):
    """All of an error but its <unique>."""
    kind, what = KINDS[rnd.randrange(len(KINDS))]
    stack = rnd.sample(frames, rnd.randint(11, 39)) + [(MAIN, "main")]
    text = (f"  <tid>1</tid>\n  <kind>{kind}</kind>\n  <what>{what}</what>\n  <stack>\n"
            + "".join(frame for frame, _ in stack) + "  </stack>\n")
    if rnd.random() < 0.67:
        text += ("  <auxwhat>Uninitialised value was created by a heap allocation</auxwhat>\n"
                 if kind.startswith("Uninit") else
                 "  <auxwhat>Address 0x5a3c0a8 is 8 bytes inside a block of size 64 free'd"
                 "</auxwhat>\n")
        aux = rnd.sample(frames, rnd.randint(12, 30))
        text += "  <stack>\n" + "".join(frame for frame, _ in aux) + "  </stack>\n"
    outside = ""
    if rnd.random() < 0.33:
        outside = suppression([symbol for _, symbol in stack], "Cond")
        text += outside
    return f"{text}</error>\n\n{outside}"


def main():
    size = size_of(sys.argv[1])
    out = sys.stdout.buffer
    rnd = random.Random(4711)
    frames = [make_frame(rnd, number) for number in range(int(17 * (size / 1000) ** 0.5) + 40)]
    distinct = max(1, min(25000, size // 25000 if size > 20 * 10**6 else size // 14000))
    written = out.write(HEAD.encode())
    errors, seeds = 0, {}
    while written < size:
        number = errors if errors < distinct else rnd.randrange(distinct)
        body = make_error(random.Random(number), frames)
        written += out.write(f"<error>\n  <unique>0x{errors:x}</unique>\n{body}".encode())
        seeds[number] = seeds.get(number, 0) + 1
        errors += 1
    pairs = "".join(f"  <pair>\n    <count>{1 + number % 7}</count>\n"
                    f"    <unique>0x{number:x}</unique>\n  </pair>\n"
                    for number in range(min(distinct, errors)))
    out.write((TAIL % pairs).encode())


if __name__ == "__main__":
    main()
