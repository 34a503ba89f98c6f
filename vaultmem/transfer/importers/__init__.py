"""What other programs export, read as conversations, memories and pages; nothing is written here.

Each module but the first four reads one family of products and yields records.

Promises
* A product is known by what its file holds, not by its name.
* Whose words a turn is, is decided by the role that the product gave it, never by what it says.
* Files of any length are read piece by piece, within bounds; nothing is unpacked.

Never: writes. `transfer/import_products.py` keeps the records through `remember`.

Where is the rule for ...
    whose export a file is; the list of formats  product.py
    files, folders and archives                 inputs.py
    JSON of any length                          json_stream.py
    what a record is, and whose words           imported_records.py
    what agents wrap around a prompt            imported_records.py
    ChatGPT, Claude, Gemini                     chatgpt.py, claude_chats.py, gemini.py
    Claude Code, Codex                          claude_code.py, codex.py
    Telegram, WhatsApp, Slack                   messengers.py
    Logseq, Day One, Markdown                   journals.py
    Mem0, MCP memory, Letta                     memory_stores.py
"""
