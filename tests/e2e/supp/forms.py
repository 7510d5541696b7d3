"""Suppression files for errors that valgrind reported: right, nearly right and wrong, in every form
that valgrind knows. What valgrind makes of them is not known here."""

# Kinds that every valgrind from 3.14 on reads, by tool.
KINDS = {
    "Memcheck": "Addr1 Addr2 Addr4 Addr8 Addr16 Addr32 Value1 Value2 Value4 Value8 Value16 Value32 "
                "Value0 Cond User Jump Free Overlap Leak Mempool CoreMem".split(),
    "Helgrind": "Race UnlockUnlocked UnlockForeign UnlockBogus PthAPIerror LockOrder Misc".split(),
    "drd": "ConflictingAccess MutexErr CondErr CondDestrErr CondRaceErr CondWaitErr SemaphoreErr "
           "BarrierErr RwlockErr HoldtimeErr GenericErr".split(),
}
NEWER = {"ReallocZero": (3, 21), "BadAlign": (3, 22), "BadSize": (3, 22), "SizeMismatch": (3, 22),
         "AlignMismatch": (3, 22), "UnsafeZeroSize": (3, 26)}
LEAKS = ("definite", "indirect", "possible", "reachable", "all", "none", "definite,possible",
         "reachable,indirect,", "indirect,possible,definite,reachable")


# ---- Names ----

def symbol(frame):
    return frame.get("fn", "???")


def path(frame):
    return frame.get("obj", "???")


def starred(dice, name):
    """The name, some of it behind wildcards."""
    at = dice.randrange(len(name) + 1)
    end = dice.randrange(at, len(name) + 1)
    return dice.choice((name[:at] + "*", "*" + name[at:], name[:at] + "*" + name[end:],
                        name[:at] + "*" + name[at:], "*" + name[at:end] + "*",
                        name[:at] + "**" + name[at:], "*"))


def asked(dice, name):
    """The name with a question mark: for a byte, beside one, or for each."""
    at = dice.randrange(max(len(name), 1))
    return dice.choice((name[:at] + "?" + name[at + 1:], name[:at] + "?" + name[at:],
                        "?" * len(name), "?" * at + name[at:] + "*"))


def broken(dice, name):
    """Nearly the name."""
    return dice.choice((name + "x", name[:-1], name.upper(), " " + name, name + " # here", "",
                        "[" + name[:1] + "]" + name[1:], "\\" + name, name + "?"))


def fun(frame):
    return "fun:" + symbol(frame)


def obj(frame):
    return "obj:" + path(frame)


def base(frame):
    return "obj:*/" + path(frame).rsplit("/", 1)[-1]


def src(frame, line=""):
    return "src:" + frame.get("file", "none.c") + (f":{line}" if line else "")


def src_line(frame):
    return src(frame, frame.get("line", "1"))


def any_line(dice, frame):
    return dice.choice((fun, fun, obj, base, src, src_line))(frame)


# ---- Frames of a block ----
# Each takes dice and the frames of the error, and gives lines.

def whole(dice, frames):
    return [fun(frame) for frame in frames]


def begin(dice, frames):
    return whole(dice, frames[:dice.randrange(1, len(frames) + 1)])


def wild(dice, frames):
    lines = begin(dice, frames)
    at = dice.randrange(len(lines))
    lines[at] = "fun:" + starred(dice, symbol(frames[at]))
    return lines


def question(dice, frames):
    lines = begin(dice, frames)
    at = dice.randrange(len(lines))
    lines[at] = "fun:" + asked(dice, symbol(frames[at]))
    return lines


def wrong_name(dice, frames):
    lines = begin(dice, frames)
    at = dice.randrange(len(lines))
    lines[at] = "fun:" + broken(dice, symbol(frames[at]))
    return lines


def all_wild(dice, frames):
    return ["fun:" + starred(dice, symbol(frame)) for frame in frames[:dice.randrange(1, 9)]]


def objects(dice, frames):
    return [dice.choice((obj, base))(frame) for frame in frames[:dice.randrange(1, 9)]]


