/**
 * The audit log: what admins, the command line and the owners of accounts did, written in the transaction of the act
 * itself. Attempts (identity/attempts) stand in the same log.
 */
import type { Kysely } from 'kysely';
import type { Deps } from '../../deps.ts';
import { fold } from '../../platform/db/fold.ts';
import type { Tables, Transaction } from '../../platform/db/tables.ts';
import { errors } from '../../platform/errors/catalogue.ts';
import { maxClockSkew } from '../../platform/process/clock.ts';
import type { Viewer } from '../identity/viewer.ts';

const acts = [
  'user.create',
  'user.update',
  'user.delete',
  'photo.update',
  'photo.edit',
  'photo.delete',
  'photo.restore',
  'photo.purge',
  'album.update',
  'album.delete',
  'comment.update',
  'comment.delete',
  'share.update',
  'share.delete',
  'report.handle',
  'invite.create',
  'invite.delete',
  'key.create',
  'key.delete',
  'passkey.create',
  'passkey.delete',
] as const;
type ActName = (typeof acts)[number];

/** What is tried at the doors of accounts, beside the acts that it may come to. */
const attempts = [
  'login.password',
  'login.second',
  'login.passkey',
  'login.oidc',
  'oidc.link',
  'password.forgot',
  'password.reset',
  'password.change',
  'email.change',
  'email.confirm',
  'factor.create',
  'factor.confirm',
  'factor.codes',
  'factor.delete',
  'session.delete',
  'setup.use',
  'token.use',
  'admin.use',
] as const;

export const actions = [...acts, ...attempts] as const;
export type Action = (typeof actions)[number];

/** The actor of what the command line does. No username has a space. */
export const commandLine = 'command line';
export type Actor = Pick<Viewer, 'id'> | typeof commandLine;

export interface Act {
  action: ActName;
  /** `name`: what the thing is called now; it may be gone when the log is read. */
  target: {
    type: 'user' | 'photo' | 'album' | 'comment' | 'share' | 'report' | 'invite';
    id: number;
    name: string;
  };
  /** What else is worth knowing: never a password, never a text that a user wrote. */
  details?: Record<string, unknown>;
}

export async function audit(
  { clock }: Pick<Deps, 'clock'>,
  transaction: Transaction,
  actor: Actor,
  { action, target, details = {} }: Act,
): Promise<void> {
  const name = await usernameOf(transaction, actor);
  await transaction
    .insertInto('audit_log')
    .values({
      actor_id: actor === commandLine ? null : actor.id,
      actor: name,
      actor_key: fold(name),
      action,
      target_type: target.type,
      target_id: target.id,
      target: target.name,
      details: JSON.stringify(details),
      create_time: clock(),
    })
    .execute();
}

/** For the endpoints of everybody: only what an admin does to other people's things is written down. */
export async function auditIfOthers(
  deps: Pick<Deps, 'clock'>,
  transaction: Transaction,
  viewer: Viewer,
  owner: { user_id: number },
  act: Act,
): Promise<void> {
  if (viewer.isAdmin && owner.user_id !== viewer.id) await audit(deps, transaction, viewer, act);
}

/** What the owner of an account does to it. */
export async function auditOwn(
  deps: Pick<Deps, 'clock'>,
  transaction: Transaction,
  userId: number,
  action: ActName,
  details?: Record<string, unknown>,
): Promise<void> {
  const actor = { id: userId };
  const name = await usernameOf(transaction, actor);
  const target = { type: 'user', id: userId, name } as const;
  await audit(deps, transaction, actor, { action, target, ...(details && { details }) });
}

/** Acts of one kind that an account may do to itself in a day. The log keeps acts for good: no account may fill it. */
const maxOwnActs = 100;
const secondsOfDay = 86_400;

/**
 * Refuses what an account does to itself too often, before it is done. Not for what must always be possible: to delete
 * keys, to end a second factor, to reset a password by mail. The account is locked. Throws tooManyRequests.
 */
export async function refuseManyActs(
  { clock }: Pick<Deps, 'clock'>,
  transaction: Transaction,
  userId: number,
  action: ActName,
): Promise<void> {
  const now = clock();
  const oldest = await transaction
    .selectFrom('audit_log')
    .select('create_time')
    .where('attempt_key', 'is', null)
    .where('actor_id', '=', userId)
    .where('action', '=', action)
    // A clock that was ahead wrote acts of later days.
    .where((is) => is.between('create_time', now - secondsOfDay + 1, now + maxClockSkew))
    .where('target_type', '=', 'user')
    .where('target_id', '=', userId)
    .orderBy('create_time', 'desc')
    .offset(maxOwnActs - 1)
    .limit(1)
    .executeTakeFirst();
  if (!oldest) return;
  const retryAfter = Math.max(1, oldest.create_time + secondsOfDay - now);
  throw errors.tooManyRequests({ message: `At most ${maxOwnActs} such changes a day`, retryAfter });
}

export async function usernameOf(kysely: Kysely<Tables>, actor: Actor): Promise<string> {
  if (actor === commandLine) return commandLine;
  const { username } = await kysely
    .selectFrom('users')
    .select('username')
    .where('id', '=', actor.id)
    .executeTakeFirstOrThrow();
  return username;
}
