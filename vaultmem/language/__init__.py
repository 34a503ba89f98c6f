"""Human text without I/O: characters, stems, sentences, names, speakers, time.

No word of a user's ends here: every text and every option with a date passes through.

Promises
* Words of the languages are data, a file a language and subject (docs/languages.md).
* The same text gives the same words, stems and dates on every device.
* Times are UTC milliseconds, intervals half open `[from, until)`.

Never: reads the clock or a note.

Where is the rule for ...
    when two texts are the same; file names     text.py
    where a sentence begins and ends            sentences.py
    words, stop words and stems                 stems.py
    which lines of a text are a pasted chat     speakers.py
    the words of each language                  vocabulary.py, words
    instants, days and time zones               time.py
    a date in an option; in a sentence          written_dates.py, dates/phrases.py
    the width of a text on a terminal           terminal_width.py
"""

from vaultmem.base import attach

TYPE_CHECKING = False  # of `typing`
if TYPE_CHECKING:
    from vaultmem.language.dates.english import FUNCTION_WORDS
    from vaultmem.language.dates.phrases import DateMention, find_dates, may_hold_date, read_phrase
    from vaultmem.language.sentences import is_inside
    from vaultmem.language.speakers import GIVEN, foreign_lines
    from vaultmem.language.stems import (
        LONGEST_WORD,
        STOP_WORDS,
        Stems,
        capital_names,
        content_words,
        words,
    )
    from vaultmem.language.terminal_width import char_columns, columns, pad_columns, wrap_spans
    from vaultmem.language.text import (
        ERASED_NOTE,
        ERASED_PASSAGE,
        INERT,
        canonical,
        fold,
        is_one_word,
        nfc,
        sentence_spans,
        sentences,
        shorten_paths,
        slugify,
        visible,
    )
    from vaultmem.language.time import (
        DAY_MS,
        HOUR_MS,
        MINUTE_MS,
        Instant,
        check_zone,
        civil,
        civil_from_days,
        day_start,
        days_from_civil,
        format_date,
        format_instant,
        format_minute,
        is_of_time,
        known_day,
        local_day,
        offset_ms,
        parse_instant,
        read_instant,
    )
    from vaultmem.language.vocabulary import languages_of, phrases, vocabulary, word_list
    from vaultmem.language.written_dates import parse_when

attach(
    __name__,
    {
        "terminal_width": "char_columns columns pad_columns wrap_spans",
        "dates.english": "FUNCTION_WORDS",
        "dates.phrases": "DateMention find_dates may_hold_date read_phrase",
        "sentences": "is_inside",
        "speakers": "GIVEN foreign_lines",
        "stems": "LONGEST_WORD STOP_WORDS Stems capital_names content_words words",
        "text": (
            "ERASED_NOTE ERASED_PASSAGE INERT canonical fold is_one_word nfc sentence_spans "
            "sentences shorten_paths slugify visible"
        ),
        "time": (
            "DAY_MS HOUR_MS Instant MINUTE_MS check_zone civil civil_from_days day_start "
            "days_from_civil format_date format_instant format_minute known_day local_day "
            "offset_ms parse_instant read_instant is_of_time"
        ),
        "vocabulary": "languages_of phrases vocabulary word_list",
        "written_dates": "parse_when",
    },
)
