/**
 * What mail says, put together when it is sent: a link is made for each attempt, so that the outbox never holds one.
 * What fails may have arrived all the same; its link then ends by its hour.
 */
import type { Kysely } from 'kysely';
import type { Deps } from '../../../deps.ts';
import { UserStatus } from '../../../platform/db/states.ts';
import type {
  LinksTable,
  MailRow,
  SentKind,
  Tables,
  Transaction,
  UserRow,
} from '../../../platform/db/tables.ts';
import { type Language, languages } from '../../../platform/http/language.ts';
import { type Letter, letterOf } from '../../mail/letter.ts';
import { words } from '../../mail/words.ts';
import { linkLifetime, linkUrl, makeLink } from '../links.ts';

type Linked = Partial<Pick<LinksTable, 'user_id' | 'invite_id' | 'email'>>;

/** undefined where there is nobody that it is for: then nothing is sent. */
export async function composeMail(deps: Deps, row: MailRow): Promise<Letter | undefined> {
  switch (row.kind) {
    case 'invite':
      return composeInvite(deps, row);
    case 'reset':
    case 'email':
      return deps.db.kysely.transaction().execute((transaction) => composeOwn(deps, transaction, row));
    default: {
      const user = await findEnabled(deps.db.kysely, 'id', row.user_id ?? 0);
      return user && write(deps, row, { ...user, email: row.receiver });
    }
  }
}

/**
 * With the account locked: whoever changes its password or address ends its links in one transaction, and one that was
 * made for what was before must not come after that.
 */
async function composeOwn(deps: Deps, transaction: Transaction, row: MailRow): Promise<Letter | undefined> {
  if (row.kind === 'reset') {
    // To the address that the account has, never to the one that was typed in: they may only look the same.
    const user = await findEnabled(transaction, 'email_key', row.receiver_key);
    return user && withLink(deps, transaction, row, { ...user, kind: 'reset', linked: { user_id: user.id } });
  }
  const user = await findEnabled(transaction, 'id', row.user_id ?? 0);
  if (!user || !(await isWanted(transaction, row)) || (await isTaken(transaction, row))) return undefined;
  const linked = { user_id: user.id, email: row.receiver };
  return withLink(deps, transaction, row, { ...user, email: row.receiver, kind: 'email', linked });
}

async function composeInvite(deps: Deps, row: MailRow): Promise<Letter | undefined> {
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
  return withLink(deps, deps.db.kysely, row, { ...stranger, kind: 'invite', linked }, expire_time);
}

type Addressee = Pick<UserRow, 'username' | 'email' | 'language'>;

async function withLink(
  deps: Deps,
  kysely: Kysely<Tables>,
  row: MailRow,
  { kind, linked, ...addressee }: Addressee & { kind: SentKind; linked: Linked },
  expire_time = deps.clock() + linkLifetime,
): Promise<Letter> {
  const token = await makeLink(deps, kysely, { kind, expire_time, ...linked });
  return write(deps, row, addressee, linkUrl(deps.config.baseUrl!, kind, token));
}

/** In the language of who gets it; where none is known, of who asked. */
function write({ config }: Deps, { kind, language: asked }: MailRow, to: Addressee, url?: string): Letter {
  const language: Language = languages.find((one) => one === (to.language || asked)) ?? 'en';
  const { subject, lines, label = '', notes } = words[language][kind];
  return letterOf({
    to: to.email,
    language,
    subject: subject(config.siteName),
    lines: lines(config.siteName, to.username),
    link: url === undefined ? undefined : { label, url },
    notes,
  });
}

/** Inside a transaction it stays as it is until the end of that. */
function findEnabled(kysely: Kysely<Tables>, column: 'id' | 'email_key', value: number | string) {
  return kysely
    .selectFrom('users')
    .select(['id', 'username', 'email', 'language'])
    .where(column, '=', value as never)
    .where('status', '=', UserStatus.enabled)
    .forNoKeyUpdate()
    .executeTakeFirst();
}

/** Not taken back by a change of the account since this attempt began. */
async function isWanted(transaction: Transaction, { id, attempts }: MailRow): Promise<boolean> {
  const row = await transaction
    .selectFrom('mails')
    .select('id')
    .where('id', '=', id)
    .where('attempts', '=', attempts)
    .where('status', '=', 'pending')
    .executeTakeFirst();
  return row !== undefined;
}

async function isTaken(transaction: Transaction, { receiver_key, user_id }: MailRow): Promise<boolean> {
  const other = await transaction
    .selectFrom('users')
    .select('id')
    .where('email_key', '=', receiver_key)
    .where('id', '!=', user_id ?? 0)
    .executeTakeFirst();
  return other !== undefined;
}
