"""What coding assistants tell at their hooks is kept, and they are told what is known.

Promises
* A hook returns at once: words are durable in the device state, a child makes turns of them.
* What cannot be kept now, as while another process holds the vault, waits for the next hook.
* One turn is one commit; the end of the client's session ends ours.

Never: keeps what is not the person's (`sessions/own_words.py`), and fails the client: an error is
told and the client goes on.

Where is the rule for ...
    what a client says, how it is answered      client_events.py
    what one call does                          reply.py
    what waits                                  turns_behind.py
    how it becomes turns                        keep.py
"""
