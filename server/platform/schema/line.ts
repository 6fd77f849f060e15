/** Cleans names and other texts of one line. */

const blank = /^[\s\p{Cf}]$/u;
const lineBreaksAndTabs = /[\t\n\r\u0085\u2028\u2029]+/g;
/** Control characters beyond ASCII, and characters that turn the direction of text around the name. */
const invisible = /[\u0080-\u009f\u202a-\u202e\u2066-\u2069]/g;

/** Removes what keyboards and copied text put around a name: blanks, and characters without a width. */
export function trimBlanks(text: string): string {
  let [start, end] = [0, text.length];
  while (start < end && blank.test(text[start]!)) start++;
  while (end > start && blank.test(text[end - 1]!)) end--;
  return text.slice(start, end);
}

/** Returns the text as one line: trimmed, without direction characters, and with spaces for line breaks and tabs. */
export function cleanLine(text: string): string {
  return trimBlanks(text.replace(lineBreaksAndTabs, ' ').replace(invisible, ''));
}
