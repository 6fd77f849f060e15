/**
 * Queues mail as rows of the table `mails`, in the transaction of the event behind the mail. The dispatcher
 * composes each message when it sends the mail, at least once.
 */
import type { Deps } from '../../deps.ts';
import { foldText } from '../../platform/db/fold.ts';
import type { MailedLinkKind, MailKind, MailRow, Transaction } from '../../platform/db/tables.ts';
import type { Language } from '../../platform/http/language.ts';
import { resetFutureDueTimes } from '../../platform/outbox/lease.ts';
import { maxClockSkew } from '../../platform/process/clock.ts';
import { mailQueuedEvent, recordMailMetric } from './signals.ts';

/**
 * Maximum number of mails of one kind per email address and hour. The limit stops an attacker from filling another
 * person's inbox.
 */
const maxMailsPerHour = 5;
/**
 * Maximum number of waiting mails. More mail is dropped: a queue grows so long only after a long failure of the
 * mail server or during an attack. Mail with links and security notices have separate limits, so that a flood of
 * links cannot displace notices.
 */
export const maxWaitingMails = 10_000;
/**
 * Kinds of mail that contain a link, which people can request in large numbers. Security notices are sent before
 * these kinds.
 */
export const mailKindsWithLink: MailKind[] = ['invite', 'reset', 'email'] satisfies MailedLinkKind[];
/**
 * Kinds of mail whose outcome reveals whether an account exists. Everyone can read `/metrics`, so the metrics count
 * only the requests for such mail.
 */
export const secretMailKinds: MailKind[] = ['reset', 'email'] satisfies MailedLinkKind[];
/** Seconds after which an unsent mail is useless and is given up. */
const giveUpSeconds = 6 * 3600;
/** Seconds for which finished mail stays in the table, so that the hourly limit can count it. */
const retentionSeconds = 86_400;

export type NewMail = { kind: MailKind; receiver: string; language: Language } & Partial<
  Pick<MailRow, 'user_id' | 'invite_id'>
>;

/**
 * Queues a mail. Drops the mail without an error if no mail server is configured or a limit is reached. The queries
 * are the same whether or not an account has the email address, so the response time reveals nothing.
 */
export async function queueMail(
  { db, clock, config }: Pick<Deps, 'db' | 'clock' | 'config'>,
  transaction: Transaction,
  mail: NewMail,
): Promise<void> {
  if (!config.mail) return;
  const now = clock();
  const receiver_key = foldText(mail.receiver);
  if (!(await hasRoom(transaction, mail.kind, receiver_key, now))) return;
  await transaction
    .insertInto('mails')
    .values({
      user_id: null,
      invite_id: null,
      ...mail,
      receiver_key,
      status: 'pending',
      attempts: 0,
      due_time: now,
      give_up_time: now + giveUpSeconds,
      last_attempt_time: null,
      error: '',
      create_time: now,
    })
    .execute();
  db.signal(transaction, mailQueuedEvent);
  if (secretMailKinds.includes(mail.kind)) recordMailMetric(db, 'asked');
}

async function hasRoom(transaction: Transaction, kind: MailKind, key: string, now: number): Promise<boolean> {
  const lately = await transaction
    .selectFrom('mails')
    .select('id')
    .where('receiver_key', '=', key)
    .where('kind', '=', kind)
    .where('create_time', '>', now - 3600)
    // Ignore mail that a clock running ahead dated in the future.
    .where('create_time', '<=', now + maxClockSkew)
    .offset(maxMailsPerHour - 1)
    .limit(1)
    .executeTakeFirst();
  const waiting = await transaction
    .selectFrom('mails')
    .select('id')
    .where('due_time', 'is not', null)
    .where('kind', mailKindsWithLink.includes(kind) ? 'in' : 'not in', mailKindsWithLink)
    .orderBy('due_time')
    .offset(maxWaitingMails - 1)
    .limit(1)
    .executeTakeFirst();
  return lately === undefined && waiting === undefined;
}

/** Deletes old finished mail and returns the number of deleted rows. The maintenance run calls this function. */
export async function purgeOldMail({ db, clock }: Deps): Promise<number> {
  await resetFutureDueTimes(db.kysely, 'mails', clock());
  const { numDeletedRows } = await db.kysely
    .deleteFrom('mails')
    .where('create_time', '<=', clock() - retentionSeconds)
    .where('due_time', 'is', null)
    .executeTakeFirst();
  return Number(numDeletedRows);
}
