/** Sorts users by name as people count: user2 before user10. */
import { sql } from 'kysely';
import { naturalSortKey } from '../fold.ts';
import { columnTypes, runAll, type Up } from './up.ts';

export const up: Up = async ({ name }, kysely) => {
  const { sortedText } = columnTypes[name];
  await runAll(kysely, [`ALTER TABLE users ADD COLUMN name_sort_key ${sortedText} NOT NULL DEFAULT ''`]);
  const { rows } = await sql<{ id: number; username: string; nickname: string }>`
    SELECT id, username, nickname FROM users`.execute(kysely);
  for (const { id, username, nickname } of rows) {
    const key = naturalSortKey(nickname || username);
    await sql`UPDATE users SET name_sort_key = ${key} WHERE id = ${id}`.execute(kysely);
  }
};
