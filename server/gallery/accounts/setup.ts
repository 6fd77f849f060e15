/**
 * Implements the setup link, which a server prints at its start while the gallery has no admin. A person who can
 * read the console becomes the admin, never the first person to register (ADR 40).
 *
 * The database stores only the hash of the link's code, so that the link works on every server of the gallery. The
 * link ends after its use, with the first admin, after an hour, and at the next start of its server. The link
 * creates the first account, or makes an existing account the admin.
 */
import { timingSafeEqual } from 'node:crypto';
import { hostname } from 'node:os';
import type { ExpressionBuilder, Kysely } from 'kysely';
import type { SiteAccess } from '../../config.ts';
import type { Deps } from '../../deps.ts';
import { setSetting, setupSettingPrefix } from '../../platform/db/settings.ts';
import { UserStatus } from '../../platform/db/states.ts';
import type { Tables, Transaction, UserRow } from '../../platform/db/tables.ts';
import { errors } from '../../platform/errors/catalogue.ts';
import { createThrottle } from '../../platform/http/rate-limiters.ts';
import type { SharedLimits } from '../../platform/http/shared-limits.ts';
import { isWithinValidity } from '../../platform/process/clock.ts';
import { saveSiteAccess } from '../identity/members-only.ts';
import { newToken, tokenHash } from '../identity/tokens.ts';
import { lockEnabledUser } from '../identity/users.ts';
import { recordOwnAccountAct } from '../moderation/audit.ts';
import { insertUser, type NewUser } from './store.ts';

const codeSeconds = 3600;
/**
 * Maximum number of codes that one IP address can try per minute. Nobody can guess a code, but the limit bounds the
 * cost of trying.
 */
const codesPerAddress = 10;

/** Code of a setup link, and the first admin's choice of who can see the gallery. */
export interface SetupInput {
  code: string;
  access?: SiteAccess | undefined;
}

/** Stored form of a setup code, one row per server. `until` is a Unix time in seconds. */
interface StoredSetupLink {
  hash: string;
  until: number;
}

/** Creates a new setup code that replaces this server's last one. Returns undefined if the gallery has an admin. */
export async function createSetupCode({ db, clock, config }: Deps): Promise<string | undefined> {
  if (await hasAdmin(db.kysely)) {
    await deleteSetupLinks(db.kysely);
    return undefined;
  }
  const code = newToken();
  const kept: StoredSetupLink = { hash: tokenHash(code), until: clock() + codeSeconds };
  await setSetting(db, `${setupSettingPrefix}${hostname()}:${config.port}`, JSON.stringify(kept));
  return code;
}

export function createFinishSetup(deps: Deps, shared: SharedLimits) {
  const throttle = createThrottle(shared, 'setup-address', codesPerAddress);

  return {
    /** Checks a setup code before any expensive work. Throws forbidden for an invalid code, and tooManyRequests. */
    async check(code: string, address: string): Promise<void> {
      await throttle.consume(address);
      const links = await deps.db.kysely.selectFrom('settings').selectAll().where(isSetupLink).execute();
      if (!isValidCode(deps, links, code) || (await hasAdmin(deps.db.kysely))) throw invalidCodeError();
    },

    /**
     * Creates the first account, which is an admin. Only one of several parallel requests succeeds. Throws
     * usernameTaken, emailTaken, or forbidden, also if an account already exists.
     */
    makeAdmin: (answer: SetupInput, user: Omit<NewUser, 'isAdmin'>): Promise<UserRow> =>
      deps.db.kysely.transaction().execute(async (transaction) => {
        const details = await consumeCode(deps, transaction, answer);
        if (await hasUsers(transaction)) throw notFirstAdminError();
        const made = await insertUser(deps, { ...user, isAdmin: true }, transaction);
        await recordOwnAccountAct(deps, transaction, made.id, 'user.create', { is_admin: true, ...details });
        return made;
      }),

    /**
     * Makes an existing account the first admin by a setup code. Throws forbidden, or badToken for an account that
     * was disabled meanwhile.
     */
    promote: (answer: SetupInput, user: Pick<UserRow, 'id'>): Promise<void> =>
      deps.db.kysely.transaction().execute((transaction) => makeFirstAdmin(deps, transaction, answer, user)),
  };
}

/**
 * Makes an account the first admin, in the transaction that found or created the account. Throws forbidden, or
 * badToken for a disabled account.
 */
export async function makeFirstAdmin(
  deps: Deps,
  transaction: Transaction,
  answer: SetupInput,
  user: Pick<UserRow, 'id'>,
): Promise<void> {
  const details = await consumeCode(deps, transaction, answer);
  if (!(await lockEnabledUser(transaction, user.id))) throw errors.badToken();
  await transaction.updateTable('users').set({ is_admin: 1 }).where('id', '=', user.id).execute();
  await recordOwnAccountAct(deps, transaction, user.id, 'user.update', { is_admin: true, ...details });
}

/**
 * Deletes all setup codes if `code` is one of them, so that each setup link works once. Stores who can see the gallery,
 * if the first admin chose that and the setting ACCESS is not set. Returns details for the audit log. Throws forbidden.
 */
async function consumeCode(deps: Deps, transaction: Transaction, { code, access }: SetupInput) {
  const links = await deleteSetupLinks(transaction);
  if (!isValidCode(deps, links, code) || (await hasAdmin(transaction))) throw invalidCodeError();
  if (access === undefined || deps.config.access !== undefined) return { setup: true };
  await saveSiteAccess(transaction, access);
  return { setup: true, access };
}

function deleteSetupLinks(kysely: Kysely<Tables>) {
  return kysely.deleteFrom('settings').where(isSetupLink).returningAll().execute();
}

function isSetupLink(is: ExpressionBuilder<Tables, 'settings'>) {
  return is('name', 'like', `${setupSettingPrefix}%`);
}

function isValidCode({ clock }: Deps, links: { value: string }[], code: string): boolean {
  const given = Buffer.from(tokenHash(code));
  return links
    .map(({ value }) => JSON.parse(value) as StoredSetupLink)
    .some(
      ({ hash, until }) =>
        isWithinValidity(until, clock(), codeSeconds) && timingSafeEqual(Buffer.from(hash), given),
    );
}

/** Returns whether the gallery has an enabled admin. If so, the setup link is invalid. */
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

function notFirstAdminError(): Error {
  return errors.forbidden({
    message:
      'This gallery already has accounts. Sign in or register without the setup link, then open the ' +
      'link again.',
  });
}

function invalidCodeError(): Error {
  return errors.forbidden({
    message:
      'This setup link is invalid or has expired. A setup link works once, within an hour, until ' +
      'the server restarts. Restart a gallery without an admin to get a new link.',
  });
}
