// Package scan searches the lines of a repository's files for a substring or a
// regular expression, live or with the help of a trigram file.
//
// # What matches
//
// A line is what is between newlines; a carriage return before the newline is
// not part of it, one elsewhere is. A match never crosses lines: "." and
// classes never match a newline, "^", "$", `\A` and `\z` are the edges of a line.
// Regular expressions have the syntax of package regexp (RE2). Letters are
// folded one to one, as Unicode's simple folding does: "k" finds the Kelvin
// sign. Bytes that are not UTF-8 match as U+FFFD, each by itself.
//
// Text is what the indexer takes for text: no NUL in the first 8 KiB (git looks
// at 8,000 bytes), at most 30% control characters there and at most one byte in
// ten that is not UTF-8. UTF-16 with a byte order mark is
// decoded before it is judged and searched; columns are then bytes of the line
// in UTF-8. A UTF-8 byte order mark is not part of the first line. Private keys
// and files whose names say that they store secrets are not searched.
//
// # Speed
//
// Files are read whole into one buffer for each worker, through handles of
// their folders. A matcher looks for literals that each match must hold, by the
// rarest pair of their bytes, 32 positions at a time, also when case does not
// count. Lines are found and counted around what was found, never before.
//
// # Trigram files
//
// Build writes which files hold which three bytes in a row, of text in which
// letters are folded; Open maps the file. From what each match of a pattern
// must hold follow the trigrams that its file must have, and so the few files
// that need to be read. The file's format is at the head of format.go.
package scan
