"""What a sentence is worth to the memory, by learned models and sure rules; each module is pure.

`spans`     whose words each part of a turn is: the person's own, somebody else's, or doubtful
`worth`     whether a sentence is worth keeping, whether it is critical, and of what kind
`change`    what a new sentence means for an old one
`meanings`  what words mean: words of like sense, in any of many languages, lie close
"""
