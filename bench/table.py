"""What a measurement prints: each figure beside its goal and its limit."""


class Table:
    def __init__(self):
        self.failed = False

    def row(self, what, value, goal, limit, unit=""):
        word = "ok" if value <= goal else "above goal" if value <= limit else "TOO HIGH"
        self.failed = self.failed or value > limit
        print(f"{what:<48}{value:>8.2f}{unit:<6} goal {goal:<5} limit {limit:<5} {word}")