def object_wild(dice, frames):
    lines = begin(dice, frames)
    at = dice.randrange(len(lines))
    lines[at] = "obj:" + dice.choice((starred, asked, broken))(dice, path(frames[at]))
    return lines


def mixed(dice, frames):
    return [any_line(dice, frame) for frame in frames[:dice.randrange(1, 9)]]


def sources(dice, frames):
    """Innermost frames that valgrind replaced have no source, so those are named."""
    return [src(frame) if "file" in frame else fun(frame)
            for frame in frames[:dice.randrange(1, 9)]]


def source_lines(dice, frames):
    return [src_line(frame) if "file" in frame else fun(frame)
            for frame in frames[:dice.randrange(1, 9)]]


def source_wrong(dice, frames):
    lines = source_lines(dice, frames)
    at = dice.randrange(len(lines))
    frame = frames[at]
    file, line = frame.get("file", "none.c"), int(frame.get("line", 1))
    lines[at] = dice.choice((src(frame, line + 1), src(frame, 0), src(frame, "any"), "src:*",
                             "src:" + starred(dice, file), "src:" + asked(dice, file),
                             "src:" + broken(dice, file), f"src:{file}: {line}",
                             f"src:{frame.get('dir', '')}/{file}", f"src:{file}:{line}:1"))
    return lines


def source_of_addresses(dice, frames):
    """Sources of the addresses, which is not one a frame where calls were inlined."""
    seen, lines = None, []
    for frame in frames:
        if frame["ip"] != seen:
            lines.append(src_line(frame) if "file" in frame else fun(frame))
        seen = frame["ip"]
    return lines[:dice.randrange(1, len(lines) + 1)]


def dots_first(dice, frames):
    at = dice.randrange(len(frames))
    return ["..."] * dice.randrange(1, 3) + begin(dice, frames[at:])


def dots_last(dice, frames):
    return begin(dice, frames) + ["..."]


def dots_between(dice, frames):
    at = dice.randrange(len(frames))
    again = dice.randrange(at, len(frames))
    return begin(dice, frames[:at + 1]) + ["..."] + begin(dice, frames[again:])


def dots_everywhere(dice, frames):
    lines = []
    for frame in frames:
        lines += ["..."] if dice.randrange(2) else []
        lines += [any_line(dice, frame)] if dice.randrange(3) else []
    return lines + [fun(frames[-1])]


def dots_and_wild(dice, frames):
    at = dice.randrange(len(frames))
    return ["...", "fun:" + starred(dice, symbol(frames[at])), "...", base(frames[-1])]


def left_out(dice, frames):
    lines = whole(dice, frames)
    del lines[dice.randrange(len(lines))]
    return lines or ["fun:nobody"]


def turned_round(dice, frames):
    lines = whole(dice, frames)
    at = dice.randrange(len(lines))
    return ["..."] + lines[at:] + lines[:at]


def too_deep(dice, frames):
    return whole(dice, frames) + [dice.choice(("fun:nobody", "obj:*/nothing.so", "fun:main"))]


def below_main(dice, frames):
    return ["...", fun(frames[-1])] + dice.choice((
        ["fun:(below main)"], ["obj:*/libc.so*"], ["fun:_start"], ["fun:__libc_start_call_main"],
        ["fun:(below main)", "fun:__libc_start_main@@GLIBC*", "fun:(below main)"],
        ["fun:*", "obj:*libc*", "obj:*/program"], ["...", "fun:_start"],
        ["...", "fun:(below main)"], ["...", "fun:?below main?"], ["obj:*", "obj:*", "obj:*"]))


def behind_start(dice, frames):
    """What valgrind takes for return addresses on the stack that the kernel prepared."""
    return dice.choice((["...", "fun:(below main)", "fun:???"], ["...", "fun:???"],
                        ["...", "obj:???", "obj:???"], ["...", "obj:*/program", "obj:???"],
                        ["...", "fun:???", "fun:???", "fun:???"],
                        [fun(frames[0]), "..."] + ["obj:???"] * dice.randrange(1, 9)))


