/**
 * Composes mail when it is sent. Each attempt creates its own link, so the outbox never contains a link. A failed
 * attempt may have arrived anyway, and its link then expires after an hour.
 */

import type { Kysely } from 'kysely';
import type { Deps } from '../../../deps.ts';
import { UserStatus } from '../../../platform/db/states.ts';
import type {
  LinksTable,
  MailedLinkKind,
  MailRow,
  Tables,
  Transaction,
  UserRow,
} from '../../../platform/db/tables.ts';
import { type Language, pageLanguages } from '../../../platform/http/language.ts';
import { readSiteSettings } from '../../identity/site-settings.ts';
import { mailMessages } from '../../mail/messages.ts';
import { type RenderedMail, renderMail } from '../../mail/template.ts';
import { buildLinkUrl, createOneTimeLink, oneTimeLinkLifetime } from '../links.ts';

type LinkTarget = Partial<Pick<LinksTable, 'user_id' | 'invite_id' | 'email'>>;

/** Returns the mail of an outbox row, or undefined if it no longer has a recipient. */
export async function composeAccountMail(deps: Deps, row: MailRow): Promise<RenderedMail | undefined> {
  switch (row.kind) {
    case 'invite':
      return composeInviteMail(deps, row);
    case 'reset':
    case 'email':
      return deps.db.kysely.transaction().execute((transaction) => composeForUser(deps, transaction, row));
    default: {
      const user = await findEnabled(deps.db.kysely, 'id', row.user_id ?? 0);
      return user && renderMessage(deps, row, { ...user, email: row.receiver });
    }
  }
}

/**
 * Composes a mail with a link for an account. The account is locked, because a change of its password or email address
 * revokes all links. A link for the old state must not be created after that.
 */
async function composeForUser(
  deps: Deps,
  transaction: Transaction,
  row: MailRow,
): Promise<RenderedMail | undefined> {
  if (row.kind === 'reset') {
    // Send the reset link to the account's own email address, never to the typed one, because the two may only look
    // alike.
    const user = await findEnabled(transaction, 'email_key', row.receiver_key);
    return (
      user && renderWithLink(deps, transaction, row, { ...user, kind: 'reset', linked: { user_id: user.id } })
    );
  }
  const user = await findEnabled(transaction, 'id', row.user_id ?? 0);
  if (!user || !(await isStillPending(transaction, row)) || (await isAddressTaken(transaction, row)))
    return undefined;
  const linked = { user_id: user.id, email: row.receiver };
  return renderWithLink(deps, transaction, row, { ...user, email: row.receiver, kind: 'email', linked });
}

async function composeInviteMail(deps: Deps, row: MailRow): Promise<RenderedMail | undefined> {
  const invite = await deps.db.kysely
    .selectFrom('invites')
    .select(['id', 'expire_time'])
    .where('id', '=', row.invite_id ?? 0)
    .where('expire_time', '>', deps.clock())
    .executeTakeFirst();
  if (!invite) return undefined;
  const { id, expire_time } = invite;
  const stranger = { username: '', email: row.receiver, language: '' };
  const linked = { invite_id: id };
  return renderWithLink(deps, deps.db.kysely, row, { ...stranger, kind: 'invite', linked }, expire_time);
}

type RecoveryMailAddressee = Pick<UserRow, 'username' | 'email' | 'language'>;

async function renderWithLink(
  deps: Deps,
  kysely: Kysely<Tables>,
  row: MailRow,
  { kind, linked, ...addressee }: RecoveryMailAddressee & { kind: MailedLinkKind; linked: LinkTarget },
  expire_time = deps.clock() + oneTimeLinkLifetime,
): Promise<RenderedMail> {
  const token = await createOneTimeLink(deps, kysely, { kind, expire_time, ...linked });
  return await renderMessage(deps, row, addressee, buildLinkUrl(deps.config.baseUrl!, kind, token));
}

/** Renders a mail in the language of its recipient, or else in that of the user who requested it. */
async function renderMessage(
  { config, db }: Deps,
  { kind, language: asked }: MailRow,
  to: RecoveryMailAddressee,
  url?: string,
): Promise<RenderedMail> {
  const language: Language = pageLanguages.find((one) => one === (to.language || asked)) ?? 'en';
  const { name } = await readSiteSettings(config, db.kysely);
  const { subject, lines, label = '', notes } = mailMessages[language][kind];
  return renderMail({
    to: to.email,
    language,
    subject: subject(name),
    lines: lines(name, to.username),
    link: url === undefined ? undefined : { label, url },
    notes,
  });
}

/** Finds an enabled account by id or email address. Within a transaction, the account stays locked until the end. */
function findEnabled(kysely: Kysely<Tables>, column: 'id' | 'email_key', value: number | string) {
  return kysely
    .selectFrom('users')
    .select(['id', 'username', 'email', 'language'])
    .where(column, '=', value as never)
    .where('status', '=', UserStatus.enabled)
    .forNoKeyUpdate()
    .executeTakeFirst();
}

/** Returns whether the mail is still pending in this attempt. A change of the account may have canceled the mail. */
async function isStillPending(transaction: Transaction, { id, attempts }: MailRow): Promise<boolean> {
  const row = await transaction
    .selectFrom('mails')
    .select('id')
    .where('id', '=', id)
    .where('attempts', '=', attempts)
    .where('status', '=', 'pending')
    .executeTakeFirst();
  return row !== undefined;
}

async function isAddressTaken(
  transaction: Transaction,
  { receiver_key, user_id }: MailRow,
): Promise<boolean> {
  const other = await transaction
    .selectFrom('users')
    .select('id')
    .where('email_key', '=', receiver_key)
    .where('id', '!=', user_id ?? 0)
    .executeTakeFirst();
  return other !== undefined;
}
