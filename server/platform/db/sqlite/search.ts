/**
 * Substring search on SQLite with two FTS5 indexes that store no text. Trigrams serve keywords of three or more
 * characters, matched as a phrase. Single characters and pairs serve shorter keywords.
 *
 * The row id encodes the visibility: `id` for a public photo, `owner * 2^32 + id` for a private one, and
 * `2^62 + id` for a photo for members. The index alone can therefore return and count the photos that a viewer may find.
 * Texts that only the owner may search have rows of their own, `2^62 + owner * 2^32 + id`.
 */
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { SearchIndexRows } from '../bulk.ts';
import { type SearchIndex, type SearchScope, splitIntoGrams } from '../search.ts';
import { Visibility } from '../states.ts';
import type { Tables } from '../tables.ts';

const shortKeyword = 2;

/** 2^32 and the bits below it, as SQL text, because the products exceed the range of JavaScript numbers. */
const ownerUnit = sql.raw('4294967296');
const idBits = sql.raw('4294967295');
/** Stands for the owner in the row ids of photos for members. Ids of users are smaller. */
const membersOwner = 2 ** 30;

/**
 * Casts a parameter to an integer. Parameters arrive as floating-point numbers, for which FTS5 scans all rows instead
 * of looking one up.
 */
const castToInteger = (value: number) => sql`CAST(${value} AS INTEGER)`;

/** Photos whose index entry may have an outdated visibility. */
const photosWithPendingJob = sql`SELECT id FROM visibility_jobs WHERE kind = 'photo'`;

export const sqliteSearch: SearchIndex = {
  async put(transaction, { photoId, userId, visibility, text, ownText }) {
    await sqliteSearch.remove(transaction, { id: photoId, user_id: userId });
    const row = rowFor(visibility, userId, photoId);
    const ownRow = ownRowFor(userId, photoId);
    await sql`INSERT INTO photo_trigrams (rowid, text)
      VALUES (${row}, ${text}), (${ownRow}, ${ownText})`.execute(transaction);
    await sql`INSERT INTO photo_grams (rowid, grams)
      VALUES (${row}, ${gramTokens(text)}), (${ownRow}, ${gramTokens(ownText)})`.execute(transaction);
  },

  async remove(transaction, { id, user_id }) {
    for (const table of [sql.table('photo_trigrams'), sql.table('photo_grams')]) {
      await sql`DELETE FROM ${table} WHERE rowid IN (${sql.join([...possibleRows(user_id, id), ownRowFor(user_id, id)])})`.execute(
        transaction,
      );
    }
  },

  async findEntries(kysely, photos) {
    const rowids = photos.flatMap(({ id, user_id }) => possibleRows(user_id, id));
    const ownRowids = photos.map(({ id, user_id }) => ownRowFor(user_id, id));
    // A photo is indexed correctly only if both indexes contain it, one for long and one for short keywords.
    const inBoth = async (rows: RawBuilder<unknown>[]) => {
      const [trigrams, grams] = await Promise.all([
        entriesIn(kysely, 'photo_trigrams', rows),
        entriesIn(kysely, 'photo_grams', rows),
      ]);
      return trigrams.filter((entry) =>
        grams.some(({ photoId, visibility }) => photoId === entry.photoId && visibility === entry.visibility),
      );
    };
    const own = new Set((await inBoth(ownRowids)).map(({ photoId }) => photoId));
    const entries = await inBoth(rowids);
    return entries.map((entry) => ({ ...entry, ownText: own.has(entry.photoId) ? undefined : null }));
  },

  matchesOwn(keyword, ownerId) {
    const [table, phrase] = [chooseTable(keyword), boundPhrase([keyword])];
    const owner = castToInteger(membersOwner + ownerId);
    return sql<number>`(SELECT rowid & ${idBits} AS id FROM ${table} WHERE ${table} MATCH ${phrase}
      AND rowid >= ${owner} * ${ownerUnit} AND rowid < (${owner} + 1) * ${ownerUnit})`;
  },

  matches(keywords, scope) {
    // Long keywords come first, because they are rarer. The other table is then only asked about their matches.
    const [short, long] = [keywords.filter(isShort), keywords.filter((keyword) => !isShort(keyword))];
    const first = long.length > 0 ? long : short;
    const [table, phrase] = [chooseTable(first[0]!), boundPhrase(first)];
    // The plus prevents SQLite from searching the first table once for each row of the other one.
    const hasOthers = (inside: RawBuilder<unknown>) =>
      long.length === 0 || short.length === 0
        ? sql``
        : sql`AND +rowid IN (SELECT rowid FROM photo_grams WHERE photo_grams MATCH ${boundPhrase(short)} ${inside})`;
    return sql<number>`(SELECT rowid & ${idBits} AS id FROM ${table}
      WHERE ${table} MATCH ${phrase} AND ${inScope(scope)} ${hasOthers(sql`AND ${inScope(scope)}`)}
      UNION ALL SELECT rowid & ${idBits} AS id FROM ${table}
      WHERE EXISTS (${photosWithPendingJob}) AND ${table} MATCH ${phrase}
        AND rowid < ${castToInteger(membersOwner + 1)} * ${ownerUnit}
        AND rowid & ${idBits} IN (${photosWithPendingJob}) ${hasOthers(sql``)})`;
  },
};

