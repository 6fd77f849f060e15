/**
 * Folds the keys of names again, without accents, width and typographic forms, and gives albums a natural order.
 * A background job does the same for the texts and titles of photos (`gallery/library/run-search-texts.ts`). On
 * PostgreSQL the search index gets a column for texts that only the owner may search.
 */
import { sql } from 'kysely';
import { foldSearchText, naturalSortKey } from '../fold.ts';
import { searchTextsLeftSetting, setSetting } from '../settings.ts';
import { runAll, type Up } from './up.ts';

type Kysely = Parameters<Up>[1];

export const up: Up = async ({ name }, kysely) => {
  if (name === 'postgres') {
    await runAll(kysely, [
      `ALTER TABLE photo_texts ADD COLUMN own_text text COLLATE "C" NOT NULL DEFAULT ''`,
      'CREATE INDEX photo_texts_own_grams ON photo_texts USING gin (lightwell_grams(own_text))',
    ]);
  }
  await foldEquipment(kysely);
  await foldNicknames(kysely);
  await foldAlbums(kysely);
  await foldTags(kysely);
  const { rows } = await sql<{ last: number | null }>`SELECT max(id) AS last FROM photos`.execute(kysely);
  const { last } = rows[0]!;
  if (last !== null) await setSetting({ kysely }, searchTextsLeftSetting, String(last));
};

async function foldEquipment(kysely: Kysely): Promise<void> {
  const { rows } = await sql<{ name: string }>`SELECT name FROM equipment_names`.execute(kysely);
  for (const { name } of rows) {
    await sql`UPDATE equipment_names SET name_key = ${foldSearchText(name)} WHERE name = ${name}`.execute(
      kysely,
    );
  }
}

async function foldNicknames(kysely: Kysely): Promise<void> {
  const { rows } = await sql<{ id: number; nickname: string; nickname_key: string }>`
    SELECT id, nickname, nickname_key FROM users WHERE nickname_key <> ''`.execute(kysely);
  for (const { id, nickname, nickname_key } of rows) {
    const key = foldSearchText(nickname);
    if (key !== nickname_key)
      await sql`UPDATE users SET nickname_key = ${key} WHERE id = ${id}`.execute(kysely);
  }
}

async function foldAlbums(kysely: Kysely): Promise<void> {
  const { rows } = await sql<{ id: number; name: string; description: string }>`
    SELECT id, name, description FROM albums`.execute(kysely);
  for (const { id, name, description } of rows) {
    await sql`UPDATE albums SET name_key = ${naturalSortKey(name)},
      search_text = ${foldSearchText(`${name}\u0001${description}`)} WHERE id = ${id}`.execute(kysely);
  }
}

/** Gives tags their new keys. A photo with two tags of one key loses the later one. */
async function foldTags(kysely: Kysely): Promise<void> {
  const { rows } = await sql<{ key: string }>`SELECT DISTINCT name_key AS key FROM photo_tags`.execute(
    kysely,
  );
  const changed = rows.flatMap(({ key }) => {
    const folded = foldSearchText(key);
    return folded === key ? [] : [{ key, folded }];
  });
  for (const { key, folded } of changed) {
    await removeDoubleTags(kysely, key, folded);
    await sql`UPDATE photo_tags SET name_key = ${folded} WHERE name_key = ${key}`.execute(kysely);
    await sql`DELETE FROM tag_totals WHERE name_key IN (${key}, ${folded})`.execute(kysely);
    for (const user of [sql`user_id`, sql`CAST(0 AS bigint)`]) {
      await sql`INSERT INTO tag_totals (user_id, visibility, name_key, name, n)
        SELECT ${user}, visibility, name_key, min(name), count(*) FROM photo_tags
        WHERE name_key = ${folded} AND visibility > 0 GROUP BY 1, 2, 3`.execute(kysely);
    }
  }
}

async function removeDoubleTags(kysely: Kysely, key: string, folded: string): Promise<void> {
  const { rows } = await sql<{ id: number; tags: string; later: string }>`
    SELECT photos.id, photos.tags, CASE WHEN one.position > other.position THEN one.name_key ELSE other.name_key END AS later
    FROM photo_tags AS one
      JOIN photo_tags AS other ON other.photo_id = one.photo_id AND other.name_key = ${folded}
      JOIN photos ON photos.id = one.photo_id
    WHERE one.name_key = ${key}`.execute(kysely);
  for (const { id, tags, later } of rows) {
    const seen = new Set<string>();
    const kept = (JSON.parse(tags) as string[]).filter((tag) => {
      const own = foldSearchText(tag);
      const isDouble = own === folded && seen.has(own);
      seen.add(own);
      return !isDouble;
    });
    await sql`DELETE FROM photo_tags WHERE photo_id = ${id} AND name_key = ${later}`.execute(kysely);
    await sql`UPDATE photos SET tags = ${JSON.stringify(kept)} WHERE id = ${id}`.execute(kysely);
  }
}
