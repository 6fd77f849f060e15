/**
 * Substring search on PostgreSQL: each text's characters and pairs of characters in an array with an inverted
 * index (GIN), which needs no extension; longer keywords are looked up by all their pairs and then compared.
 */
import { sql } from 'kysely';
import type { SearchRows } from '../bulk.ts';
import { gramsOf, type SearchEntry, type SearchIndex, type SearchScope } from '../search.ts';
import { Visibility } from '../states.ts';

export const postgresSearch: SearchIndex = {
  async createTables(kysely) {
    await sql`CREATE TABLE photo_texts (
      photo_id bigint PRIMARY KEY REFERENCES photos (id) ON DELETE CASCADE,
      user_id bigint NOT NULL, visibility integer NOT NULL,
      text text NOT NULL, grams text[] NOT NULL)`.execute(kysely);
    await sql`CREATE INDEX photo_texts_grams ON photo_texts USING gin (grams)`.execute(kysely);
  },

  async put(transaction, { photoId, userId, visibility, text }) {
    await sql`INSERT INTO photo_texts (photo_id, user_id, visibility, text, grams)
      VALUES (${photoId}, ${userId}, ${visibility}, ${text}, ${[...gramsOf(text)]})
      ON CONFLICT (photo_id) DO UPDATE
        SET visibility = excluded.visibility, text = excluded.text, grams = excluded.grams`.execute(
      transaction,
    );
  },

  async remove(transaction, { id }) {
    await sql`DELETE FROM photo_texts WHERE photo_id = ${id}`.execute(transaction);
  },

  async entriesOf(kysely, photos) {
    const ids = photos.map(({ id }) => id);
    const { rows } = await sql<SearchEntry>`SELECT photo_id AS "photoId", visibility, text
      FROM photo_texts WHERE photo_id IN (${sql.join(ids)})`.execute(kysely);
    return rows;
  },

  matches(keyword, scope, isTested = false) {
    const characters = Array.from(keyword);
    // A keyword's pairs contain its characters; only a single character is looked up by itself.
    const grams =
      characters.length === 1
        ? characters
        : [...gramsOf(keyword)].filter((gram) => Array.from(gram).length === 2);
    // The planner takes a keyword's pairs for independent, thinks that few texts have them all, and fetches thousands.
    const indexed = isTested ? sql`` : sql`grams @> ${grams} AND`;
    return sql<number>`(SELECT photo_id AS id FROM photo_texts
      WHERE ${indexed} position(${keyword} in text) > 0
        AND (${inScope(scope)} OR photo_id IN (SELECT photo_id FROM search_moves)))`;
  },
};

export const postgresSearchRows: SearchRows = {
  tables: [{ name: 'photo_texts', columns: ['grams', 'photo_id', 'text', 'user_id', 'visibility'] }],
  rowsOf: ({ photoId, userId, visibility, text }) => [
    [arrayOf(gramsOf(text)), photoId, text, userId, visibility],
  ],
};

/** PostgreSQL's text of an array. */
function arrayOf(items: Iterable<string>): string {
  return `{${Array.from(items, (item) => `"${item.replace(/["\\]/g, '\\$&')}"`).join(',')}}`;
}

function inScope({ visibility, userId }: SearchScope) {
  if (userId === undefined || visibility === Visibility.public) return sql`visibility = ${visibility}`;
  return sql`(visibility = ${visibility} AND user_id = ${userId})`;
}
