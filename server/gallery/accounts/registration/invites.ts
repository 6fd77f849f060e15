/** Manages invites. Anyone with the link of an invite can register, up to its number of uses and until it expires. */
import type { Deps } from '../../../deps.ts';
import { foldText } from '../../../platform/db/fold.ts';
import { countRows } from '../../../platform/db/rows.ts';
import type { InviteRow, Transaction } from '../../../platform/db/tables.ts';
import { errors } from '../../../platform/errors/catalogue.ts';
import type { Language } from '../../../platform/http/language.ts';
import { createPagination, type PaginationRequest, toRowWindow } from '../../../platform/http/pagination.ts';
import { timeText } from '../../../platform/http/time.ts';
import { queueMail } from '../../mail/outbox.ts';
import { type Actor, commandLineActor, recordAuditedAct } from '../../moderation/audit.ts';
import { createOneTimeLink, findOneTimeLink } from '../links.ts';
import type { NewInvite } from './schema.ts';

const secondsOfDay = 86_400;
const defaultDays = 7;
/** Seconds for which an expired invite stays in the list. */
const retentionSeconds = 30 * secondsOfDay;

export interface CreatedInvite {
  row: InviteRow;
  /** Token of the invite's link, which is stored only as a hash. */
  token: string;
}

/**
 * Creates an invite and mails its link if an email address is given and a mail server is configured. `language` is the
 * language of that mail.
 */
export function createInvite(
  deps: Deps,
  actor: Actor,
  wanted: NewInvite,
  language: Language,
): Promise<CreatedInvite> {
  const { email = '', expires = defaultDays, uses = 1 } = wanted;
  const now = deps.clock();
  const expire_time = now + expires * secondsOfDay;
  return deps.db.kysely.transaction().execute(async (transaction) => {
    const row = await transaction
      .insertInto('invites')
      .values({
        email,
        email_key: foldText(email),
        max_uses: uses,
        uses: 0,
        user_id: actor === commandLineActor ? null : actor.id,
        create_time: now,
        expire_time,
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    const token = await createOneTimeLink(deps, transaction, {
      kind: 'invite',
      invite_id: row.id,
      expire_time,
    });
    if (email)
      await queueMail(deps, transaction, { kind: 'invite', receiver: email, language, invite_id: row.id });
    await recordAuditedAct(deps, transaction, actor, {
      action: 'invite.create',
      target: { type: 'invite', id: row.id, name: email },
      details: { uses, days: expires },
    });
    return { row, token };
  });
}

/** Returns a page of invites, latest first. */
export async function listInvites({ db }: Deps, page: PaginationRequest) {
  const { limit, offset } = toRowWindow(page);
  const n = await countRows(db.slow().selectFrom('invites'));
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
  return { list: rows.map(presentInvite), pagination: createPagination(page, n) };
}

/** Returns an invite as JSON, without its token or the token's hash. */
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

/** Deletes an invite and its links. Accounts that were created with the invite stay. Throws notFound. */
export async function deleteInvite(deps: Deps, actor: Actor, id: number): Promise<void> {
  await deps.db.kysely.transaction().execute(async (transaction) => {
    const row = await transaction
      .deleteFrom('invites')
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirst();
    if (!row) throw errors.notFound();
    await recordAuditedAct(deps, transaction, actor, {
      action: 'invite.delete',
      target: { type: 'invite', id, name: row.email },
    });
  });
}

/**
 * Checks an invite before any expensive work. `email` is undefined as long as the email address is unknown. Throws
 * registrationClosed for an invalid invite.
 */
export async function checkInvite(deps: Deps, token: string, email: string | undefined): Promise<void> {
  const link = await findOneTimeLink(deps, deps.db.kysely, 'invite', token);
  const invite =
    link &&
    (await deps.db.kysely
      .selectFrom('invites')
      .select(['email_key', 'uses', 'max_uses'])
      .where('id', '=', link.invite_id)
      .executeTakeFirst());
  if (!invite || invite.uses >= invite.max_uses) throw invalidInviteError();
  if (email === undefined || invite.email_key === '') return;
  if (invite.email_key !== foldText(email)) throw invalidInviteError();
}

/**
 * Counts one use of an invite and returns the invite's id. The row lock serializes parallel uses. The same
 * transaction creates the account, so a failed registration uses nothing. Throws registrationClosed.
 */
export async function consumeInvite(
  deps: Pick<Deps, 'clock'>,
  transaction: Transaction,
  token: string,
  email: string,
): Promise<number> {
  const link = await findOneTimeLink(deps, transaction, 'invite', token);
  const used = await transaction
    .updateTable('invites')
    .set((is) => ({ uses: is('uses', '+', 1) }))
    .where('id', '=', link?.invite_id ?? 0)
    .whereRef('uses', '<', 'max_uses')
    .where('expire_time', '>', deps.clock())
    .where('email_key', 'in', ['', foldText(email)])
    .returning('id')
    .executeTakeFirst();
  if (!used) throw invalidInviteError();
  return used.id;
}

function invalidInviteError(): Error {
  return errors.registrationClosed({
    message:
      'This invite is invalid. An invite must be unused, not expired, not revoked, and for your ' + 'email.',
  });
}

/**
 * Deletes invites that expired long ago and returns the number of deleted rows. The maintenance run calls this
 * function.
 */
export async function purgeOldInvites({ db, clock }: Deps): Promise<number> {
  const { numDeletedRows } = await db.kysely
    .deleteFrom('invites')
    .where('expire_time', '<=', clock() - retentionSeconds)
    .executeTakeFirst();
  return Number(numDeletedRows);
}
