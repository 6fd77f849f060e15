/** Cleans texts of metadata. Values come from users' files, so each function accepts any input. */

/** Characters that no text keeps: control characters, and characters that change the direction of other text. */
const invisible = /[\p{Cc}\u202a-\u202e\u2066-\u2069\u2028\u2029\uFEFF\uFFFD]/gu;
const maxRead = 20_000;

/** Returns a text as one line without control characters, or '' for any other value. */
export function toSingleLineText(value: unknown): string {
  return readString(value).replace(invisible, ' ').replace(/\s+/g, ' ').trim();
}

/** Returns a text with its line breaks. */
export function toMultilineText(value: unknown): string {
  const lines = readString(value).replace(/\r\n?/g, '\n').split('\n');
  return lines
    .map((line) => line.replace(invisible, ' ').trimEnd())
    .join('\n')
    .trim();
}

/** Cuts a text after `max` characters. */
export function cutText(text: string, max: number): string {
  return Array.from(text.slice(0, max * 2))
    .slice(0, max)
    .join('')
    .trim();
}

function readString(value: unknown): string {
  const first: unknown = Array.isArray(value) ? value[0] : value;
  if (typeof first !== 'string' || first === '<faulty value>') return '';
  return first.slice(0, maxRead).toWellFormed();
}
