/**
 * Decodes names that are not UTF-8, as old programs of Windows and DOS write them. The encoding is unknown, so all
 * names of a source are decoded in each encoding, and the most plausible text wins.
 */

interface Encoding {
  decode(bytes: Uint8Array): string;
  /** Returns a number for each pair of bytes that is a common character, a rare one, or none. */
  ratePair?(lead: number, trail: number): number;
}

const isHighTrail = (trail: number) => trail >= 0xa1 && trail <= 0xfe;
const common = 1.5;
const rare = -1;

/** Characters of the first level of the Chinese and Japanese standards, and of Korean syllables, are common. */
const encodings: Encoding[] = [
  {
    decode: createDecoder('gb18030'),
    ratePair(lead, trail) {
      if (!isHighTrail(trail)) return rare;
      if (lead >= 0xb0 && lead <= 0xd7) return common;
      return lead <= 0xa9 ? 0.5 : rare;
    },
  },
  {
    decode: createDecoder('shift_jis'),
    ratePair(lead, trail) {
      if (lead === 0x82 || lead === 0x83) return 2;
      if (lead === 0x81) return 0.5;
      return (lead >= 0x88 && lead < 0x98) || (lead === 0x98 && trail <= 0x72) ? common : rare;
    },
  },
  {
    decode: createDecoder('big5'),
    ratePair: (lead) => (lead >= 0xa4 && lead <= 0xc6 ? common : rare),
  },
  {
    decode: createDecoder('euc-kr'),
    ratePair: (lead, trail) => (lead >= 0xb0 && lead <= 0xc8 && isHighTrail(trail) ? common : rare),
  },
  { decode: decodeDos },
  { decode: createDecoder('windows-1252') },
  { decode: createDecoder('ibm866') },
  { decode: createDecoder('windows-1251') },
];

/** Maximum bytes of names that are compared. */
const maxRated = 20_000;

export function decodeNames(names: Uint8Array[]): string[] {
  const { decode } = findEncoding(names);
  return names.map((name) => decode(name));
}

function findEncoding(names: Uint8Array[]): Encoding {
  const sample: Uint8Array[] = [];
  let length = 0;
  for (const name of names) {
    if (length > maxRated) break;
    sample.push(name);
    length += name.length;
  }
  const rated = encodings.map((encoding) => ({
    encoding,
    rating: sample.reduce((sum, name) => sum + rateName(name, encoding), 0),
  }));
  return rated.reduce((best, each) => (each.rating > best.rating ? each : best)).encoding;
}

function rateName(name: Uint8Array, { decode, ratePair }: Encoding): number {
  return rateText(decode(name)) + (ratePair ? ratePairs(name, ratePair) : 0);
}

/** Pairs start with a byte above 0x80. A single byte of half-width Katakana is rated by its text. */
function ratePairs(name: Uint8Array, ratePair: (lead: number, trail: number) => number): number {
  let rating = 0;
  for (let at = 0; at < name.length; at++) {
    const lead = name[at]!;
    if (lead < 0x81) continue;
    rating += ratePair(lead, name[++at] ?? 0);
  }
  return rating;
}

const halfWidth = /[\uff61-\uff9f]/u;
const impossible = /[\ufffd\p{Co}\p{Cn}\p{Cc}]/u;
const symbol = /[\p{S}\p{P}\p{No}\p{Lo}]/u;
const wide = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;

/** Rates the characters that are not ASCII. Letters count if their neighbors are of the same script and case. */
function rateText(text: string): number {
  const characters = Array.from(text);
  let rating = 0;
  for (const [index, character] of characters.entries()) {
    if (character < '\u0080') continue;
    if (impossible.test(character)) rating -= 6;
    else if (halfWidth.test(character)) rating -= 1.5;
    else if (wide.test(character)) rating += rateWide(characters, index);
    else if (/[\p{Lu}\p{Ll}\p{Lt}]/u.test(character)) rating += rateLetter(characters, index);
    else if (symbol.test(character)) rating -= 1.5;
  }
  return rating;
}

/** The most common syllables of Korean names, because other names can also be Korean by their bytes. */
const commonSyllables = new Set(
  '이다가는을를의에사고지기도하리서자시어인나아일대한정여진들보라수주전그동화장부해우원스조경울행족생휴름제앨범',
);

function rateWide(characters: string[], index: number): number {
  const isInWord = /[A-Za-z]/.test(characters[index - 1] ?? '') || /[a-z]/.test(characters[index + 1] ?? '');
  return (commonSyllables.has(characters[index]!) ? 1 : 0) - (isInWord ? 1.5 : 0);
}

function rateLetter(characters: string[], index: number): number {
  const [before = '', letter, after = ''] = [
    characters[index - 1],
    characters[index]!,
    characters[index + 1],
  ];
  const isCyrillic = /\p{Script=Cyrillic}/u.test(letter);
  const isOther = /\p{Script=Greek}/u.test(letter);
  const isUpper = /\p{Lu}/u.test(letter);
  const neighbors = [before, after].filter((each) => /\p{L}/u.test(each));
  if (isOther) return -1;
  // Two letters with accents rarely stand side by side.
  if (!isCyrillic && neighbors.some((each) => each > '\u0080')) return 0.2;
  if (neighbors.some((each) => /\p{Script=Cyrillic}/u.test(each) !== isCyrillic)) return -1.5;
  if (isUpper && /\p{Ll}/u.test(before)) return -1;
  if (isUpper) return /\p{L}/u.test(before) ? 0.4 : 0.7;
  // A lower-case letter at the start of a word is less common in names.
  return isCyrillic && !/\p{L}/u.test(before) ? 0.6 : 1;
}

function createDecoder(label: string): (bytes: Uint8Array) => string {
  const decoder = new TextDecoder(label);
  return (bytes) => decoder.decode(bytes);
}

/** The upper half of code page 437. */
const dosCharacters =
  'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0';

function decodeDos(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) =>
    byte < 0x80 ? String.fromCharCode(byte) : dosCharacters[byte - 0x80],
  ).join('');
}
