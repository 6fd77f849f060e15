/** Notifies the owner of an account by mail after a security change, because a stranger may have made the change. */
import type { Deps } from '../../deps.ts';
import type { SecurityNoticeKind, Transaction } from '../../platform/db/tables.ts';
import type { Language } from '../../platform/http/language.ts';
import { queueMail } from '../mail/outbox.ts';

/**
 * Queues a security notice to the account's owner. `language` is that of the user who made the change, for owners
 * whose language is unknown. Does nothing without a mail server.
 */
export async function queueSecurityNotice(
  deps: Pick<Deps, 'db' | 'clock' | 'config'>,
  transaction: Transaction,
  userId: number,
  { kind, language }: { kind: SecurityNoticeKind; language: Language },
): Promise<void> {
  if (!deps.config.mail) return;
  const { email: receiver } = await transaction
    .selectFrom('users')
    .select('email')
    .where('id', '=', userId)
    .executeTakeFirstOrThrow();
  await queueMail(deps, transaction, { kind, receiver, language, user_id: userId });
}
