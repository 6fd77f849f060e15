/** Manages sessions. Each sign-in creates a row, which requests find by the hash of the token, like API keys. */

import type { FastifyRequest } from 'fastify';
import { sql } from 'kysely';
import type { Config } from '../../config.ts';
import type { Deps } from '../../deps.ts';
import { prepareRead } from '../../platform/db/prepared.ts';
import { UserStatus } from '../../platform/db/states.ts';
import type { UserRow } from '../../platform/db/tables.ts';
import { errors } from '../../platform/errors/catalogue.ts';
import { maxClockSkew } from '../../platform/process/clock.ts';
import type { RequestAttempt } from './attempts/watch.ts';
import { mayUseSessionCookie, readSessionCookie } from './cookie.ts';
import { membersOnlyColumn } from './members-only.ts';
import { computeIdleLimit, deleteSurplusSessions } from './surplus-sessions.ts';
import { isApiKey, isTokenText, newToken, readBearer, tokenHash } from './tokens.ts';
import { lockEnabledUser } from './users.ts';
import type { Viewer } from './viewer.ts';

/**
 * Precision in seconds of the last use in a session's row, or a tenth of SESSION_IDLE if that is less. Most
 * requests therefore need no write.
 */
const lastUsedPrecision = 900;

/** Row of a session or an API key, with its account. */
interface Credential {
  id: number;
  last_used_time: number | null;
  expire_time: number | null;
  can_write: number;
  rate_limit: number | null;
  members_only: number;
  user_id: number;
  is_admin: number;
  status: number;
}

export interface SessionClient {
  userAgent: string;
  ip: string;
  /** Token of the browser's previous session, which ends when the new session starts. */
  replaced?: string | undefined;
}

/**
 * Returns a function that finds the viewer of a request by its token or its cookie, or undefined for an anonymous
 * request.
 */
export function createFindViewer(deps: Deps) {
  const find = {
    sessions: prepareFind(deps, 'sessions'),
    api_keys: prepareFind(deps, 'api_keys'),
  };
  const recordUse = createRecordUse(deps);
  const precision = lastUsedPrecisionFor(deps.config);

  /**
   * Returns whether a session has expired by SESSION_IDLE. A request that found the session valid can finish,
   * because a long upload is a use of the session.
   */
  const isIdle = (request: FastifyRequest, { id, last_used_time }: Credential, now: number) =>
    (last_used_time ?? 0) <= computeIdleLimit(deps.config, now) && request.viewer?.sessionId !== id;

  async function findCredential(
    request: FastifyRequest,
    kind: CredentialTable,
    token: string,
  ): Promise<Credential | undefined> {
    const [found] = await find[kind]({ token_hash: tokenHash(token) });
    const now = deps.clock();
    // Requests for images also look up the viewer, but record no attempt.
    const attempt: RequestAttempt | undefined = request.attempt;
    if (attempt) attempt.account = found?.user_id;
    if (!found || (found.expire_time ?? Number.POSITIVE_INFINITY) <= now) return undefined;
    if (found.status !== UserStatus.enabled) return undefined;
    if (kind === 'sessions' && isIdle(request, found, now)) return undefined;
    const unnoted = now - (found.last_used_time ?? 0);
    // Overwrite a last use in the future, written by a clock running ahead, because the session would not become
    // idle until then.
    if (unnoted > precision || unnoted < -maxClockSkew) recordUse(kind, found.id, now);
    return found;
  }

  /** Returns the viewer by the text after `Bearer` in the authorization header. Throws badToken. */
  async function findByToken(request: FastifyRequest, token: string): Promise<Viewer> {
    if (!isTokenText(token)) throw errors.badToken();
    const kind = isApiKey(token) ? 'api_keys' : 'sessions';
    const found = await findCredential(request, kind, token);
    if (!found) throw errors.badToken();
    const viewer = toViewer(found);
    if (kind === 'sessions') return { ...viewer, sessionId: found.id };
    const { id: keyId, rate_limit: keyRateLimit, can_write } = found;
    return { ...viewer, sessionId: 0, keyId, keyRateLimit, isReadOnly: can_write === 0 };
  }

  /**
   * Returns the viewer by the session cookie. Browsers send an expired cookie with every request, so an invalid
   * cookie means an anonymous viewer. Throws forbidden.
   */
  async function findByCookie(request: FastifyRequest, token: string): Promise<Viewer | undefined> {
    if (!mayUseSessionCookie(request, deps.config)) return undefined;
    const found = await findCredential(request, 'sessions', token);
    return found && { ...toViewer(found), sessionId: found.id, hasCookie: true };
  }

  return async (request: FastifyRequest): Promise<Viewer | undefined> => {
    const bearer = readBearer(request.headers.authorization);
    if (bearer !== undefined) return findByToken(request, bearer);
    const token = readSessionCookie(request, deps.config);
    return token === undefined ? undefined : findByCookie(request, token);
  };
}

function toViewer({ user_id, is_admin, members_only }: Credential) {
  return { id: user_id, isAdmin: is_admin === 1, isMembersOnly: members_only === 1 };
}

/**
 * Returns a function that marks a session as used while a request body arrives, which may take hours. Otherwise,
 * parallel requests of the same session could find the session idle, on any server.
 */
