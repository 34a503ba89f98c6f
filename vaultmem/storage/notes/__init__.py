"""The format of a note: front matter, body, lists, summaries.

Promises
* A change touches its own bytes: keys, comments and order of the person's stay as they are.
* A note that cannot be understood is searched all the same, and its problem has a line number.
* What is written is read back and compared; a difference is a refused edit.

Never: reads or writes a file. Bytes come in, bytes go out.

Where is the rule for ...
    what the bytes of a note are                schema.py, fields.py
    keys of front matter, without other bytes   frontmatter/write.py
    what is a bullet, and how it changes        bullets.py
    the managed block of a category             summary_block.py
    that of a daily note                        today_block.py
    headings, tags, code, the first paragraph   markdown.py
    how a passage is taken out of a text        erasing.py
"""

from vaultmem.base import attach

TYPE_CHECKING = False  # of `typing`
if TYPE_CHECKING:
    from vaultmem.storage.notes import frontmatter, summary_block, today_block
    from vaultmem.storage.notes.bullets import (
        add_bullets,
        bullets,
        remove_bullet,
        remove_bullets,
        remove_lines,
        reword_bullet,
        set_block_ids,
        untick_bullet,
    )
    from vaultmem.storage.notes.erasing import (
        NOT_SEARCHED,
        ROWS,
        SEARCHED,
        Erasure,
        canonical,
        trim_passage,
    )
    from vaultmem.storage.notes.fields import link_target
    from vaultmem.storage.notes.frontmatter import compose, patch, read
    from vaultmem.storage.notes.frontmatter.slow import FrontMatter
    from vaultmem.storage.notes.frontmatter.write import TRUE_WORDS, render, set_keys
    from vaultmem.storage.notes.frontmatter.yaml import Refusal, Value, texts, too_large, value_of
    from vaultmem.storage.notes.markdown import (
        BOX,
        FIELD_BOX,
        Line,
        Parts,
        heading,
        lines,
        read_statement,
        replace_statement,
        split,
    )
    from vaultmem.storage.notes.schema import (
        ITEM_KEYS,
        RESOURCE_KEYS,
        decode,
        encode_item,
        encode_resource,
    )
    from vaultmem.storage.notes.summary_block import (
        BEGIN,
        END,
        add_lines,
        find,
        is_bare,
        read_lines,
        read_links,
        read_numbered,
        read_summary,
        read_told,
        remove_line,
        replace_summary,
        replace_told,
        reword_line,
        without_lines,
        without_repeats,
    )

attach(
    __name__,
    {
        "bullets": (
            "add_bullets bullets remove_bullet remove_bullets remove_lines reword_bullet "
            "set_block_ids untick_bullet"
        ),
        "erasing": "Erasure NOT_SEARCHED ROWS SEARCHED canonical trim_passage",
        "fields": "link_target",
        "frontmatter": "compose patch read",
        "frontmatter.slow": "FrontMatter",
        "frontmatter.write": "TRUE_WORDS render set_keys",
        "frontmatter.yaml": "Refusal Value texts too_large value_of",
        "markdown": "BOX FIELD_BOX Line Parts heading lines read_statement replace_statement split",
        "schema": "ITEM_KEYS RESOURCE_KEYS decode encode_item encode_resource",
        "summary_block": (
            "BEGIN END add_lines find is_bare read_lines read_links read_numbered "
            "read_summary read_told remove_line replace_summary replace_told reword_line "
            "without_lines without_repeats"
        ),
    },
    modules="frontmatter summary_block today_block",
)
