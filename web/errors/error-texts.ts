/** The API's words for what it refused, in another language; in English where a text is not known. */

export interface ErrorTexts {
  /** By the code of the error. */
  codes: Record<number, string>;
  /** What is wrong with a field: `$1` stands for what the pattern caught. */
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
