/**
 * Folds text for comparisons, in any script and identically on both databases. The LOWER() functions of the databases
 * differ: SQLite's handles ASCII only. Reasons: `docs/adr/0060-words.md`.
 */
import { type RawBuilder, sql } from 'kysely';

/**
 * Returns the text without letter case, for identities such as emails and usernames. Upper case followed by lower case also unites ß with ss, and ligatures with their letters.
 * The first lower case turns ẞ into ß. The final sigma is the only remaining exception.
 */
export function foldText(text: string): string {
  return text
    .normalize('NFC')
    .toLowerCase()
    .toUpperCase()
    .toLowerCase()
    .replaceAll('ς', 'σ')
    .normalize('NFC');
}

const punctuation: [RegExp, string][] = [
  [/[’‘‛ʼʻ`´′ʹ＇]/g, "'"],
  [/[“”„‟«»″〝〞]/g, '"'],
  [/[‐‑‒–—―−﹘﹣]/g, '-'],
  [/〜/g, '~'],
];
/** Letters that Unicode does not decompose, with the letters that people type in their place. */
const plainLetters: Record<string, string> = {
  ...{ ø: 'o', ł: 'l', đ: 'd', ð: 'd', ħ: 'h', ŧ: 't', ı: 'i', æ: 'ae', œ: 'oe', þ: 'th', '⁄': '/' },
};
const plainLetter = new RegExp(`[${Object.keys(plainLetters).join('')}]`, 'g');
const lettersWithMarks = /(\P{M})(\p{M}+)/gu;
/** Scripts whose marks people leave out when they type. Marks of other scripts make other letters. */
const accentedScripts = /[\p{Script=Latin}\p{Script=Greek}\p{Script=Hebrew}\p{Script=Arabic}]/u;
/** Cyrillic letters with a mark that are letters of their own on keyboards: й, ў, ї. */
const cyrillicLetters = ['\u0438\u0306', '\u0443\u0306', '\u0456\u0308'];

/**
 * Returns the text as searches, tags and names compare it: without letter case, accents, width and typographic forms.
 * Marks of other scripts, such as Japanese and Indian ones, stay because they change the letter.
 */
export function foldSearchText(text: string): string {
  if (/^[ !-_a-~]*$/.test(text)) return text.toLowerCase().replace(/ {2,}/g, ' ');
  // Compatibility forms of punctuation become other punctuation, and an accent on its own becomes a space and a mark.
  const plain = readPlainPunctuation(readPlainPunctuation(text.normalize('NFC')).normalize('NFKC'));
  const folded = foldText(plain)
    .normalize('NFKD')
    .replace(lettersWithMarks, (_, letter: string, marks: string) => letter + findLastingMarks(letter, marks))
    .replace(plainLetter, (letter) => plainLetters[letter]!)
    .replace(/[\u0640\p{Default_Ignorable_Code_Point}]/gu, '')
    .replace(/\s+/g, ' ')
    .normalize('NFC');
  return folded.trim() === '' ? foldText(text) : folded;
}

function readPlainPunctuation(text: string): string {
  return punctuation.reduce((read, [pattern, form]) => read.replace(pattern, form), text);
}

function findLastingMarks(letter: string, marks: string): string {
  if (accentedScripts.test(letter)) return '';
  if (!/\p{Script=Cyrillic}/u.test(letter)) return marks;
  return cyrillicLetters.includes(letter + marks[0]) ? marks[0]! : '';
}

/** Maximum characters of each part of a sort key. An index of PostgreSQL refuses rows above 2,700 bytes. */
const maxKeyCharacters = 200;

function cutKey(text: string): string {
  return text.length <= maxKeyCharacters ? text : Array.from(text).slice(0, maxKeyCharacters).join('');
}

/** Maximum digits of a number whose length fits into one digit of the sort key. */
const shortDigits = 8;

/**
 * Returns a key that sorts names as people count: 1, 2, 10. The key sorts alike by bytes on both databases. Letter case,
 * accents and width decide only between names that are otherwise equal.
 */
export function naturalSortKey(name: string): string {
  const counted = foldSearchText(name.trim()).replace(/\d+/g, (digits) => {
    const number = digits.replace(/^0+(?=.)/, '');
    const { length } = number;
    return `${length <= shortDigits ? length : `9${String(length).padStart(4, '0')}`}${number}`;
  });
  return `${cutKey(counted)}\u0001${cutKey(name)}`;
}

/**
 * Returns a condition for a folded column that contains a folded text. `%` and `_` in the text match only themselves.
 * `separator` is a character that must follow somewhere behind the text.
 */
export function containsFolded(column: string, folded: string, separator?: string): RawBuilder<boolean> {
  const pattern = `%${folded.replace(/[\\%_]/g, '\\$&')}%${separator === undefined ? '' : `${separator}%`}`;
  return sql<boolean>`${sql.ref(column)} LIKE ${pattern} ESCAPE '\\'`;
}