export function createTouchSession(deps: Deps) {
  const recordUse = createRecordUse(deps);
  const precision = lastUsedPrecisionFor(deps.config);

  return (request: FastifyRequest): void => {
    const now = deps.clock();
    if (!request.viewer?.sessionId || now - request.useRecordedTime <= precision) return;
    request.useRecordedTime = now;
    recordUse('sessions', request.viewer.sessionId, now);
  };
}

/** Returns the precision of `last_used_time` in seconds. */
function lastUsedPrecisionFor({ sessionIdle }: Config): number {
  return sessionIdle > 0 ? Math.min(lastUsedPrecision, sessionIdle / 10) : lastUsedPrecision;
}

type CredentialTable = 'sessions' | 'api_keys';

function prepareFind({ db, config }: Deps, kind: CredentialTable) {
  const canWrite = kind === 'api_keys' ? sql<number>`can_write` : sql<number>`1`;
  const rateLimit = kind === 'api_keys' ? sql<number | null>`rate_limit` : sql<null>`null`;
  // The tables `sessions` and `api_keys` both have the columns of this query, so one cast is enough.
  const table = kind as 'api_keys';
  return prepareRead<Credential>(db, (query, arg) =>
    query
      .selectFrom(table)
      .innerJoin('users', 'users.id', `${table}.user_id`)
      .select([`${table}.id`, `${table}.last_used_time`, `${table}.expire_time`, canWrite.as('can_write')])
      .select(rateLimit.as('rate_limit'))
      .select(['users.id as user_id', 'users.is_admin', 'users.status'])
      .select(membersOnlyColumn(config))
      .where(`${table}.token_hash`, '=', arg<string>('token_hash')),
  );
}

/**
 * Returns a function that writes the last use of a session or key in the background, once for parallel requests. No
 * request waits or fails because of the write, and the next request retries it.
 */
function createRecordUse({ db, log }: Deps) {
  const underWay = new Set<string>();

  return (kind: CredentialTable, id: number, now: number): void => {
    const key = kind + id;
    if (underWay.has(key)) return;
    underWay.add(key);
    db.kysely
      .updateTable(kind)
      .set({ last_used_time: now })
      .where('id', '=', id)
      .execute()
      .catch((error: unknown) => log.warn({ err: error, kind }, 'the last use of a token could not be saved'))
      .finally(() => underWay.delete(key));
  };
}

/**
 * Starts a session and returns its token, which is stored only as a hash. Deletes the user's least recently used
 * session if there are too many. Throws wrongLogin if the account was disabled or its password changed after `user` was
 * read, because that change revoked all sessions.
 */
export async function startSession(
  deps: Deps,
  { id: userId, password_hash }: Pick<UserRow, 'id' | 'password_hash'>,
  place: SessionClient,
): Promise<string> {
  const token = newToken();
  const now = deps.clock();
  await deps.db.kysely.transaction().execute(async (transaction) => {
    const user = await lockEnabledUser(transaction, userId);
    if (user?.password_hash !== password_hash) throw errors.wrongLogin();
    if (place.replaced !== undefined) {
      // The browser's previous session may belong to another account.
      await transaction.deleteFrom('sessions').where('token_hash', '=', tokenHash(place.replaced)).execute();
    }
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
    await deleteSurplusSessions(deps, transaction, userId);
  });
  return token;
}

/** Finds a session and its user by the session token, or undefined if the session has expired. */
export function findSession({ db, clock, config }: Deps, token: string) {
  return db.kysely
    .selectFrom('sessions')
    .select(['id', 'user_id'])
    .where('token_hash', '=', tokenHash(token))
    .where('expire_time', '>', clock())
    .where('last_used_time', '>', computeIdleLimit(config, clock()))
    .executeTakeFirst();
}

export async function hasSession(kysely: Deps['db']['kysely'], id: number): Promise<boolean> {
  const session = await kysely.selectFrom('sessions').select('id').where('id', '=', id).executeTakeFirst();
  return session !== undefined;
}

export async function deleteSession({ db }: Deps, sessionId: number): Promise<void> {
  await db.kysely.deleteFrom('sessions').where('id', '=', sessionId).execute();
}

/** Deletes all sessions of a user, or all but one. Returns the number of deleted rows. */
export async function deleteSessions(
  kysely: Deps['db']['kysely'],
  userId: number,
  exceptSessionId?: number,
): Promise<number> {
  const { numDeletedRows } = await kysely
    .deleteFrom('sessions')
    .where('user_id', '=', userId)
    .$if(exceptSessionId !== undefined, (query) => query.where('id', '!=', exceptSessionId!))
    .executeTakeFirst();
  return Number(numDeletedRows);
}

/**
 * Returns whether the account has an active session from this IP address, so that a client there is not a stranger.
 */
export async function hasSessionFromAddress(
  { db, clock, config }: Deps,
  userId: number | undefined,
  ip: string,
): Promise<boolean> {
  const session = await db.kysely
    .selectFrom('sessions')
    .select('id')
    .where('user_id', '=', userId ?? 0)
    .where('ip', '=', ip)
    .where('expire_time', '>', clock())
    .where('last_used_time', '>', computeIdleLimit(config, clock()))
    .executeTakeFirst();
  return session !== undefined;
}
