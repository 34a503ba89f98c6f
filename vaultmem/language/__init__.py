"""Human text without I/O: characters, stems, sentences, names, speakers, time."""
