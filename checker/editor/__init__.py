"""What an editor shows of model files, by the Language Server Protocol.

`source` finds classes, methods and numbers in the text of a file; `remedies` makes edits of what a message says is to
be done; `examined` checks one file and says what is wrong and what each name is, in a process of its own
(`__main__`), so that what Python has imported is never stale; `server` speaks the protocol, by pygls.
"""
