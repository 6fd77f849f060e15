/** Invites: who has the link may register, so many times and so long. */
import type { Deps } from '../../../deps.ts';
import { fold } from '../../../platform/db/fold.ts';
import { countOf } from '../../../platform/db/rows.ts';
import type { InviteRow, Transaction } from '../../../platform/db/tables.ts';
import { errors } from '../../../platform/errors/catalogue.ts';
import type { Language } from '../../../platform/http/language.ts';
import { type PageRequest, paginationOf, windowOf } from '../../../platform/http/pagination.ts';
import { timeText } from '../../../platform/http/time.ts';
import { writeMail } from '../../mail/outbox.ts';
import { type Actor, audit, commandLine } from '../../moderation/audit.ts';
import { findLink, makeLink } from '../links.ts';
import type { NewInvite } from './schema.ts';

const secondsOfDay = 86_400;
const defaultDays = 7;
/** An invite that has expired stays in the list for so long. */
const keptSeconds = 30 * secondsOfDay;

export interface MadeInvite {
  row: InviteRow;
  /** Not kept. */
  token: string;
}

/** `language`: of the mail that takes the link to `email`, where this gallery sends mail. */
export function makeInvite(
  deps: Deps,
  actor: Actor,
  wanted: NewInvite,
  language: Language,
): Promise<MadeInvite> {
  const { email = '', expires = defaultDays, uses = 1 } = wanted;
  const now = deps.clock();
  const expire_time = now + expires * secondsOfDay;
  return deps.db.kysely.transaction().execute(async (transaction) => {
    const row = await transaction
      .insertInto('invites')
      .values({
        email,
        email_key: fold(email),
        max_uses: uses,
        uses: 0,
        user_id: actor === commandLine ? null : actor.id,
        create_time: now,
        expire_time,
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    const token = await makeLink(deps, transaction, { kind: 'invite', invite_id: row.id, expire_time });
    if (email)
      await writeMail(deps, transaction, { kind: 'invite', receiver: email, language, invite_id: row.id });
    await audit(deps, transaction, actor, {
      action: 'invite.create',
      target: { type: 'invite', id: row.id, name: email },
      details: { uses, days: expires },
    });
    return { row, token };
  });
}

/** The latest first. */
export async function listInvites({ db }: Deps, page: PageRequest) {
  const { limit, offset } = windowOf(page);
  const n = await countOf(db.slow().selectFrom('invites'));
  const rows = await db
    .slow()
    .selectFrom('invites')
    .leftJoin('users', 'users.id', 'invites.user_id')
    .selectAll('invites')
    .select('users.username')
    .orderBy('invites.id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute();
  return { list: rows.map(presentInvite), pagination: paginationOf(page, n) };
}

/** Never a token, nor its hash. */
export function presentInvite(row: InviteRow & { username: string | null }) {
  return {
    id: row.id,
    email: row.email,
    uses: row.max_uses,
    used: row.uses,
    made_by: row.username ?? '',
    create_time: timeText(row.create_time),
    expire_time: timeText(row.expire_time),
  };
}

/** Ends it with its links; accounts that were made by it stay. Throws notFound. */
export async function deleteInvite(deps: Deps, actor: Actor, id: number): Promise<void> {
  await deps.db.kysely.transaction().execute(async (transaction) => {
    const row = await transaction
      .deleteFrom('invites')
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirst();
    if (!row) throw errors.notFound();
    await audit(deps, transaction, actor, {
      action: 'invite.delete',
      target: { type: 'invite', id, name: row.email },
    });
  });
}

/** Before anything costs much. `email` undefined: it is not known yet. Throws registrationClosed. */
export async function checkInvite(deps: Deps, token: string, email: string | undefined): Promise<void> {
  const link = await findLink(deps, deps.db.kysely, 'invite', token);
  const invite =
    link &&
    (await deps.db.kysely
      .selectFrom('invites')
      .select(['email_key', 'uses', 'max_uses'])
      .where('id', '=', link.invite_id)
      .executeTakeFirst());
  if (!invite || invite.uses >= invite.max_uses) throw notGood();
  if (email === undefined || invite.email_key === '') return;
  if (invite.email_key !== fold(email)) throw notGood();
}

/**
 * Counts a use and returns the invite's id; the row's lock puts several at once one after the other. The same
 * transaction makes the account, so that one that is not made uses nothing. Throws registrationClosed.
 */
export async function spendInvite(
  deps: Pick<Deps, 'clock'>,
  transaction: Transaction,
  token: string,
  email: string,
): Promise<number> {
  const link = await findLink(deps, transaction, 'invite', token);
  const used = await transaction
    .updateTable('invites')
    .set((is) => ({ uses: is('uses', '+', 1) }))
    .where('id', '=', link?.invite_id ?? 0)
    .whereRef('uses', '<', 'max_uses')
    .where('expire_time', '>', deps.clock())
    .where('email_key', 'in', ['', fold(email)])
    .returning('id')
    .executeTakeFirst();
  if (!used) throw notGood();
  return used.id;
}

function notGood(): Error {
  return errors.registrationClosed({
    message: 'This invite is not good: it was used, revoked, has expired, or is for another address',
  });
}

/** Run by the periodic task, tools/upkeep/sweep.ts. Returns how many were removed. */
export async function forgetOldInvites({ db, clock }: Deps): Promise<number> {
  const { numDeletedRows } = await db.kysely
    .deleteFrom('invites')
    .where('expire_time', '<=', clock() - keptSeconds)
    .executeTakeFirst();
  return Number(numDeletedRows);
}