def nameless(dice, frames):
    return dice.choice((["fun:???"], ["fun:??"], ["obj:???"], ["fun:*"], ["obj:/*"], ["obj:*"],
                        ["...", "fun:???", "fun:*"], ["...", "obj:???", "fun:main"]))


def many_lines(dice, frames):
    """With 12 callers or fewer the last lines do not count."""
    lines = begin(dice, frames)
    return ["..."] * max(12 - len(lines), 0) + lines + ["fun:nobody", "fun:nowhere"]


def deep_wild(dice, frames):
    return [dice.choice(("fun:*", "obj:*")) for _ in frames] + dice.choice(([], ["fun:*"], ["..."]))


FRAMES = (whole, begin, wild, question, wrong_name, all_wild, objects, object_wild, mixed, sources,
          source_lines, source_wrong, source_of_addresses, dots_first, dots_last, dots_between,
          dots_everywhere, dots_and_wild, left_out, turned_round, too_deep, below_main,
          behind_start, nameless, many_lines, deep_wild)
# Those that may reach behind the program's beginning.
BEHIND = (behind_start, nameless, deep_wild)


# ---- Kind and extra line ----

def heads(dice, error, newest):
    """The second line, and the third of kinds that have one."""
    tool, kind = error.supp[0].split(":")
    extra = error.supp[1:]
    kinds = list(KINDS[tool])
    if tool == "Memcheck":
        kinds += [kind for kind, since in NEWER.items() if since <= newest]
    other = [each for each in kinds if each != kind]
    if kind == "Leak":
        lines = ["match-leak-kinds:" + dice.choice(("", " ", "\t")) + dice.choice(LEAKS)]
        return [f"{tool}:Leak", *dice.choice((extra, lines, lines, lines, []))]
    roll = dice.randrange(14)
    if roll == 0:
        return [f"{tool}:{dice.choice(other)}"]
    if roll == 1:
        return [f"Helgrind,Memcheck,drd:{kind}", *extra] if tool == "Memcheck" else \
            [f"none,{tool}:{kind}"]
    if roll == 2:
        return [dice.choice((f"{tool.lower()}x", f"My{tool}", f" none, {tool}"))
                + f":{kind}", *extra]
    if roll == 3 and extra:
        text = extra[0]
        return [f"{tool}:{kind}", dice.choice((text[:-1] + "x)", "no" + text,
                                               text.replace("(", "(*", 1)))]
    return [f"{tool}:{kind}", *extra]


def block(dice, error, form, head, callers, name):
    lines = form(dice, error.frames)
    while all(line == "..." for line in lines[:callers]):
        # valgrind keeps so many lines, and refuses a file where they are all so.
        lines = lines[1:] or ["fun:main"]
    if lines[0].startswith("src:") and len(head) == 1 and head[0].endswith(":Leak"):
        lines[0] = "fun:*" # would be taken for the third line
    return ["{", name, *head, *lines, "}"]


def layout(dice, lines):
    """The file's bytes, written in one of the ways that mean the same."""
    style = dice.randrange(5)
    if style == 0:
        return "".join(f"  {line}\r\n" for line in lines).encode()
    if style == 1:
        return ("# a comment\n" + "".join(f"{line}\n   # { line }\n\n" for line in lines)).encode()
    if style == 2:
        return "\n".join(lines).encode() # no line break behind the last
    return "".join(line + "\n" if line in "{}" else f"\t{line}  \n" for line in lines).encode()


def files(errors, frames, dice, count, callers, newest):
    """So many files for these errors: each error in turn with one form after the other."""
    order = list(frames)
    dice.shuffle(order)
    turn = list(errors)
    dice.shuffle(turn)
    at, made = 0, []
    for number in range(count):
        lines = []
        for part in range(dice.choice((1, 1, 2, 4))):
            error, form = turn[at % len(turn)], order[at % len(order)]
            at += 1
            if at % len(turn) == 0:
                dice.shuffle(turn)
            lines += block(dice, error, form, heads(dice, error, newest), callers,
                           f"made up {number}.{part}")
        made.append(layout(dice, lines))
    return made
