/**
 * The one-time link that a start prints while a gallery has no admin: who can read the console makes the admin, never
 * who registers first (ADR 40). Only the hash of its code is kept, in the database, so that it works on every server of
 * the gallery. It ends with its use, with the first admin, after an hour, and with the next start of its server. An
 * account is made by it until there is one; from then on it makes one that is there the admin.
 */
import { timingSafeEqual } from 'node:crypto';
import { hostname } from 'node:os';
import type { ExpressionBuilder, Kysely } from 'kysely';
import type { Deps } from '../../deps.ts';
import { setSetting, setupPrefix } from '../../platform/db/settings.ts';
import { UserStatus } from '../../platform/db/states.ts';
import type { Tables, Transaction, UserRow } from '../../platform/db/tables.ts';
import { errors } from '../../platform/errors/catalogue.ts';
import { createThrottle } from '../../platform/http/rate-limiters.ts';
import type { Shared } from '../../platform/http/shared.ts';
import { isWithin } from '../../platform/process/clock.ts';
import { newToken, tokenHash } from '../identity/tokens.ts';
import { lockEnabled } from '../identity/users.ts';
import { auditOwn } from '../moderation/audit.ts';
import { insertUser, type NewUser } from './store.ts';

const lifetime = 3600;
/** Codes a minute of one address. They cannot be guessed; this keeps those who try from costing anything. */
const perAddress = 10;

/** As it is kept, in a row for each server. `until`: Unix seconds. */
interface Kept {
  hash: string;
  until: number;
}

/** A new code, in place of this server's last one; undefined where there is an admin. */
export async function offerSetup({ db, clock, config }: Deps): Promise<string | undefined> {
  if (await hasAdmin(db.kysely)) {
    await endLinks(db.kysely);
    return undefined;
  }
  const code = newToken();
  const kept: Kept = { hash: tokenHash(code), until: clock() + lifetime };
  await setSetting(db, `${setupPrefix}${hostname()}:${config.port}`, JSON.stringify(kept));
  return code;
}

export function createSetup(deps: Deps, shared: Shared) {
  const throttle = createThrottle(shared, 'setup-address', perAddress);

  return {
    /** Before anything costs much. Throws forbidden for a code that is not good, tooManyRequests. */
    async check(code: string, address: string): Promise<void> {
      await throttle.consume(address);
      const links = await deps.db.kysely.selectFrom('settings').selectAll().where(isLink).execute();
      if (!isGood(deps, links, code) || (await hasAdmin(deps.db.kysely))) throw refusal();
    },

    /**
     * Makes the first account, an admin. Of several at once one succeeds. Throws forbidden, also where there is an
     * account already, usernameTaken, emailTaken.
     */
    makeAdmin: (code: string, user: Omit<NewUser, 'isAdmin'>): Promise<UserRow> =>
      deps.db.kysely.transaction().execute(async (transaction) => {
        await use(deps, transaction, code);
        if (await hasUsers(transaction)) throw notTheFirst();
        const made = await insertUser(deps, { ...user, isAdmin: true }, transaction);
        await auditOwn(deps, transaction, made.id, 'user.create', { is_admin: true, setup: true });
        return made;
      }),

    /** Makes an account that there is the admin. Throws forbidden, badToken for one that has been disabled meanwhile. */
    promote: (code: string, user: Pick<UserRow, 'id'>): Promise<void> =>
      deps.db.kysely.transaction().execute((transaction) => makeFirstAdmin(deps, transaction, code, user)),
  };
}

/** In the transaction that found or made the account. Throws forbidden, badToken for one that is disabled. */
export async function makeFirstAdmin(
  deps: Deps,
  transaction: Transaction,
  code: string,
  user: Pick<UserRow, 'id'>,
): Promise<void> {
  await use(deps, transaction, code);
  if (!(await lockEnabled(transaction, user.id))) throw errors.badToken();
  await transaction.updateTable('users').set({ is_admin: 1 }).where('id', '=', user.id).execute();
  await auditOwn(deps, transaction, user.id, 'user.update', { is_admin: true, setup: true });
}

/** Ends all links, if the code is that of one of them: who comes second finds none. Throws forbidden. */
async function use(deps: Deps, transaction: Transaction, code: string): Promise<void> {
  const links = await endLinks(transaction);
  if (!isGood(deps, links, code) || (await hasAdmin(transaction))) throw refusal();
}

function endLinks(kysely: Kysely<Tables>) {
  return kysely.deleteFrom('settings').where(isLink).returningAll().execute();
}

function isLink(is: ExpressionBuilder<Tables, 'settings'>) {
  return is('name', 'like', `${setupPrefix}%`);
}

function isGood({ clock }: Deps, links: { value: string }[], code: string): boolean {
  const given = Buffer.from(tokenHash(code));
  return links
    .map(({ value }) => JSON.parse(value) as Kept)
    .some(
      ({ hash, until }) => isWithin(until, clock(), lifetime) && timingSafeEqual(Buffer.from(hash), given),
    );
}

/** Who may sign in: then a link to the first one is over. */
export async function hasAdmin(kysely: Kysely<Tables>): Promise<boolean> {
  const admin = await kysely
    .selectFrom('users')
    .select('id')
    .where('is_admin', '=', 1)
    .where('status', '=', UserStatus.enabled)
    .limit(1)
    .executeTakeFirst();
  return admin !== undefined;
}

async function hasUsers(kysely: Kysely<Tables>): Promise<boolean> {
  return (await kysely.selectFrom('users').select('id').limit(1).executeTakeFirst()) !== undefined;
}

function notTheFirst(): Error {
  return errors.forbidden({
    message:
      'This gallery has accounts already: sign in to one, or register without the link, then open it again',
  });
}

function refusal(): Error {
  return errors.forbidden({
    message:
      'This link is not good any more: it works once, for an hour, and until the server is started again. A start ' +
      'of a gallery without an admin prints a new one',
  });
}
