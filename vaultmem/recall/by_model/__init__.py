"""What a language model is asked for an answer: is this enough, and which memories come first.

Promises
* A reply that is late, odd or made blindly loses no answer and changes no order.
* What is shown stands between marks that no memory can write, as lines without secrets.

Never: shows a model a text that talks to an assistant, and writes what a model says.

Where is the rule for ...
    whether what a tier holds is enough         tier_judge.py
    what a model is shown, and what it moves    rerank.py
    which reply is believed, and how much       choice.py
    how memories are quoted                     choice.py
"""
