# expect: reachable there distinct=2 transitions=1 depth=2

from checker.language import Bag, Int, Model, Set, action, reachable, require, var


class M(Model):
    """One piece."""
    Piece = Set[Int(0, 3)]
    board = var(Bag[Piece, 2])

    @action
    def step(self):
        require(len(self.board) == 0)
        self.board.add({1, 2})

    @reachable
    def there(self) -> bool:
        return {1, 2} in self.board
