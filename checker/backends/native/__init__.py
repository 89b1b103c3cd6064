"""From the intermediate representation to machine code over packed states (docs/native.md)."""
