"""A model of a terminal: what stands on its screen and what scrolled off it.

It knows the sequences that grindgate may use and raises ValueError at any other, so that a test
sees one that not every terminal has. Where terminals differ (the size changes) it can do either.
"""

import re

TOKEN = re.compile(r"\x1b\[([0-9;]*)([A-Za-z])|\x1b([78D])|([\r\n])|([^\x00-\x1f\x7f])", re.S)


class Screen:
    def __init__(self, rows, columns, text=""):
        self.rows, self.columns = rows, columns
        self.scrolled = []
        self.grid = [[" "] * columns for _ in range(rows)]
        self.y = self.x = 0
        self.saved = (0, 0)
        self.whole_region()
        self.feed(text)

    def whole_region(self):
        self.top, self.bottom = 0, self.rows - 1

    def is_whole(self):
        return (self.top, self.bottom) == (0, self.rows - 1)

    def row(self, number):
        return "".join(self.grid[number]).rstrip()

    def lines(self):
        """All that was printed, from the first line to the last that is not empty."""
        shown = [self.row(number) for number in range(self.rows)]
        return "\n".join(self.scrolled + shown).rstrip("\n").split("\n")

    def feed(self, text):
        at = 0
        while at < len(text):
            token = TOKEN.match(text, at)
            if not token:
                raise ValueError(f"unknown: {text[at:at + 20]!r}")
            numbers, command, escape, control, printed = token.groups()
            if command:
                self.control(command, [int(n) if n else 0 for n in numbers.split(";")])
            elif escape:
                self.escape(escape)
            elif control == "\r":
                self.x = 0
            elif control:
                self.index()
            else:
                self.put(printed)
            at = token.end()
        return self

    def put(self, character):
        if self.x == self.columns:  # only now, not when the last column was filled
            self.x = 0
            self.index()
        self.grid[self.y][self.x] = character
        self.x += 1

    def index(self):
        if self.y == self.bottom:
            line = self.grid.pop(self.top)
            if self.top == 0:
                self.scrolled.append("".join(line).rstrip())
            self.grid.insert(self.bottom, [" "] * self.columns)
        elif self.y < self.rows - 1:
            self.y += 1
        self.x = min(self.x, self.columns)

    def escape(self, character):
        if character == "7":
            self.saved = (self.y, self.x)
        elif character == "8":
            self.y, self.x = min(self.saved[0], self.rows - 1), min(self.saved[1], self.columns)
        else:
            self.index()

    def control(self, command, numbers):
        first = numbers[0]
        if command == "A":
            least = self.top if self.y >= self.top else 0
            self.y, self.x = max(self.y - max(first, 1), least), min(self.x, self.columns - 1)
        elif command == "B":
            most = self.bottom if self.y <= self.bottom else self.rows - 1
            self.y, self.x = min(self.y + max(first, 1), most), min(self.x, self.columns - 1)
        elif command == "H":
            column = numbers[1] if len(numbers) > 1 else 1
            self.y = min(max(first, 1), self.rows) - 1
            self.x = min(max(column, 1), self.columns) - 1
        elif command == "r":
            last = numbers[1] if len(numbers) > 1 else 0
            self.top, self.bottom = max(first, 1) - 1, min(last or self.rows, self.rows) - 1
            self.y = self.x = 0
        elif command == "K" and first in (0, 2):
            self.clear(self.y, 0 if first else self.x)
        elif command == "J" and first == 0:
            self.clear(self.y, self.x)
            for number in range(self.y + 1, self.rows):
                self.clear(number, 0)
        elif command != "m":
            raise ValueError(f"unknown: CSI {numbers} {command}")

    def clear(self, number, column):
        self.grid[number][column:] = [" "] * (self.columns - min(column, self.columns))

    def resize(self, rows, keeps_bottom):
        """Another height. keeps_bottom: the last row stays the last, as in xterm; otherwise the
        first stays the first while there is room below the cursor, as in tmux."""
        while self.rows > rows:
            if (keeps_bottom and self.y > 0) or self.y == self.rows - 1:
                self.scrolled.append("".join(self.grid.pop(0)).rstrip())
                self.y -= 1
            else:
                self.grid.pop()
            self.rows -= 1
        while self.rows < rows:
            if keeps_bottom and self.scrolled:
                self.grid.insert(0, list(self.scrolled.pop().ljust(self.columns)))
                self.y += 1
            else:
                self.grid.append([" "] * self.columns)
            self.rows += 1
        self.whole_region()
