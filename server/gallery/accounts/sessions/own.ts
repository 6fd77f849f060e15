/** Lists a user's own sessions and revokes one of them. */
import type { Selectable } from 'kysely';
import type { Deps } from '../../../deps.ts';
import type { SessionsTable } from '../../../platform/db/tables.ts';
import { errors } from '../../../platform/errors/catalogue.ts';
import { createPagination, type PaginationRequest, toRowWindow } from '../../../platform/http/pagination.ts';
import { timeText } from '../../../platform/http/time.ts';
import { computeIdleLimit } from '../../identity/surplus-sessions.ts';
import type { Viewer } from '../../identity/viewer.ts';

/** Returns a page of the viewer's sessions, latest sign-in first. A user has at most a hundred sessions. */
export async function listSessions({ db, clock, config }: Deps, viewer: Viewer, query: PaginationRequest) {
  const rows = await db.kysely
    .selectFrom('sessions')
    .selectAll()
    .where('user_id', '=', viewer.id)
    .where('expire_time', '>', clock())
    .where('last_used_time', '>', computeIdleLimit(config, clock()))
    .orderBy('id', 'desc')
    .execute();
  const { limit, offset } = toRowWindow(query);
  const list = rows.slice(offset, offset + limit).map((row) => presentSession(row, viewer));
  return { list, pagination: createPagination(query, rows.length) };
}

/** Returns a session as JSON, without the hash of its token. */
function presentSession(row: Selectable<SessionsTable>, viewer: Viewer) {
  return {
    id: row.id,
    user_agent: row.user_agent,
    ip: row.ip,
    is_current: row.id === viewer.sessionId,
    create_time: timeText(row.create_time),
    last_used_time: timeText(row.last_used_time),
    expire_time: timeText(row.expire_time),
  };
}

/** Revokes a session. Throws notFound for a session that does not exist or belongs to another user. */
export async function revokeOwnSession({ db }: Deps, viewer: Viewer, id: number): Promise<void> {
  const ended = await db.kysely
    .deleteFrom('sessions')
    .where('id', '=', id)
    .where('user_id', '=', viewer.id)
    .executeTakeFirst();
  if (ended.numDeletedRows === 0n) throw errors.notFound();
}
