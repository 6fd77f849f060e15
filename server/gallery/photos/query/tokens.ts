/**
 * Splits a search query into tokens in one pass. Punctuation that is no operator in its place belongs to a word, so that
 * pasted titles, file names and URLs are searches too.
 */
import { isSearchField } from './fields.ts';

export type QueryToken =
  | { kind: '(' | ')' | '-' | 'OR'; at: number }
  | { kind: 'words'; text: string; at: number; isPhrase?: boolean }
  | { kind: 'field'; name: string; value: string; at: number };

type Piece = QueryToken & { end: number };
type WordsPiece = Extract<Piece, { kind: 'words' }>;

const typographicForms: [RegExp, string][] = [
  [/[“”„‟«»〝〞「」『』]/g, '"'],
  [/[‐‑‒–—―−﹣]/g, '-'],
  [/[，、；]/g, ' '],
];

/** Replaces typographic and full-width punctuation. Positions in the result are valid in `text`. */
export function readPlainForms(text: string): string {
  const plain = typographicForms.reduce((read, [pattern, form]) => read.replace(pattern, form), text);
  return plain.replace(/[\uff01-\uff5e]/g, (wide) => String.fromCharCode(wide.charCodeAt(0) - 0xfee0));
}

/** Returns the tokens of a search query. The tokens `(` and `)` are pairs, and `-` and `OR` have operands. */
export function tokenizeQuery(given: string): QueryToken[] {
  const text = readPlainForms(given);
  const pieces: Piece[] = [];
  for (let at = 0; at < text.length; ) {
    const isSkipped = /\s/.test(text[at]!) || isUnclosedQuote(text, at);
    const piece = isSkipped ? undefined : pieceAt(text, at);
    if (piece) pieces.push(piece);
    at = piece?.end ?? at + 1;
  }
  return readMisplacedOperatorsAsWords(mergeBracketsAndWords(readLoneBracketsAsWords(pieces)));
}

/** Returns true for words without a meaning of their own: an operator in a wrong place, or an empty phrase. */
export function isStray(token: QueryToken): boolean {
  return token.kind === 'words' && !token.isPhrase && /^[-():"]+$/.test(token.text);
}

/** Returns the word or phrase without the comma or semicolon that ends it in a list. */
export function readWord({ text, isPhrase }: Extract<QueryToken, { kind: 'words' }>): string {
  return isPhrase ? text : text.replace(/(?<=[\p{L}\p{N}])[,;]+$/u, '');
}

/** Returns true for a quote before a word that no quote closes, as while a phrase is being typed. */
function isUnclosedQuote(text: string, at: number): boolean {
  return text[at] === '"' && /[^\s()"]/.test(text[at + 1] ?? ' ') && !text.includes('"', at + 1);
}

/** Dashes directly before a word. A longer row of dashes is a drawn line. */
const excludingDashes = /-{1,10}(?![-\s)]|$)/y;

function isMatchAt(pattern: RegExp, text: string, at: number): boolean {
  pattern.lastIndex = at;
  return pattern.test(text);
}

/** Returns the piece that begins at a position. Brackets have no pairs yet. */
function pieceAt(text: string, at: number): Piece {
  const first = text[at]!;
  if (first === '(' || first === ')') return { kind: first, at, end: at + 1 };
  if (isMatchAt(excludingDashes, text, at)) return { kind: '-', at, end: at + 1 };
  if (first === '"') return phraseAt(text, at) ?? { kind: 'words', text: '"', at, end: at + 1 };
  const word = wordAt(text, at);
  const end = at + word.length;
  const [, name, value] = /^(\p{L}+):(.*)$/su.exec(word) ?? [];
  if (name === undefined || !isSearchField(name)) return { kind: 'words', text: word, at, end };
  const phrase = value === '' ? phraseAt(text, end) : undefined;
  if (phrase) return { kind: 'field', name, value: phrase.isPhrase ? phrase.text : '', at, end: phrase.end };
  return { kind: 'field', name, value: value!.replace(/^"/, ''), at, end };
}

/** Returns the phrase in quotes at a position, or undefined if there is none. */
function phraseAt(text: string, at: number): WordsPiece | undefined {
  const end = text[at] === '"' ? text.indexOf('"', at + 1) : -1;
  if (end < 0) return undefined;
  const words = text.slice(at + 1, end);
  const isPhrase = words.trim() !== '';
  return { kind: 'words', text: isPhrase ? words : '""', at, isPhrase, end: end + 1 };
}

/** Returns the word at a position. A quote inside the word ends the word only if the quote begins a phrase. */
function wordAt(text: string, at: number): string {
  for (let end = at; ; end++) {
    while (end < text.length && /[^\s()"]/.test(text[end]!)) end++;
    if (text[end] !== '"' || beginsPhraseInWord(text, end)) return text.slice(at, end);
  }
}

/** Returns true for a quote after a colon or a letter that begins a phrase. A quote after a digit means inches. */
function beginsPhraseInWord(text: string, at: number): boolean {
  const before = text[at - 1]!;
  const end = /\d/.test(before) ? -1 : text.indexOf('"', at + 1);
  if (end < 0) return false;
  return before === ':' || (/[^\s"]/.test(text[at + 1]!) && /[\s)]/.test(text[end + 1] ?? ' '));
}

/** Turns brackets without a partner, and pairs with nothing between them, into words. */
function readLoneBracketsAsWords(pieces: Piece[]): Piece[] {
  const paired = new Set<number>();
  const open: number[] = [];
  for (const [place, { kind }] of pieces.entries()) {
    if (kind === '(') open.push(place);
    const opening = kind === ')' ? open.pop() : undefined;
    if (opening !== undefined && place > opening + 1) paired.add(opening).add(place);
  }
  return pieces.map((piece, place) =>
    isBracket(piece) && !paired.has(place)
      ? { kind: 'words', text: piece.kind, at: piece.at, end: piece.end }
      : piece,
  );
}

function isBracket(piece: Piece): piece is Piece & { kind: '(' | ')' } {
  return piece.kind === '(' || piece.kind === ')';
}

/** Joins a lone bracket with the word that touches it: `:)`, `(1`. */
function mergeBracketsAndWords(pieces: Piece[]): Piece[] {
  const merged: Piece[] = [];
  for (const piece of pieces) {
    const last = merged.at(-1);
    const isJoined =
      last?.kind === 'words' &&
      piece.kind === 'words' &&
      last.end === piece.at &&
      !last.isPhrase &&
      !piece.isPhrase;
    if (isJoined) merged.splice(-1, 1, { ...last, text: last.text + piece.text, end: piece.end });
    else merged.push(piece);
  }
  return merged;
}

/** Turns each `-` and `OR` without operands into a word, and each word OR between operands into an operator. */
function readMisplacedOperatorsAsWords(pieces: Piece[]): QueryToken[] {
  const tokens: QueryToken[] = [];
  for (const [place, piece] of pieces.entries()) {
    const [last, next] = [tokens.at(-1), pieces[place + 1]];
    const hasOperand = next !== undefined && next.kind !== ')';
    const { at } = piece;
    if (piece.kind === '-' && (!hasOperand || isStray(next))) tokens.push({ kind: 'words', text: '-', at });
    else if (isWordOr(piece) && hasOperand && last && !['(', '-', 'OR'].includes(last.kind))
      tokens.push({ kind: 'OR', at });
    else tokens.push(piece);
  }
  return tokens;
}

function isWordOr(piece: Piece): boolean {
  return piece.kind === 'words' && piece.text === 'OR' && !piece.isPhrase;
}
