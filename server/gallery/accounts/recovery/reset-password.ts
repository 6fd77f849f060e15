/**
 * Resets a forgotten password with a link that is sent by mail and valid once. No response reveals whether an
 * account exists.
 */
import type { FastifyRequest } from 'fastify';
import type { Deps } from '../../../deps.ts';
import { clientAddress, getIpAddressKey } from '../../../platform/connections/address.ts';
import { foldText } from '../../../platform/db/fold.ts';
import type { UserRow } from '../../../platform/db/tables.ts';
import { errors } from '../../../platform/errors/catalogue.ts';
import type { Language } from '../../../platform/http/language.ts';
import { createThrottle } from '../../../platform/http/rate-limiters.ts';
import type { SharedLimits } from '../../../platform/http/shared-limits.ts';
import { createPasswordHashing } from '../../identity/passwords.ts';
import { getUser } from '../../identity/users.ts';
import { queueMail } from '../../mail/outbox.ts';
import { recordOwnAccountAct } from '../../moderation/audit.ts';
import {
  noRevokedCredentials,
  type RevokedCredentialCounts,
  revokeCredentials,
  toRevokedCredentialDetails,
} from '../keys/revoke-access.ts';
import { findOneTimeLink, invalidLinkError, redeemAccountLink } from '../links.ts';
import { notifyPasswordChange, savePassword } from '../password.ts';
import { checkNewPassword } from '../password-rules.ts';
import type { PasswordReset } from './schema.ts';

/**
 * Maximum number of requests for a password reset per minute and client IP address. `perAccount` limits the requests
 * for one typed email address, even an unknown one.
 */
const requestsPerAddress = 10;
const requestsPerEmail = 3;

/**
 * Returns a function that requests a reset link. The function throws forbidden without a mail server, and
 * tooManyRequests.
 */
export function createRequestPasswordReset(deps: Deps, shared: SharedLimits) {
  const addresses = createThrottle(shared, 'forgot-address', requestsPerAddress);
  const accounts = createThrottle(shared, 'forgot-account', requestsPerEmail);

  return async (email: string, address: string, language: Language): Promise<void> => {
    if (!deps.config.mail)
      throw errors.forbidden({
        message: 'This gallery sends no mail. Ask an admin for a password reset link.',
      });
    await addresses.consume(address);
    await accounts.consume(foldText(email));
    // Queue a mail for every email address, so that the time of the response reveals nothing. The account is looked up
    // when the mail is sent.
    await deps.db.kysely
      .transaction()
      .execute((transaction) => queueMail(deps, transaction, { kind: 'reset', receiver: email, language }));
  };
}

/**
 * Returns a function that sets a new password by link and returns the revoked credentials. The function throws
 * forbidden for an invalid link, and tooManyRequests.
 */
export function createResetPassword(deps: Deps, shared: SharedLimits) {
  const throttle = createThrottle(shared, 'reset-address', requestsPerAddress);
  const passwords = createPasswordHashing(deps, shared);

  return async (
    { token, password, end_keys }: PasswordReset,
    request: FastifyRequest,
    language: Language,
  ): Promise<RevokedCredentialCounts> => {
    await throttle.consume(getIpAddressKey(clientAddress(request)));
    // Check the reset link before the expensive password hash.
    const link = await findOneTimeLink(deps, deps.db.kysely, 'reset', token);
    if (!link) throw invalidLinkError();
    request.attempt.account = link.user_id ?? undefined;
    // A password that the rules refuse leaves the reset link valid for another attempt.
    if (link.user_id !== null) await checkNewPassword(deps, password, await getUser(deps, link.user_id));
    const passwordHash = await passwords.hash(password);
    return deps.db.kysely.transaction().execute(async (transaction) => {
      const { user_id: id } = await redeemAccountLink(deps, transaction, 'reset', token);
      const user: Pick<UserRow, 'id' | 'email'> = await transaction
        .selectFrom('users')
        .select(['id', 'email'])
        .where('id', '=', id)
        .executeTakeFirstOrThrow();
      await savePassword(transaction, id, passwordHash);
      const ended = end_keys
        ? await revokeCredentials(deps, transaction, id, language)
        : noRevokedCredentials;
      await notifyPasswordChange(deps, transaction, user, language);
      const details = { password: true, by_link: true, ...toRevokedCredentialDetails(ended) };
      await recordOwnAccountAct(deps, transaction, id, 'user.update', details);
      return ended;
    });
  };
}
