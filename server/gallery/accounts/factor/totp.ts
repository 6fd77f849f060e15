/**
 * Implements the second factor: six-digit codes that change every 30 seconds (RFC 6238), as authenticator apps show
 * them. The secret is encrypted with the gallery's key and never returned again. Each code is valid once.
 */

import type { Deps } from '../../../deps.ts';
import type { Transaction, UserRow } from '../../../platform/db/tables.ts';
import { errors } from '../../../platform/errors/catalogue.ts';
import type { Language } from '../../../platform/http/language.ts';
import { renderQrCode } from '../../../platform/imaging/qr-code.ts';
import { maxClockSkew } from '../../../platform/process/clock.ts';
import { hasSession } from '../../identity/sessions.ts';
import { readSiteSettings } from '../../identity/site-settings.ts';
import { tokenHash } from '../../identity/tokens.ts';
import { lockEnabledUser } from '../../identity/users.ts';
import type { Viewer } from '../../identity/viewer.ts';
import { recordOwnAccountAct, refuseManyActs } from '../../moderation/audit.ts';
import { queueSecurityNotice } from '../notify-owner.ts';
import { lockIfPasswordUnchanged } from '../password.ts';
import { consumeCodeOnce } from '../used-once.ts';
import { consumeRecoveryCode, createRecoveryCodes, deleteRecoveryCodes } from './recovery-codes.ts';

const totpPeriodSeconds = 30;
/**
 * Number of 30-second periods before and after the current one whose authenticator codes are valid, because clocks
 * differ.
 */
const acceptedStepsAround = 1;
const skewSteps = 2 * acceptedStepsAround + maxClockSkew / totpPeriodSeconds;
/** Bytes of the secret of a second factor, as RFC 4226 recommends. */
const secretBytes = 20;

/** Loads the library for authenticator codes at the first use, because many galleries have no second factor. */
const loadTotpLibrary = () => import('otpauth');

const sealContext = (userId: number) => `second factor of ${userId}`;

export async function hasSecondFactor(
  { kysely }: Pick<Deps['db'], 'kysely'>,
  userId: number,
): Promise<boolean> {
  const factor = await kysely
    .selectFrom('factors')
    .select('user_id')
    .where('user_id', '=', userId)
    .where('is_on', '=', 1)
    .executeTakeFirst();
  return factor !== undefined;
}

/**
 * Stores a new secret for a second factor and replaces an unconfirmed one. `user` is the account whose password was
 * given. Throws forbidden if a second factor is on.
 */
export async function createSecondFactor(deps: Deps, user: UserRow) {
  const { Secret, TOTP } = await loadTotpLibrary();
  const secret = new Secret({ size: secretBytes });
  const fresh = {
    secret: deps.secret.seal(secret.base32, sealContext(user.id)),
    last_step: 0,
    create_time: deps.clock(),
  };
  await deps.db.kysely.transaction().execute(async (transaction) => {
    await lockIfPasswordUnchanged(transaction, user);
    if (await hasSecondFactor({ kysely: transaction }, user.id))
      throw errors.forbidden({ message: 'Two-step verification is already on' });
    await transaction
      .insertInto('factors')
      .values({ user_id: user.id, is_on: 0, ...fresh })
      .onConflict((conflict) => conflict.column('user_id').doUpdateSet(fresh))
      .execute();
  });
  const url = new TOTP({
    issuer: (await readSiteSettings(deps.config, deps.db.kysely)).name,
    label: user.username,
    secret,
    period: totpPeriodSeconds,
  }).toString();
  return { secret: secret.base32, url, qr_code: await renderQrCode(url) };
}

/**
 * Turns on the second factor by its first code and returns the recovery codes, which are stored only as hashes.
 * Throws wrongCode, or badToken if the session has ended.
 */
export function confirmSecondFactor(
  deps: Deps,
  { id, sessionId }: Pick<Viewer, 'id' | 'sessionId'>,
  { code, language }: { code: string; language: Language },
): Promise<string[]> {
  return deps.db.kysely.transaction().execute(async (transaction) => {
    const isEnabled = (await lockEnabledUser(transaction, id)) !== undefined;
    if (!isEnabled || !(await hasSession(transaction, sessionId))) throw errors.badToken();
    if (!(await consumeCode(deps, transaction, id, code, 0))) throw errors.wrongCode();
    await refuseManyActs(deps, transaction, id, 'user.update');
    await transaction.updateTable('factors').set({ is_on: 1 }).where('user_id', '=', id).execute();
    await recordOwnAccountAct(deps, transaction, id, 'user.update', { second_factor: true });
    await queueSecurityNotice(deps, transaction, id, { kind: 'factor_on', language });
    return createRecoveryCodes(transaction, id);
  });
}

/** Consumes a code of the authenticator app or a recovery code. Throws wrongCode. */
export async function verifySecondFactor(
  deps: Deps,
  transaction: Transaction,
  user: Pick<UserRow, 'id'>,
  { code, language }: { code: string; language: Language },
): Promise<void> {
  if (await consumeCode(deps, transaction, user.id, code, 1)) return;
  const left = await consumeRecoveryCode(transaction, user.id, code);
  if (left === undefined) throw errors.wrongCode();
  await recordOwnAccountAct(deps, transaction, user.id, 'user.update', { recovery_codes_left: left });
  await queueSecurityNotice(deps, transaction, user.id, { kind: 'recovery_code_used', language });
}

/**
 * Checks a code of the app and records its time step in the factor's row, so that the same or an older code is
 * refused. Returns whether the code is valid.
 */
async function consumeCode(
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
  const secret = factor && deps.secret.unseal(factor.secret, sealContext(userId));
  if (secret === undefined) {
    if (factor)
      deps.log.warn({ user: userId }, 'cannot decrypt the secret of a second factor: was SECRET changed?');
    return false;
  }
  const { Secret, TOTP } = await loadTotpLibrary();
  const now = deps.clock();
  const totp = {
    token: code,
    secret: Secret.fromBase32(secret),
    period: totpPeriodSeconds,
    timestamp: now * 1000,
    window: acceptedStepsAround,
  };
  const delta = TOTP.validate(totp);
  if (delta === null) return false;
  const step = Math.floor(now / totpPeriodSeconds) + delta;
  const { numUpdatedRows } = await transaction
    .updateTable('factors')
    .set({ last_step: step })
    .where('user_id', '=', userId)
    // If a clock far ahead accepted a code, later codes must not be refused until that time.
    .where((is) => is.or([is('last_step', '<', step), is('last_step', '>', step + skewSteps)]))
    .executeTakeFirst();
  if (numUpdatedRows !== 1n) return false;
  // After a clock moves back, old codes would be valid again. Each used code is therefore recorded together with
  // its secret's hash.
  const used = `code ${step} of ${tokenHash(factor!.secret)}`;
  return consumeCodeOnce(deps, transaction, used, (step + 1 + acceptedStepsAround) * totpPeriodSeconds);
}

/** Deletes the second factor and the recovery codes. Returns whether there was a second factor. */
export async function deleteSecondFactor(transaction: Transaction, userId: number): Promise<boolean> {
  await deleteRecoveryCodes(transaction, userId);
  const { numDeletedRows } = await transaction
    .deleteFrom('factors')
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return numDeletedRows === 1n;
}
