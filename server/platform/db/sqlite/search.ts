/**
 * Substring search on SQLite with two FTS5 indexes that hold no text: trigrams for keywords of three characters
 * and more, matched as a phrase; single characters and pairs for the shorter ones.
 *
 * A row's number says who may find it: `id` for a photo that everybody sees, `owner * 2^32 + id` for a private
 * one. So both what a viewer may find and how much of it is answered by the index alone.
 */
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { SearchRows } from '../bulk.ts';
import { gramsOf, type SearchIndex, type SearchScope } from '../search.ts';
import { Visibility } from '../states.ts';
import type { Tables } from '../tables.ts';

const shortKeyword = 2;

/** 2^32, and the bits below it. Written into the SQL: the products exceed what a JavaScript number holds. */
const ownerUnit = sql.raw('4294967296');
const idBits = sql.raw('4294967295');

/** Parameters arrive as floating-point numbers, for which FTS5 does not look up a row but reads all of them. */
const integer = (value: number) => sql`CAST(${value} AS INTEGER)`;

/** Photos whose row in the index may be of another visibility. */
const moving = sql`SELECT id FROM visibility_jobs WHERE kind = 'photo'`;

export const sqliteSearch: SearchIndex = {
  async put(transaction, { photoId, userId, visibility, text }) {
    await sqliteSearch.remove(transaction, { id: photoId, user_id: userId });
    const row = visibility === Visibility.public ? integer(photoId) : privateRow(userId, photoId);
    await sql`INSERT INTO photo_trigrams (rowid, text) VALUES (${row}, ${text})`.execute(transaction);
    await sql`INSERT INTO photo_grams (rowid, grams) VALUES (${row}, ${tokensOf(text)})`.execute(transaction);
  },

  async remove(transaction, { id, user_id }) {
    for (const table of [sql.table('photo_trigrams'), sql.table('photo_grams')]) {
      await sql`DELETE FROM ${table} WHERE rowid IN (${integer(id)}, ${privateRow(user_id, id)})`.execute(
        transaction,
      );
    }
  },

  async entriesOf(kysely, photos) {
    const rowids = photos.flatMap(({ id, user_id }) => [integer(id), privateRow(user_id, id)]);
    const [trigrams, grams] = await Promise.all([
      entriesIn(kysely, 'photo_trigrams', rowids),
      entriesIn(kysely, 'photo_grams', rowids),
    ]);
    // A photo is found by long and by short keywords only where both indexes hold it.
    return trigrams.filter((entry) =>
      grams.some(({ photoId, visibility }) => photoId === entry.photoId && visibility === entry.visibility),
    );
  },

  matches(keyword, scope) {
    const isShort = Array.from(keyword).length <= shortKeyword;
    const table = isShort ? sql.table('photo_grams') : sql.table('photo_trigrams');
    // The index may look long and find nothing: what begins after the time must not even begin. Asked once, as the index
    // asks for its phrase; a condition beside it would be asked of each row that is found.
    const phrase = sql`(CASE WHEN in_time() THEN ${quoted(isShort ? tokenOf(keyword) : keyword)} END)`;
    return sql<number>`(SELECT rowid & ${idBits} AS id FROM ${table}
      WHERE ${table} MATCH ${phrase} AND ${inScope(scope)}
      UNION ALL SELECT rowid & ${idBits} AS id FROM ${table}
      WHERE EXISTS (${moving}) AND ${table} MATCH ${phrase}
        AND rowid & ${idBits} IN (${moving}))`;
  },
};

/**
 * Asks the table in which FTS5 keeps the length of each text: an index without texts claims to have any row that it
 * is asked for. The number of a row may exceed what a JavaScript number holds: it comes in two halves.
 */
async function entriesIn(kysely: Kysely<Tables>, table: string, rowids: RawBuilder<unknown>[]) {
  const { rows } = await sql<{ photoId: number; owner: number }>`
    SELECT id & ${idBits} AS "photoId", id >> 32 AS owner FROM ${sql.table(`${table}_docsize`)}
    WHERE id IN (${sql.join(rowids)})`.execute(kysely);
  return rows.map(({ photoId, owner }) => ({
    photoId,
    visibility: owner === 0 ? Visibility.public : Visibility.private,
    text: undefined,
  }));
}

export const sqliteSearchRows: SearchRows = {
  tables: [
    { name: 'photo_trigrams', columns: ['rowid', 'text'] },
    { name: 'photo_grams', columns: ['rowid', 'grams'] },
  ],
  rowsOf({ photoId, userId, visibility, text }) {
    const row = BigInt(photoId) + (visibility === Visibility.public ? 0n : BigInt(userId) << 32n);
    return [
      [row, text],
      [row, tokensOf(text)],
    ];
  },
};

function privateRow(userId: number, photoId: number) {
  return sql`${integer(userId)} * ${ownerUnit} + ${integer(photoId)}`;
}

function inScope({ visibility, userId }: SearchScope) {
  if (visibility === Visibility.public) return sql`rowid < ${ownerUnit}`;
  if (userId === undefined) return sql`rowid >= ${ownerUnit}`;
  return sql`rowid >= ${integer(userId)} * ${ownerUnit} AND rowid < (${integer(userId)} + 1) * ${ownerUnit}`;
}

/** FTS5's string literal: nothing in it is an operator. */
function quoted(phrase: string): string {
  return `"${phrase.replaceAll('"', '""')}"`;
}

/** What `photo_grams` holds of a text. */
export function tokensOf(text: string): string {
  return Array.from(gramsOf(text), tokenOf).join(' ');
}

/** First of the private-use characters that stand for ASCII's punctuation and spaces. */
const standIn = 0xe000;
/** Says that the private-use character after it stands for itself. */
const itself = '\u{10fffe}';

/**
 * ASCII's punctuation and spaces would separate tokens; here they are characters like others, moved out of the
 * way. A text's own characters of that range are marked, so that nothing is mistaken for anything else.
 */
function tokenOf(gram: string): string {
  return Array.from(gram, (character) => {
    const code = character.codePointAt(0)!;
    if (code < 0x80) return /[a-z0-9]/.test(character) ? character : String.fromCodePoint(standIn + code);
    const isTaken = (code >= standIn && code < standIn + 0x80) || character === itself;
    return isTaken ? itself + character : character;
  }).join('');
}
