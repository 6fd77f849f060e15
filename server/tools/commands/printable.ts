/** Text from elsewhere (names of files, albums, accounts), as it may be written to a terminal. */

/** Control characters could move the cursor, rename the window or hide text; bidirectional ones reorder a line. */
const unprintable = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu;

/** The same text on one line, such characters as `\\x1b` and `\\u202e`. */
export function printable(text: string): string {
  return text.replace(unprintable, (character) => {
    const code = character.codePointAt(0)!.toString(16);
    return code.length <= 2 ? `\\x${code.padStart(2, '0')}` : `\\u${code}`;
  });
}
