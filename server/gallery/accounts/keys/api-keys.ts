/** Creates, lists and deletes API keys. A key is shown once when it is created, and stored as a hash. */

import type { Selectable } from 'kysely';
import type { Deps } from '../../../deps.ts';
import { countRows } from '../../../platform/db/rows.ts';
import type { ApiKeysTable } from '../../../platform/db/tables.ts';
import { errors, invalidFieldsError } from '../../../platform/errors/catalogue.ts';
import { timeText } from '../../../platform/http/time.ts';
import { hasSession } from '../../identity/sessions.ts';
import { newApiKey, tokenHash } from '../../identity/tokens.ts';
import { lockEnabledUser } from '../../identity/users.ts';
import type { Viewer } from '../../identity/viewer.ts';
import { recordOwnAccountAct, refuseManyActs } from '../../moderation/audit.ts';

const maxKeys = 50;
const secondsOfDay = 86_400;

interface NewKey {
  name: string;
  canWrite: boolean;
  /** Days until the key expires, or undefined for a key that never expires. */
  days: number | undefined;
}

export type ApiKeyRow = Selectable<ApiKeysTable>;

/**
 * Creates an API key and returns its row and the key, which is stored only as a hash. Throws invalid if the user
 * has too many keys, and tooManyRequests if the user made too many in a day. Throws badToken if the session has
 * ended, because revoking sessions and keys together must not miss a new key.
 */
export async function createApiKey(
  deps: Deps,
  { id: userId, sessionId }: Viewer,
  wanted: NewKey,
): Promise<{ row: ApiKeyRow; token: string }> {
  const token = newApiKey();
  const now = deps.clock();
  const row = await deps.db.kysely.transaction().execute(async (transaction) => {
    const isEnabled = (await lockEnabledUser(transaction, userId)) !== undefined;
    if (!isEnabled || !(await hasSession(transaction, sessionId))) throw errors.badToken();
    const n = await countRows(transaction.selectFrom('api_keys').where('user_id', '=', userId));
    if (n >= maxKeys)
      throw invalidFieldsError({ name: [`There are already ${maxKeys} keys; delete one first`] });
    await refuseManyActs(deps, transaction, userId, 'key.create');
    const made = await transaction
      .insertInto('api_keys')
      .values({
        user_id: userId,
        name: wanted.name,
        token_hash: tokenHash(token),
        can_write: wanted.canWrite ? 1 : 0,
        create_time: now,
        last_used_time: null,
        rate_limit: null,
        expire_time: wanted.days === undefined ? null : now + wanted.days * secondsOfDay,
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    await recordOwnAccountAct(deps, transaction, userId, 'key.create', {
      key: made.id,
      can_write: wanted.canWrite,
    });
    return made;
  });
  return { row, token };
}

/** Returns the user's API keys, newest first. */
export function listApiKeys({ db }: Deps, userId: number): Promise<ApiKeyRow[]> {
  return db.kysely
    .selectFrom('api_keys')
    .selectAll()
    .where('user_id', '=', userId)
    .orderBy('id', 'desc')
    .execute();
}

/**
 * Returns the number of valid API keys by user id. Users without a key are missing from the map. `now` is in Unix
 * seconds.
 */
export async function countApiKeys(
  kysely: Deps['db']['kysely'],
  userIds: number[],
  now: number,
): Promise<Map<number, number>> {
  if (userIds.length === 0) return new Map();
  const rows = await kysely
    .selectFrom('api_keys')
    .select(['user_id', (is) => is.fn.countAll<number>().as('n')])
    .where('user_id', 'in', userIds)
    .where((is) => is.or([is('expire_time', 'is', null), is('expire_time', '>', now)]))
    .groupBy('user_id')
    .execute();
  return new Map(rows.map(({ user_id, n }) => [user_id, n]));
}

/** Deletes an API key. Throws notFound if the user has no such key. */
export async function deleteApiKey(deps: Deps, userId: number, id: number): Promise<void> {
  await deps.db.kysely.transaction().execute(async (transaction) => {
    const { numDeletedRows } = await transaction
      .deleteFrom('api_keys')
      .where('id', '=', id)
      .where('user_id', '=', userId)
      .executeTakeFirst();
    if (numDeletedRows === 0n) throw errors.notFound();
    await recordOwnAccountAct(deps, transaction, userId, 'key.delete', { key: id });
  });
}

/** Returns an API key as responses show it. */
export function presentKey(row: ApiKeyRow) {
  const scopes: ('read' | 'write')[] = row.can_write === 1 ? ['read', 'write'] : ['read'];
  return {
    id: row.id,
    name: row.name,
    scopes,
    create_time: timeText(row.create_time),
    last_used_time: row.last_used_time === null ? '' : timeText(row.last_used_time),
    expire_time: row.expire_time === null ? '' : timeText(row.expire_time),
  };
}
