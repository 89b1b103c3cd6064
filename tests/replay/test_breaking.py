"""A VIOLATION names the statement before which the property is true and behind which it is false, and behind "because"
a condition that let it be executed or gave it its value."""

from __future__ import annotations

from checker.language import Bool, Ids, Int, Map, Seq, Set, action, invariant, require, rule, var
from checker.language.model import Model
from checker.trace.trace import Trace
from tests.replay.test_deciding import place as line_of
from tests.replay.test_deciding import traced


class Post(Model):
    """Letters in a bag are put into boxes, the large ones too; a note is written of each."""

    Letter = Ids("a", 3)
    Box = Ids("b", 2)
    bag = var(Set[Letter])
    boxes = var(Map[Box, Seq[Letter, 3]])
    notes = var(Seq[Letter, 3])
    weight = var(Map[Letter, Int(0, 3)], 0)
    closed = var(Bool, False)
    outcome = ("notes",)

    @action
    def collect(self, a: Letter):
        require(a not in self.bag and not self.closed)
        self.bag.add(a)

    @rule
    def is_heavy(self, a: Letter) -> bool:
        return self.weight[a] > 2

    @rule
    def price(self, a: Letter) -> Int(0, 3):
        return 2 if self.is_heavy(a) else 1

    @rule
    def fits(self, a: Letter, b: Box) -> bool:
        return a in self.bag and self.goes_to(a, b)

    @rule
    def goes_to(self, a: Letter, b: Box) -> bool:
        return b in self.Box

    @action
    def sort(self, b: Box):
        require(len(self.bag) == 2 and not self.closed)
        self.closed = True
        for a in sorted(self.bag):
            price = self.price(a)
            if self.fits(a, b):
                self.put(a, b, price)

    def put(self, a, b, price):
        self.boxes[b].append(a)
        self.weight[a] = price
        self.notes.append(a)

    @invariant
    def first_box_only(self) -> bool:
        """The second box stays empty."""
        return all(len(self.boxes[b]) == 0 or self.never(b) for b in self.Box if b != self.Box[0])

    @rule
    def never(self, b: Box) -> bool:
        return len(self.notes) > 3

    @invariant
    def letters_stay_in_the_first(self) -> bool:
        return all(a not in self.boxes[b] for b in self.Box if b != self.Box[0] for a in self.Letter)

    @invariant
    def nothing_weighs_one(self) -> bool:
        return all(self.weight[a] != 1 for a in self.Letter)


def place(method: object, line: int) -> str:
    return line_of(method, line).replace("test_deciding", "test_breaking")


def violation(name: str) -> Trace:
    return traced(Post, name)


def test_the_first_of_several_writes_is_named_where_it_breaks_the_property() -> None:
    """Notes are written later, and a rule that the property asks reads them; a1 is put first, a2 afterwards."""
    found = violation("first_box_only")
    assert found.decides.startswith(f"does boxes[b2].append(a1) {place(Post.put, 1)}, because ")


def test_the_last_row_has_what_the_property_reads_not_the_outcome() -> None:
    """Notes are no part of what is said of the boxes."""
    assert dict(violation("first_box_only").final_values) == {"b1": "boxes []", "b2": "boxes [a1, a2]"}


def test_the_condition_stands_around_the_call_of_the_method_with_the_statement() -> None:
    """The price is computed from the same letter, and decides nothing about the box."""
    found = violation("first_box_only")
    fits = f"because fits(a1, b2) is true {place(Post.fits, 2)}: a1 is in bag = {{a1, a2}} and goes_to(a1, b2) is true"
    assert fits in found.decides and "is_heavy" not in found.decides


class Priced(Post):
    """Each letter is weighed where it is put."""

    def put(self, a, b, price):
        self.boxes[b].append(a)
        self.weight[a] = self.price(a)


def test_a_rule_whose_value_is_written_is_the_reason() -> None:
    """That the letter fits is true of heavy letters too."""
    found = traced(Priced, "nothing_weighs_one")
    assert found.decides == (
        f"sets weight[a1] to 1 {place(Priced.put, 2)}, because price(a1) is 1 {place(Post.price, 2)}: "
        f"is_heavy(a1) is false {place(Post.is_heavy, 2)}: weight[a1] = 0 is not > 2"
    )


class Anywhere(Post):
    """Every letter fits into each box."""

    @rule
    def fits(self, a, b):
        return a in self.Letter


def test_a_local_variable_counts_where_the_witness_names_its_value() -> None:
    """The price is handed to the method that writes it; where the box is what the property speaks of, it is not."""
    found = traced(Anywhere, "nothing_weighs_one")
    assert found.decides.startswith(f"sets weight[a1] to 1 {place(Post.put, 2)}, because price(a1) is 1 (")
    fits = f"because fits(a1, b2) is true {place(Anywhere.fits, 2)}: a1 is in Letter"
    assert fits in traced(Anywhere, "letters_stay_in_the_first").decides
