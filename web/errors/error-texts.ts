/** Translates API messages into another language; a message without a translation stays English. */

export interface ErrorTexts {
  /** Translations of messages, by error code. */
  codes: Record<number, string>;
  /** Translations of field messages: `$1` stands for the first group of the pattern. */
  fields: [pattern: RegExp, text: string][];
}

export type FieldErrors = Record<string, string[]>;

export function translateError(
  words: ErrorTexts,
  code: number,
  message: string,
  fields: FieldErrors,
): [string, FieldErrors] {
  const translateReason = (said: string) => {
    const known = words.fields.find(([pattern]) => pattern.test(said));
    return known ? said.replace(...known) : said;
  };
  const told = Object.entries(fields).map(([field, said]) => [field, said.map(translateReason)]);
  return [words.codes[code] ?? message, Object.fromEntries(told)];
}
