/**
 * The second factor: codes of six digits that change every half a minute (RFC 6238), as authenticator apps make them.
 * The secret is encrypted by the gallery's own and never answered again; each code is good once.
 */
import type { Deps } from '../../../deps.ts';
import type { Transaction, UserRow } from '../../../platform/db/tables.ts';
import { errors } from '../../../platform/errors/catalogue.ts';
import type { Language } from '../../../platform/http/language.ts';
import { qrCodeOf } from '../../../platform/imaging/qr-code.ts';
import { maxClockSkew } from '../../../platform/process/clock.ts';
import { hasSession } from '../../identity/sessions.ts';
import { tokenHash } from '../../identity/tokens.ts';
import { lockEnabled } from '../../identity/users.ts';
import type { Viewer } from '../../identity/viewer.ts';
import { auditOwn, refuseManyActs } from '../../moderation/audit.ts';
import { lockProven } from '../password.ts';
import { tellOwner } from '../safety.ts';
import { takeOnce } from '../used-once.ts';
import { endCodes, makeCodes, spendCode } from './recovery-codes.ts';

const period = 30;
/** Clocks differ: the code before and the one after are good, too. */
const window = 1;
const skewSteps = 2 * window + maxClockSkew / period;
/** Of RFC 4226. */
const secretBytes = 20;

/** Loaded when the first factor is begun or asked for: many galleries have none. */
const library = () => import('otpauth');

const sealed = (userId: number) => `second factor of ${userId}`;

export async function hasFactor({ kysely }: Pick<Deps['db'], 'kysely'>, userId: number): Promise<boolean> {
  const factor = await kysely
    .selectFrom('factors')
    .select('user_id')
    .where('user_id', '=', userId)
    .where('is_on', '=', 1)
    .executeTakeFirst();
  return factor !== undefined;
}

/** Begins anew where it was begun before. `user`: who gave the password. Throws forbidden where one is on. */
export async function beginFactor(deps: Deps, user: UserRow) {
  const { Secret, TOTP } = await library();
  const secret = new Secret({ size: secretBytes });
  const fresh = {
    secret: deps.secret.seal(secret.base32, sealed(user.id)),
    last_step: 0,
    create_time: deps.clock(),
  };
  await deps.db.kysely.transaction().execute(async (transaction) => {
    await lockProven(transaction, user);
    if (await hasFactor({ kysely: transaction }, user.id))
      throw errors.forbidden({ message: 'One is on already' });
    await transaction
      .insertInto('factors')
      .values({ user_id: user.id, is_on: 0, ...fresh })
      .onConflict((conflict) => conflict.column('user_id').doUpdateSet(fresh))
      .execute();
  });
  const url = new TOTP({ issuer: deps.config.siteName, label: user.username, secret, period }).toString();
  return { secret: secret.base32, url, qr_code: await qrCodeOf(url) };
}

/**
 * Switches it on by its first code; returns the recovery codes, which are not kept. Throws wrongCode, and badToken when
 * the session has ended meanwhile.
 */
export function confirmFactor(
  deps: Deps,
  { id, sessionId }: Pick<Viewer, 'id' | 'sessionId'>,
  { code, language }: { code: string; language: Language },
): Promise<string[]> {
  return deps.db.kysely.transaction().execute(async (transaction) => {
    const isEnabled = (await lockEnabled(transaction, id)) !== undefined;
    if (!isEnabled || !(await hasSession(transaction, sessionId))) throw errors.badToken();
    if (!(await takeCode(deps, transaction, id, code, 0))) throw errors.wrongCode();
    await refuseManyActs(deps, transaction, id, 'user.update');
    await transaction.updateTable('factors').set({ is_on: 1 }).where('user_id', '=', id).execute();
    await auditOwn(deps, transaction, id, 'user.update', { second_factor: true });
    await tellOwner(deps, transaction, id, { kind: 'factor_on', language });
    return makeCodes(transaction, id);
  });
}

/** A code of the app or a recovery code, once. Throws wrongCode. */
export async function useSecondFactor(
  deps: Deps,
  transaction: Transaction,
  user: Pick<UserRow, 'id'>,
  { code, language }: { code: string; language: Language },
): Promise<void> {
  if (await takeCode(deps, transaction, user.id, code, 1)) return;
  const left = await spendCode(transaction, user.id, code);
  if (left === undefined) throw errors.wrongCode();
  await auditOwn(deps, transaction, user.id, 'user.update', { recovery_codes_left: left });
  await tellOwner(deps, transaction, user.id, { kind: 'recovery_code_used', language });
}

/** The row is moved on to the code's step: what comes later with the same code, or an older one, finds it there. */
async function takeCode(
  deps: Deps,
  transaction: Transaction,
  userId: number,
  code: string,
  isOn: 0 | 1,
): Promise<boolean> {
  if (!/^\d{6}$/.test(code)) return false;
  const factor = await transaction
    .selectFrom('factors')
    .select('secret')
    .where('user_id', '=', userId)
    .where('is_on', '=', isOn)
    .executeTakeFirst();
  const secret = factor && deps.secret.unseal(factor.secret, sealed(userId));
  if (secret === undefined) {
    if (factor) deps.log.warn({ user: userId }, 'a second factor cannot be read: was SECRET changed?');
    return false;
  }
  const { Secret, TOTP } = await library();
  const now = deps.clock();
  const totp = { token: code, secret: Secret.fromBase32(secret), period, timestamp: now * 1000, window };
  const delta = TOTP.validate(totp);
  if (delta === null) return false;
  const step = Math.floor(now / period) + delta;
  const { numUpdatedRows } = await transaction
    .updateTable('factors')
    .set({ last_step: step })
    .where('user_id', '=', userId)
    // A code used by a clock that was far ahead must not refuse all those until then.
    .where((is) => is.or([is('last_step', '<', step), is('last_step', '>', step + skewSteps)]))
    .executeTakeFirst();
  if (numUpdatedRows !== 1n) return false;
  // A clock that goes back comes to codes of before once more: each is remembered for itself, by its secret.
  const used = `code ${step} of ${tokenHash(factor!.secret)}`;
  return takeOnce(deps, transaction, used, (step + 1 + window) * period);
}

/** Whether there was one. */
export async function endFactor(transaction: Transaction, userId: number): Promise<boolean> {
  await endCodes(transaction, userId);
  const { numDeletedRows } = await transaction
    .deleteFrom('factors')
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return numDeletedRows === 1n;
}
