"""What is sent to a remote and fetched from it.

Promises
* The address and the programs are explicit: no setting of the vault redirects a transfer.
* Each transfer has a limit of time and size, and ends with all the processes that it started.

Never: touches a file, a branch or the index of the person. `devices` does that, after its checks.

Where is the rule for ...
    asking, fetching, sending; limits           remote.py
    where two lines of commits part and join    join.py
    progress, time and size of a git process    bounded_process.py
"""
