# refused: Door does not fit Person
from checker.language import Bool, Ids, Map, Model, action, require, rule, var


class Doors(Model):
    Person = Ids("Person", 2)
    Door = Ids("Door", 3)
    inside = var(Map[Person, Bool], False)
    keys = var(Map[Person, Map[Door, Bool]], True)

    @action
    def enter(self, p: Person, d: Door):
        require(self.may(p, d))
        self.pass_through(p, d)

    @rule
    def may(self, p: Person, d: Door):
        return self.keys[d][d]  # here

    def pass_through(self, p, d):
        self.inside[p] = self.may(p, d)


class Refusing(Doors):
    def pass_through(self, p, d):
        self.inside[p] = not self.inside[p]
