# expect: holds distinct=1017 transitions=3390 depth=13
"""Maps of maps: rows by name, entries in place, keys of every enumerable type."""

from enum import Enum

from checker.language import Bool, Ids, Int, Map, Model, Record, action, require, var


class Color(Enum):
    red = 1
    green = 2


class NestedMaps(Model):
    P = Ids("p", 2)
    At = Record(color=Color, flag=Bool)
    matrix = var(Map[P, Map[P, Int(0, 2)]], 0)
    by_color = var(Map[Color, Int(0, 1)], 0)
    by_number = var(Map[Int(1, 2), Bool])
    by_record = var(Map[At, Int(0, 1)], 0)

    @action
    def row(self, p: P, q: P):
        row = self.matrix[p]
        require(row[q] < 2)
        row[q] += 1
        self.by_number[row[q]] = not self.by_number[row[q]]

    @action
    def copy(self, p: P):
        require(self.matrix[p][p] == 2)
        self.matrix[p] = {q: self.matrix[q][p] for q in self.P}
        self.by_color = {Color.red: 1 - self.by_color[Color.red], Color.green: 0}
        self.by_record[self.At(Color.red, self.by_number[1])] = self.by_color[Color.red]
        self.by_record[(Color.green, True)] = 1