function isShort(keyword: string): boolean {
  return Array.from(keyword).length <= shortKeyword;
}

function chooseTable(keyword: string) {
  return sql.table(isShort(keyword) ? 'photo_grams' : 'photo_trigrams');
}

/**
 * Returns the text that finds all keywords in their table. The index may search long and find nothing, so a read after
 * its deadline must not begin. The condition is evaluated once, with the phrase; beside the phrase it would be
 * evaluated for each found row.
 */
function boundPhrase(keywords: string[]) {
  const phrases = keywords.map((keyword) => quotePhrase(isShort(keyword) ? toToken(keyword) : keyword));
  return sql`(CASE WHEN in_time() THEN ${phrases.join(' AND ')} END)`;
}

/**
 * Returns the entries of photos in one index, read from the table of text lengths. An index without texts claims to
 * contain any requested row. The row id may exceed the range of JavaScript numbers, so it is returned in two halves.
 */
async function entriesIn(kysely: Kysely<Tables>, table: string, rowids: RawBuilder<unknown>[]) {
  const { rows } = await sql<{ photoId: number; owner: number }>`
    SELECT id & ${idBits} AS "photoId", id >> 32 AS owner FROM ${sql.table(`${table}_docsize`)}
    WHERE id IN (${sql.join(rowids)})`.execute(kysely);
  return rows.map(({ photoId, owner }) => ({
    photoId,
    visibility: visibilityByOwner.get(owner) ?? Visibility.private,
    text: undefined,
    ownText: undefined,
  }));
}

export const sqliteSearchRows: SearchIndexRows = {
  tables: [
    { name: 'photo_trigrams', columns: ['rowid', 'text'] },
    { name: 'photo_grams', columns: ['rowid', 'grams'] },
  ],
  searchRows({ photoId, userId, visibility, text, ownText }) {
    const createRow = (owner: number) => BigInt(photoId) + (BigInt(owner) << 32n);
    const [row, ownRow] = [createRow(ownerInRow(visibility, userId)), createRow(membersOwner + userId)];
    return [
      [
        [row, text],
        [ownRow, ownText],
      ],
      [
        [row, gramTokens(text)],
        [ownRow, gramTokens(ownText)],
      ],
    ];
  },
};

/** Owners in the row ids of photos that are not private. */
const visibilityByOwner = new Map<number, Visibility>([
  [0, Visibility.public],
  [membersOwner, Visibility.members],
]);

function ownerInRow(visibility: Visibility, userId: number): number {
  if (visibility === Visibility.public) return 0;
  return visibility === Visibility.members ? membersOwner : userId;
}

function rowFor(visibility: Visibility, userId: number, photoId: number) {
  return sql`${castToInteger(ownerInRow(visibility, userId))} * ${ownerUnit} + ${castToInteger(photoId)}`;
}

function ownRowFor(userId: number, photoId: number) {
  return sql`${castToInteger(membersOwner + userId)} * ${ownerUnit} + ${castToInteger(photoId)}`;
}

function possibleRows(userId: number, photoId: number) {
  const visibilities = [Visibility.public, Visibility.members, Visibility.private];
  return visibilities.map((visibility) => rowFor(visibility, userId, photoId));
}

function inScope({ visibility, userId }: SearchScope) {
  if (visibility === Visibility.private && userId === undefined) {
    return sql`rowid >= ${ownerUnit} AND rowid < ${castToInteger(membersOwner)} * ${ownerUnit}`;
  }
  const owner = castToInteger(ownerInRow(visibility, userId ?? 0));
  return sql`rowid >= ${owner} * ${ownerUnit} AND rowid < (${owner} + 1) * ${ownerUnit}`;
}

/** Returns an FTS5 string literal, in which no character is an operator. */
function quotePhrase(phrase: string): string {
  return `"${phrase.replaceAll('"', '""')}"`;
}

/** Returns the tokens that `photo_grams` stores for a text. */
export function gramTokens(text: string): string {
  return Array.from(splitIntoGrams(text), toToken).join(' ');
}

/** First of the private-use characters that replace ASCII punctuation and spaces. */
const firstReplacement = 0xe000;
/** Escape character: the private-use character after it stands for itself. */
const escapeCharacter = '\u{10fffe}';

/**
 * Returns a token for a gram. ASCII punctuation and spaces would separate tokens, so private-use characters replace
 * them. Private-use characters of the text itself are escaped, so that no two grams share a token.
 */
function toToken(gram: string): string {
  return Array.from(gram, (character) => {
    const code = character.codePointAt(0)!;
    if (code < 0x80)
      return /[a-z0-9]/.test(character) ? character : String.fromCodePoint(firstReplacement + code);
    const isTaken =
      (code >= firstReplacement && code < firstReplacement + 0x80) || character === escapeCharacter;
    return isTaken ? escapeCharacter + character : character;
  }).join('');
}
