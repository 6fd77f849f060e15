/**
 * Writes the audit log: acts of admins, of the command line and of account owners, in the transaction of each act.
 * The code in identity/attempts adds attempts, such as sign-ins, to the same log.
 */
import type { Kysely } from 'kysely';
import type { Deps } from '../../deps.ts';
import { foldText } from '../../platform/db/fold.ts';
import type { Tables, Transaction } from '../../platform/db/tables.ts';
import { errors } from '../../platform/errors/catalogue.ts';
import { maxClockSkew } from '../../platform/process/clock.ts';
import type { Viewer } from '../identity/viewer.ts';

const auditedActs = [
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
  'key.update',
  'key.delete',
  'passkey.create',
  'passkey.delete',
  'access.update',
  'site.update',
] as const;
type ActName = (typeof auditedActs)[number];

/** Attempts to sign in, to prove an identity or to use a privilege. A successful attempt may also write an act. */
const auditedAttempts = [
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
  'private.view',
] as const;

export const auditActions = [...auditedActs, ...auditedAttempts] as const;
export type AuditAction = (typeof auditActions)[number];

/**
 * Name of the actor for acts of the command line. Usernames contain no space, so the name cannot belong to a user.
 */
export const commandLineActor = 'command line';
export type Actor = Pick<Viewer, 'id'> | typeof commandLineActor;

export interface AuditedAct {
  action: ActName;
  /**
   * Thing that the act changed. `name` is the name at the time of the act, because the thing may be gone when an
   * admin reads the log.
   */
  target: {
    type: 'user' | 'photo' | 'album' | 'comment' | 'share' | 'report' | 'invite' | 'site';
    id: number;
    name: string;
  };
  /** Further facts about an act in the audit log. The facts contain no passwords and no texts that users wrote. */
  details?: Record<string, unknown>;
}

export async function recordAuditedAct(
  { clock }: Pick<Deps, 'clock'>,
  transaction: Transaction,
  actor: Actor,
  { action, target, details = {} }: AuditedAct,
): Promise<void> {
  const name = await getActorName(transaction, actor);
  await transaction
    .insertInto('audit_log')
    .values({
      actor_id: actor === commandLineActor ? null : actor.id,
      actor: name,
      actor_key: foldText(name),
      action,
      target_type: target.type,
      target_id: target.id,
      target: target.name,
      details: JSON.stringify(details),
      create_time: clock(),
    })
    .execute();
}

/**
 * Writes an act to the audit log only if an admin acts on another user's content. Routes that all users can call
 * use this function.
 */
export async function auditActOnOthers(
  deps: Pick<Deps, 'clock'>,
  transaction: Transaction,
  viewer: Viewer,
  owner: { user_id: number },
  act: AuditedAct,
): Promise<void> {
  if (viewer.isAdmin && owner.user_id !== viewer.id) await recordAuditedAct(deps, transaction, viewer, act);
}

/** Writes an act of a user on the user's own account to the audit log. */
export async function recordOwnAccountAct(
  deps: Pick<Deps, 'clock'>,
  transaction: Transaction,
  userId: number,
  action: ActName,
  details?: Record<string, unknown>,
): Promise<void> {
  const actor = { id: userId };
  const name = await getActorName(transaction, actor);
  const target = { type: 'user', id: userId, name } as const;
  await recordAuditedAct(deps, transaction, actor, { action, target, ...(details && { details }) });
}

/**
 * Maximum number of acts of one kind per day by an account on itself. The audit log keeps acts forever, so no
 * account may fill it.
 */
const maxOwnActs = 100;
const secondsOfDay = 86_400;

/**
 * Throws tooManyRequests if an account did the same act to itself too often within a day. The caller has locked the
 * account. Not used for acts that must always be possible: deleting keys, turning off a second factor, resetting a
 * password by mail.
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
    // Ignore acts that a clock running ahead dated on a later day.
    .where((is) => is.between('create_time', now - secondsOfDay + 1, now + maxClockSkew))
    .where('target_type', '=', 'user')
    .where('target_id', '=', userId)
    .orderBy('create_time', 'desc')
    .offset(maxOwnActs - 1)
    .limit(1)
    .executeTakeFirst();
  if (!oldest) return;
  const retryAfter = Math.max(1, oldest.create_time + secondsOfDay - now);
  throw errors.tooManyRequests({
    message: `You can make at most ${maxOwnActs} such changes a day. Try again tomorrow.`,
    retryAfter,
  });
}

export async function getActorName(kysely: Kysely<Tables>, actor: Actor): Promise<string> {
  if (actor === commandLineActor) return commandLineActor;
  const { username } = await kysely
    .selectFrom('users')
    .select('username')
    .where('id', '=', actor.id)
    .executeTakeFirstOrThrow();
  return username;
}
