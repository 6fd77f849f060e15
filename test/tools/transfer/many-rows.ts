/**
 * Creates galleries with many photos, rows and objects directly, because a move does not depend on how they
 * were created.
 */
import { hash } from 'node:crypto';
import { sql } from 'kysely';
import pino from 'pino';
import { readConfig } from '../../../server/config.ts';
import { closeDeps, openDeps } from '../../../server/deps.ts';
import { insertUser } from '../../../server/gallery/accounts/store.ts';
import { startSession } from '../../../server/gallery/identity/sessions.ts';
import type { GalleryLocation } from '../../../server/tools/transfer/gallery-location.ts';
import { addPhoto, original } from '../../gallery/delivery/gallery.ts';

/** Number of sessions, so many that copying their rows takes a while. */
const sessions = 20_000;

export async function makeMany(home: GalleryLocation, photos: number): Promise<void> {
  const deps = await openDeps({ ...readConfig({}), ...home }, pino({ level: 'silent' }));
  const user = { username: 'many', email: 'many@example.org', passwordHash: '', isAdmin: false };
  const inserted = await insertUser(deps, user);
  const { id } = inserted;
  await startSession(deps, inserted, { userAgent: '', ip: '' });
  for (let made = 0; made < photos; made++) await addPhoto({ deps }, id, 2);
  await deps.db.kysely
    .updateTable('photos')
    .set({ sha256: hash('sha256', original) })
    .execute();
  await sql`INSERT INTO sessions (user_id, token_hash, user_agent, ip, create_time, last_used_time, expire_time)
    WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${sessions})
    SELECT ${id}, 'token ' || n, 'a browser', '::1', n, n, n FROM numbers`.execute(deps.db.kysely);
  await closeDeps(deps);
}
