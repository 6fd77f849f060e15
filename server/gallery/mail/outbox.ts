/**
 * Mail is written as a row, in the transaction of what it tells about, and sent afterwards, at least once. What it says
 * is put together when it is sent.
 */
import type { Deps } from '../../deps.ts';
import { fold } from '../../platform/db/fold.ts';
import type { MailKind, MailRow, SentKind, Transaction } from '../../platform/db/tables.ts';
import type { Language } from '../../platform/http/language.ts';
import { hasten } from '../../platform/outbox/claim.ts';
import { maxClockSkew } from '../../platform/process/clock.ts';
import { mailWritten, tellFigure } from './signals.ts';

/** Of a kind, to an address: who types in another's address must not fill that person's inbox. */
const maxAnHour = 5;
/**
 * More are not kept: so many wait only where the mail server has been away for long, or where somebody asks for links to
 * addresses without end. So what tells an owner of their account's safety has as much room of its own.
 */
export const maxWaiting = 10_000;
/** Mail with a link, which anybody may ask for. The others tell of an account's safety, and go first. */
export const linkKinds: MailKind[] = ['invite', 'reset', 'email'] satisfies SentKind[];
/**
 * Whether one of these is sent depends on who has an account, and `/metrics` is everybody's to read: it tells that one was
 * asked for, and nothing of what became of it.
 */
export const secretKinds: MailKind[] = ['reset', 'email'] satisfies SentKind[];
/** What comes later than this is of no use. */
const giveUpSeconds = 6 * 3600;
/** What has ended is kept for so long, to count it. */
const keptSeconds = 86_400;

export type NewMail = { kind: MailKind; receiver: string; language: Language } & Partial<
  Pick<MailRow, 'user_id' | 'invite_id'>
>;

/** Nothing where this gallery sends no mail, or enough for the address. It takes the same steps either way. */
export async function writeMail(
  { db, clock, config }: Pick<Deps, 'db' | 'clock' | 'config'>,
  transaction: Transaction,
  mail: NewMail,
): Promise<void> {
  if (!config.mail) return;
  const now = clock();
  const receiver_key = fold(mail.receiver);
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
  db.signal(transaction, mailWritten);
  if (secretKinds.includes(mail.kind)) tellFigure(db, 'asked');
}

async function hasRoom(transaction: Transaction, kind: MailKind, key: string, now: number): Promise<boolean> {
  const lately = await transaction
    .selectFrom('mails')
    .select('id')
    .where('receiver_key', '=', key)
    .where('kind', '=', kind)
    .where('create_time', '>', now - 3600)
    // Those of a clock that was ahead are not of this hour.
    .where('create_time', '<=', now + maxClockSkew)
    .offset(maxAnHour - 1)
    .limit(1)
    .executeTakeFirst();
  const waiting = await transaction
    .selectFrom('mails')
    .select('id')
    .where('due_time', 'is not', null)
    .where('kind', linkKinds.includes(kind) ? 'in' : 'not in', linkKinds)
    .orderBy('due_time')
    .offset(maxWaiting - 1)
    .limit(1)
    .executeTakeFirst();
  return lately === undefined && waiting === undefined;
}

/** Run by the periodic task, tools/upkeep/sweep.ts. Returns how many were removed. */
export async function forgetOldMail({ db, clock }: Deps): Promise<number> {
  await hasten(db.kysely, 'mails', clock());
  const { numDeletedRows } = await db.kysely
    .deleteFrom('mails')
    .where('create_time', '<=', clock() - keptSeconds)
    .where('due_time', 'is', null)
    .executeTakeFirst();
  return Number(numDeletedRows);
}
