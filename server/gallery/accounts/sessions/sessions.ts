/** Sessions: one row a sign-in, found by the hash of its token. */

import type { Deps } from '../../../deps.ts';
import { type Prepared, prepare } from '../../../platform/db/prepared.ts';
import { UserStatus } from '../../../platform/db/states.ts';
import type { Transaction, UserRow } from '../../../platform/db/tables.ts';
import { errors } from '../../../platform/errors/catalogue.ts';
import { type FoundKey, prepareFindKey, viewerOfKey } from '../keys/api-keys.ts';
import { lockEnabled } from '../store.ts';
import { bearerToken, isApiKey, newToken, tokenHash } from '../tokens.ts';
import type { Viewer } from '../viewer.ts';

/** `last_used_time` is kept to the quarter of an hour: a read must not cost a write. */
const lastUsedPrecision = 900;
const maxSessions = 100;

interface SessionRow {
  session_id: number;
  last_used_time: number;
  expire_time: number;
  user_id: number;
  is_admin: number;
  status: number;
}

export interface SessionPlace {
  userAgent: string;
  ip: string;
}

/** Finds the viewer behind an `Authorization` header; undefined without one, badToken with a bad one. */
export type FindViewer = (authorization: string | undefined) => Promise<Viewer | undefined>;

export function createFindViewer(deps: Deps): FindViewer {
  const find = prepareFind(deps);
  const findKey = prepareFindKey(deps);

  async function getKey(hash: string): Promise<FoundKey> {
    const [key] = await findKey({ token_hash: hash });
    if (!key) throw errors.badToken();
    return key;
  }

  async function findSession(hash: string): Promise<SessionRow> {
    const [row] = await find({ token_hash: hash });
    if (!row) throw errors.badToken();
    return row;
  }

  return async (authorization) => {
    if (authorization === undefined) return undefined;
    const token = bearerToken(authorization);
    if (!token) throw errors.badToken();
    const hash = tokenHash(token);
    if (isApiKey(token)) return viewerOfKey(deps, await getKey(hash));
    const row = await findSession(hash);
    const now = deps.clock();
    if (row.expire_time <= now || row.status !== UserStatus.enabled) throw errors.badToken();
    if (now - row.last_used_time > lastUsedPrecision) noteUse(deps, row.session_id, now);
    return { id: row.user_id, isAdmin: row.is_admin === 1, sessionId: row.session_id };
  };
}

function prepareFind({ db }: Deps): Prepared<SessionRow> {
  return prepare<SessionRow>(db, (query, arg) =>
    query
      .selectFrom('sessions')
      .innerJoin('users', 'users.id', 'sessions.user_id')
      .select([
        'sessions.id as session_id',
        'sessions.last_used_time',
        'sessions.expire_time',
        'users.id as user_id',
        'users.is_admin',
        'users.status',
      ])
      .where('sessions.token_hash', '=', arg<string>('token_hash')),
  );
}

/** In the background: a sign-in's last use is a convenience, and no request waits or fails for it. */
function noteUse({ db, log }: Deps, sessionId: number, now: number): void {
  db.kysely
    .updateTable('sessions')
    .set({ last_used_time: now })
    .where('id', '=', sessionId)
    .execute()
    .catch((error: unknown) => log.warn({ err: error }, 'the last use of a session was not noted'));
}

/**
 * Starts a session and returns its token, which is not kept. The oldest session goes when there are too many. Throws
 * wrongLogin where the account was disabled or got another password since `user` was read: what ended its sessions must
 * not miss this one.
 */
export async function startSession(
  deps: Deps,
  { id: userId, password_hash }: Pick<UserRow, 'id' | 'password_hash'>,
  place: SessionPlace,
): Promise<string> {
  const token = newToken();
  const now = deps.clock();
  await deps.db.kysely.transaction().execute(async (transaction) => {
    const user = await lockEnabled(transaction, userId);
    if (user?.password_hash !== password_hash) throw errors.wrongLogin();
    await transaction
      .insertInto('sessions')
      .values({
        user_id: userId,
        token_hash: tokenHash(token),
        user_agent: place.userAgent.slice(0, 200),
        ip: place.ip,
        create_time: now,
        last_used_time: now,
        expire_time: now + deps.config.tokenTtl,
      })
      .execute();
    await dropOldest(transaction, userId);
  });
  return token;
}

async function dropOldest(transaction: Transaction, userId: number): Promise<void> {
  const surplus = await transaction
    .selectFrom('sessions')
    .select('id')
    .where('user_id', '=', userId)
    .orderBy('id', 'desc')
    .limit(1)
    .offset(maxSessions)
    .executeTakeFirst();
  if (!surplus) return;
  await transaction
    .deleteFrom('sessions')
    .where('user_id', '=', userId)
    .where('id', '<=', surplus.id)
    .execute();
}

export async function endSession({ db }: Deps, sessionId: number): Promise<void> {
  await db.kysely.deleteFrom('sessions').where('id', '=', sessionId).execute();
}

/** Ends a user's sessions, all of them or all but one. */
export async function endSessions(
  kysely: Deps['db']['kysely'],
  userId: number,
  exceptSessionId?: number,
): Promise<void> {
  await kysely
    .deleteFrom('sessions')
    .where('user_id', '=', userId)
    .$if(exceptSessionId !== undefined, (query) => query.where('id', '!=', exceptSessionId!))
    .execute();
}
