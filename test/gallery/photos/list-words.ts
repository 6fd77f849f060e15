/** Words for titles, descriptions and tags, and words that the tests search for. */
export const words = [
  'Alps',
  'alp',
  'Snow',
  'снег',
  'Снежок',
  '山',
  '山水',
  '日本の山',
  '100%',
  'a_b',
  '"quoted"',
  '📷🏔',
  'Ünder',
];
export const keywords = [
  'a',
  'al',
  'alp',
  'ALPS',
  'sn',
  'СНЕ',
  'снег',
  '山',
  '山水',
  'の山',
  '%',
  '0%',
  '_',
  'a_b',
  '"',
  'd"',
  '📷',
  '🏔',
  'ü',
  'zzz',
  'p s',
];

/** Folds a text without case and accents, as far as the words of this test need it. */
export function fold(text: string): string {
  return text
    .toLowerCase()
    .normalize('NFD')
    .replace(/(?<=[a-z])\p{Mn}/gu, '')
    .normalize('NFC');
}
