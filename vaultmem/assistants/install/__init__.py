"""Assistants are told where vaultmem is, and that is taken back again.

`clients` is the table: which files of which client, and what goes into them. `jsonc` and `blocks`
insert into a text and change no other byte (both pure); `made` fills the packaged templates in
(`templates/clients/`). `plan` puts both together into changes that can be shown, `carry_out` writes
them and notes every insertion, so that `uninstall` takes out just that. We only ever insert.
"""
