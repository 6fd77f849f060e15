/** `fold` takes ẞ for ss, as it took ß: what was folded before, and so holds a ß, is folded again. */
import { type Kysely, sql } from 'kysely';
import { fold } from '../fold.ts';
import type { Tables } from '../tables.ts';
import type { Up } from './up.ts';

const folded = [
  ['users', 'nickname_key'],
  ['albums', 'name_key'],
  ['albums', 'search_text'],
  ['comments', 'search_text'],
  ['photos', 'title_key'],
] as const;

export const up: Up = async (_, kysely) => {
  for (const [table, column] of folded) await foldAgain(kysely, table, column);
  await foldEmails(kysely);
  await foldTags(kysely);
  // The search index follows at the next start; until then it asks these photos themselves.
  const capital = '%ẞ%';
  await sql`INSERT INTO search_moves (photo_id) SELECT id FROM photos
    WHERE (title LIKE ${capital} OR description LIKE ${capital} OR tags LIKE ${capital})
      AND id NOT IN (SELECT photo_id FROM search_moves)`.execute(kysely);
};

async function foldAgain(kysely: Kysely<Tables>, table: string, column: string): Promise<void> {
  for (const { id, text } of await rowsWith(kysely, table, column)) {
    await sql`UPDATE ${sql.table(table)} SET ${sql.ref(column)} = ${fold(text)} WHERE id = ${id}`.execute(
      kysely,
    );
  }
}

/** One that another account has already stays as it is: both can still be told apart. */
async function foldEmails(kysely: Kysely<Tables>): Promise<void> {
  for (const { id, text } of await rowsWith(kysely, 'users', 'email_key')) {
    const taken = await kysely
      .selectFrom('users')
      .select('id')
      .where('email_key', '=', fold(text))
      .executeTakeFirst();
    if (taken) continue;
    await kysely
      .updateTable('users')
      .set({ email_key: fold(text) })
      .where('id', '=', id)
      .execute();
  }
}

async function rowsWith(kysely: Kysely<Tables>, table: string, column: string) {
  const { rows } = await sql<{ id: number; text: string }>`SELECT id, ${sql.ref(column)} AS text
    FROM ${sql.table(table)} WHERE ${sql.ref(column)} LIKE ${'%ß%'}`.execute(kysely);
  return rows;
}

/** Triggers keep the totals of tags. Two of a photo that have become the same are one. */
async function foldTags(kysely: Kysely<Tables>): Promise<void> {
  const photos = await kysely
    .selectFrom('photos')
    .select(['id', 'user_id', 'visibility', 'create_time', 'tags'])
    .where('tags', 'like', '%ẞ%')
    .execute();
  for (const { id, tags, user_id, visibility, create_time } of photos) {
    const kept = withoutDuplicates(JSON.parse(tags) as string[]);
    await kysely
      .updateTable('photos')
      .set({ tags: JSON.stringify(kept) })
      .where('id', '=', id)
      .execute();
    await kysely.deleteFrom('photo_tags').where('photo_id', '=', id).execute();
    for (const [position, name] of kept.entries()) {
      await sql`INSERT INTO photo_tags (photo_id, position, name, name_key, user_id, visibility, create_time)
        VALUES (${id}, ${position}, ${name}, ${fold(name)}, ${user_id}, ${visibility}, ${create_time})`.execute(
        kysely,
      );
    }
  }
}

function withoutDuplicates(tags: string[]): string[] {
  const byKey = new Map<string, string>();
  for (const tag of tags) if (!byKey.has(fold(tag))) byKey.set(fold(tag), tag);
  return [...byKey.values()];
}
