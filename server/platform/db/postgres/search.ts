/**
 * Substring search on PostgreSQL without an extension, with an inverted index (GIN) of each text's characters and pairs
 * of characters. Longer keywords are looked up by all their pairs and then compared. A function computes the pairs for
 * the index only. The table therefore has few pages, and space for the photo columns that queries filter by
 * (`docs/adr/0033-queries.md`).
 */
import { type SqlBool, sql } from 'kysely';
import { type SearchIndex, type SearchIndexEntry, type SearchScope, splitIntoGrams } from '../search.ts';
import { Visibility } from '../states.ts';

/** Columns of a photo that queries filter by. A trigger of the baseline copies these columns into `photo_texts`. */
const filterColumnNames = [
  'taken_time',
  'create_time',
  'size',
  'iso',
  'focal_length',
  'width',
  'height',
  'camera',
  'lens',
  'aperture',
];
const filterColumns = sql.raw(filterColumnNames.join(', '));
const filterColumnsOfPhotos = sql.raw(filterColumnNames.map((column) => `photos.${column}`).join(', '));
const setFilterColumns = sql.raw(
  filterColumnNames.map((column) => `${column} = excluded.${column}`).join(', '),
);

/** Photos whose index entry may have an outdated visibility. */
const photosWithPendingJob = sql`SELECT id FROM visibility_jobs WHERE kind = 'photo'`;

export const postgresSearch: SearchIndex = {
  async put(transaction, { photoId, userId, visibility, text, ownText }) {
    await sql`INSERT INTO photo_texts (photo_id, user_id, visibility, ${filterColumns}, text, own_text)
      SELECT ${photoId}, CAST(${userId} AS bigint), CAST(${visibility} AS integer), ${filterColumnsOfPhotos}, ${text},
        ${ownText}
      FROM photos WHERE photos.id = ${photoId}
      ON CONFLICT (photo_id) DO UPDATE
        SET visibility = excluded.visibility, text = excluded.text, own_text = excluded.own_text,
          ${setFilterColumns}`.execute(transaction);
  },

  async remove(transaction, { id }) {
    await sql`DELETE FROM photo_texts WHERE photo_id = ${id}`.execute(transaction);
  },

  async findEntries(kysely, photos) {
    const ids = photos.map(({ id }) => id);
    const { rows } =
      await sql<SearchIndexEntry>`SELECT photo_id AS "photoId", visibility, text, own_text AS "ownText"
      FROM photo_texts WHERE photo_id IN (${sql.join(ids)})`.execute(kysely);
    return rows;
  },

  matches(keywords, scope, isTested = false) {
    const contains = sql.join(
      keywords.map((keyword) => (isTested ? compared('text', keyword) : found('text', keyword))),
      sql` AND `,
    );
    return sql<number>`(SELECT photo_id AS id FROM photo_texts
      WHERE ${contains} AND (${inScope(scope)} OR photo_id IN (${photosWithPendingJob})))`;
  },

  matchesOwn: (keyword, ownerId) =>
    sql<number>`(SELECT photo_id AS id FROM photo_texts WHERE user_id = ${ownerId} AND ${found('own_text', keyword)})`,

  texts: {
    // Photos with a pending job get their visibility from the photo's own row.
    photos: sql`(SELECT photo_id AS id, user_id, visibility, ${filterColumns}, text FROM photo_texts
        WHERE photo_id NOT IN (${photosWithPendingJob})
      UNION ALL SELECT photos.id, photos.user_id, photos.visibility, ${filterColumnsOfPhotos}, photo_texts.text
        FROM (${photosWithPendingJob}) AS moving JOIN photos ON photos.id = moving.id
          JOIN photo_texts ON photo_texts.photo_id = photos.id)`,
    contain: (keyword) => found('photos.text', keyword),
  },
};

/**
 * Returns a condition that finds texts by the index. The pairs of a keyword contain all its characters, so only a
 * single character is looked up by itself.
 */
function found(column: string, keyword: string) {
  const characters = Array.from(keyword);
  const grams =
    characters.length === 1
      ? characters
      : [...splitIntoGrams(keyword)].filter((gram) => Array.from(gram).length === 2);
  // The planner assumes that a keyword's pairs are independent. The planner therefore expects few matching texts,
  // although thousands may be fetched.
  return sql<SqlBool>`lightwell_grams(${sql.ref(column)}) @> ${grams} AND ${compared(column, keyword)}`;
}

function compared(column: string, keyword: string) {
  return sql<SqlBool>`position(${keyword} in ${sql.ref(column)}) > 0`;
}

function inScope({ visibility, userId }: SearchScope) {
  if (userId === undefined || visibility !== Visibility.private) return sql`visibility = ${visibility}`;
  return sql`(visibility = ${visibility} AND user_id = ${userId})`;
}

/**
 * Returns the statement that fills the index at once. $1 is the list of photo ids; $2 and $3 are the lists of their
 * texts. An archive of an earlier version is restored into an index without own texts.
 */
export function createFillStatement(hasOwnTexts: boolean): string {
  const texts = hasOwnTexts ? ['text', 'own_text'] : ['text'];
  const given = texts.map((column) => `given.${column}`).join(', ');
  return `INSERT INTO photo_texts (photo_id, user_id, visibility, ${filterColumnNames.join(', ')}, ${texts.join(', ')})
  SELECT photos.id, photos.user_id, photos.visibility, ${filterColumnNames.map((column) => `photos.${column}`).join(', ')}, ${given}
  FROM unnest($1::bigint[], $2::text[], $3::text[]) AS given (id, text, own_text) JOIN photos ON photos.id = given.id`;
}

export const ownTextsQuery = `SELECT 1 FROM information_schema.columns
  WHERE table_schema = current_schema() AND table_name = 'photo_texts' AND column_name = 'own_text'`;
