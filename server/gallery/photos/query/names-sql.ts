/** Selects owners and albums whose names contain a word. */
import { type RawBuilder, sql } from 'kysely';
import type { Deps } from '../../../deps.ts';
import { containsFolded } from '../../../platform/db/fold.ts';
import { visibleAlbumCondition } from '../../library/visibility-sql.ts';

type CheckedDatabase = Pick<Deps['db'], 'deadlineCheck'>;

/** Selects the ids of users whose username or nickname contains the folded text. */
export function selectOwners(db: CheckedDatabase, text: string): RawBuilder<unknown> {
  const [username, nickname] = [
    containsFolded('users.username_key', text),
    containsFolded('users.nickname_key', text),
  ];
  return sql`SELECT users.id FROM users WHERE ${db.deadlineCheck('users.id')} AND (${username} OR ${nickname})`;
}

/** Selects the ids of albums that the viewer can see and whose name contains the folded text. */
export function selectAlbums(db: CheckedDatabase, text: string, viewerId: number): RawBuilder<unknown> {
  // The search text has the folded name, a separator, and the description.
  return sql`SELECT albums.id FROM albums WHERE ${db.deadlineCheck('albums.id')} AND albums.rule IS NULL
    AND ${containsFolded('albums.search_text', text, '\u0001')} AND ${visibleAlbumCondition(viewerId)}`;
}
