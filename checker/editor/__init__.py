"""What an editor shows of model files, by the Language Server Protocol.

`source` finds classes, methods and numbers in the text of a file; `remedies` turns the remedy of a message into an
edit; `examined` checks one file and finds its problems and the meaning of each name, in a separate process
(`__main__`), so that imported Python modules are never stale; `server` implements the protocol, by pygls.
"""
