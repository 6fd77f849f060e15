/**
 * Changes or confirms the email address of an account by a link that is sent to the email address. Without a mail
 * server, the change is immediate.
 */
import type { FastifyRequest } from 'fastify';
import type { Deps } from '../../../deps.ts';
import { clientAddress, getIpAddressKey } from '../../../platform/connections/address.ts';
import { UniqueViolation } from '../../../platform/db/dialect.ts';
import { foldText } from '../../../platform/db/fold.ts';
import type { Transaction, UserRow } from '../../../platform/db/tables.ts';
import { errors } from '../../../platform/errors/catalogue.ts';
import type { Language } from '../../../platform/http/language.ts';
import { createThrottle } from '../../../platform/http/rate-limiters.ts';
import type { SharedLimits } from '../../../platform/http/shared-limits.ts';
import { maxClockSkew } from '../../../platform/process/clock.ts';
import { getUser } from '../../identity/users.ts';
import type { Viewer } from '../../identity/viewer.ts';
import { queueMail } from '../../mail/outbox.ts';
import { recordOwnAccountAct, refuseManyActs } from '../../moderation/audit.ts';
import { createConfirmPassword } from '../confirm.ts';
import { deleteAccountLinks, redeemAccountLink } from '../links.ts';
import { lockIfPasswordUnchanged } from '../password.ts';
import type { EmailChange } from './schema.ts';

const requestsPerAddress = 10;
/**
 * Maximum number of new email addresses that an account can name per hour. Each email address receives a mail, and many
 * could belong to strangers.
 */
const newAddressesPerAccount = 5;

/**
 * Returns a function that changes the viewer's email address and returns the email address that the account has
 * afterwards. With a mail server, the response does not reveal whether another account has the new email address.
 * Throws wrongOldPassword, tooManyRequests, or emailTaken without a mail server.
 */
export function createChangeEmail(deps: Deps, shared: SharedLimits) {
  const confirm = createConfirmPassword(deps, shared);

  return async (viewer: Viewer, { email, password }: EmailChange, language: Language): Promise<string> => {
    const user = await confirm(viewer, password);
    const isSent = deps.config.mail !== undefined;
    await deps.db.kysely.transaction().execute(async (transaction) => {
      await lockIfPasswordUnchanged(transaction, user);
      if (!isSent) await refuseManyActs(deps, transaction, user.id, 'user.update');
      if (!isSent) return saveEmail(deps, transaction, user, { email, isConfirmed: false });
      await refuseTooManyChanges(deps, transaction, user.id);
      // Revoke the confirmation links of the user's earlier email address changes.
      await deleteAccountLinks(transaction, user.id);
      await queueMail(deps, transaction, { kind: 'email', receiver: email, language, user_id: user.id });
    });
    return isSent ? user.email : email;
  };
}

/** Throws tooManyRequests if the account named too many email addresses. Canceled mails count too. */
async function refuseTooManyChanges(
  { clock }: Deps,
  transaction: Transaction,
  userId: number,
): Promise<void> {
  const hour = 3600;
  const lately = await transaction
    .selectFrom('mails')
    .select('create_time')
    .where('user_id', '=', userId)
    .where('kind', '=', 'email')
    .where('create_time', '>', clock() - hour)
    // Ignore mail that a clock running ahead dated in the future.
    .where('create_time', '<=', clock() + maxClockSkew)
    .orderBy('create_time', 'desc')
    .offset(newAddressesPerAccount - 1)
    .limit(1)
    .executeTakeFirst();
  if (!lately) return;
  const retryAfter = Math.max(1, lately.create_time + hour - clock());
  throw errors.tooManyRequests({
    message: `You can request at most ${newAddressesPerAccount} addresses an hour. Try again later.`,
    retryAfter,
  });
}

/**
 * Returns a function that confirms an email address by a link. The link proves that its reader owns the email address,
 * but not that the reader owns the account, which a stranger may have created. The email address therefore counts as
 * confirmed only within a session of the account. The OpenID provider finds accounts by confirmed email addresses. The
 * function throws forbidden for an invalid link, emailTaken or tooManyRequests.
 */
export function createConfirmEmail(deps: Deps, shared: SharedLimits) {
  const throttle = createThrottle(shared, 'confirm-address', requestsPerAddress);

  return async (token: string, request: FastifyRequest, language: Language): Promise<NewEmailAddress> => {
    await throttle.consume(getIpAddressKey(clientAddress(request)));
    return deps.db.kysely.transaction().execute(async (transaction) => {
      const { user_id, email } = await redeemAccountLink(deps, transaction, 'email', token);
      request.attempt.account = user_id;
      const user = await getUser({ db: { kysely: transaction } }, user_id);
      const { viewer } = request;
      const isConfirmed = viewer?.id === user_id && viewer.sessionId > 0;
      const answer = { email, email_confirmed: isConfirmed };
      // Without a session, a link for the account's current email address does not change whether the email address is
      // confirmed.
      if (email === user.email && !isConfirmed)
        return { ...answer, email_confirmed: user.email_confirmed === 1 };
      await saveEmail(deps, transaction, user, { email, isConfirmed });
      // Send no mail if the email address was only confirmed and did not change.
      if (email === user.email) return answer;
      const mail = { kind: 'email_changed', receiver: user.email, language, user_id } as const;
      await queueMail(deps, transaction, mail);
      return answer;
    });
  };
}

interface NewEmailAddress {
  email: string;
  email_confirmed: boolean;
}

/**
 * Writes the email address of an account and revokes the links that were sent to the old email address. Throws
 * emailTaken.
 */
async function saveEmail(
  deps: Deps,
  transaction: Transaction,
  user: Pick<UserRow, 'id' | 'email'>,
  { email, isConfirmed }: { email: string; isConfirmed: boolean },
): Promise<void> {
  try {
    await transaction
      .updateTable('users')
      .set({ email, email_key: foldText(email), email_confirmed: Number(isConfirmed) })
      .where('id', '=', user.id)
      .execute();
  } catch (error) {
    if (error instanceof UniqueViolation) throw errors.emailTaken();
    throw error;
  }
  await deleteAccountLinks(transaction, user.id);
  await recordOwnAccountAct(deps, transaction, user.id, 'user.update', {
    ...(email !== user.email && { email: true }),
    ...(isConfirmed && { email_confirmed: true }),
  });
}
