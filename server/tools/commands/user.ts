/** The commands `lightwell user …` manage accounts in the server's database, also while the server runs. */
import { Command, Option } from 'commander';
import type { Config } from '../../config.ts';
import type { Deps } from '../../deps.ts';
import { withRevokedDetails } from '../../gallery/accounts/keys/revoke-access.ts';
import { linkUrl } from '../../gallery/accounts/links.ts';
import { checkNewPassword } from '../../gallery/accounts/password-rules.ts';
import { createInvite } from '../../gallery/accounts/registration/invites.ts';
import { NewInvite } from '../../gallery/accounts/registration/schema.ts';
import { Register } from '../../gallery/accounts/schema.ts';
import { checkNamesFree, insertUser } from '../../gallery/accounts/store.ts';
import { changeUser, type UserChange } from '../../gallery/admin/users/change.ts';
import { endUserSessions } from '../../gallery/admin/users/end-sessions.ts';
import { makeResetLink } from '../../gallery/admin/users/reset-link.ts';
import { readUser } from '../../gallery/admin/users/users.ts';
import { hashPassword } from '../../gallery/identity/passwords.ts';
import { runVisibilityJobs } from '../../gallery/library/run-visibility-jobs.ts';
import { audit, commandLine } from '../../gallery/moderation/audit.ts';
import { UserStatus } from '../../platform/db/states.ts';
import type { UserRow } from '../../platform/db/tables.ts';
import { timeText } from '../../platform/http/time.ts';
import { createCheck } from '../../platform/http/validation.ts';
import { Type } from '../../platform/schema/type.ts';
import { type PasswordOptions, readPassword } from './password-input.ts';
import { allUsers, getUserByName, withDeps } from './run.ts';

const passwordFile = ['--password-file <file>', 'read the password from the first line of a file'] as const;

/**
 * Commands with their name, description, change and message. The last admin who can sign in cannot be demoted or
 * disabled.
 */
const changes: [string, string, UserChange, string][] = [
  ['promote', 'make an account an admin', { is_admin: true }, 'is now an admin'],
  ['demote', 'take the admin rights away', { is_admin: false }, 'is no longer an admin'],
  [
    'disable',
    'refuse logins and end all sessions',
    { status: UserStatus.disabled },
    'is disabled; all sessions of the account have ended',
  ],
  ['end-factor', 'switch the second factor off', { end_factor: true }, 'has no second factor now'],
  [
    'end-keys',
    'end the API keys, the passkeys and the tie to the OpenID provider',
    { end_keys: true },
    'has no API keys, no passkeys and no tie to the OpenID provider now',
  ],
  ['enable', 'let a disabled account log in again', { status: UserStatus.enabled }, 'can log in again'],
];

export function userCommand(): Command {
  const user = new Command('user').description('make and manage accounts');
  user
    .command('create <username> <email>')
    .description('make an account; asks for its password, or reads it from standard input')
    .option('--admin', 'make an admin')
    .option(...passwordFile)
    .action(createUser);
  user
    .command('password <name>')
    .description('set a new password and end all sessions of the account')
    .option('--end-keys', 'end its API keys, passkeys and tie to the OpenID provider as well')
    .option(...passwordFile)
    .action(changeUserPassword);
  for (const [name, description, state, outcome] of changes) {
    user
      .command(`${name} <name>`)
      .description(description)
      .action((who: string) => change(who, state, outcome));
  }
  user
    .command('end-sessions <name>')
    .description('sign an account out everywhere; its API keys stay')
    .action(signOut);
  user
    .command('reset-link <name>')
    .description('make a link by which its owner chooses a new password, good once, for an hour')
    .action(resetLink);
  user
    .command('invite')
    .description('make a link by which others may register')
    .option('--email <address>', 'only for this address')
    .option('--expires <days>', 'days until it ends', Number, 7)
    .option('--uses <n>', 'accounts it is good for', Number, 1)
    .addOption(
      new Option('--language <language>', 'of the mail to that address').choices(['en', 'zh']).default('en'),
    )
    .action(invite);
  user.command('list').description('show all accounts').action(listUsers);
  return user;
}

const checkName = createCheck(Type.Omit(Register, ['password']));
const checkAll = createCheck(Register);

function createUser(
  username: string,
  email: string,
  options: PasswordOptions & { admin?: boolean },
): Promise<void> {
  // The name is checked before the user must type the password twice.
  checkName({ username, email });
  const make = async (deps: Deps) => {
    await checkNamesFree(deps, username, email);
    const { password } = checkAll({ username, email, password: await readPassword(options) });
    checkNewPassword(deps.config, password, { username, email });
    const passwordHash = await hashPassword(password, deps.config.passwordCosts);
    const isAdmin = options.admin === true;
    const user = await deps.db.kysely.transaction().execute(async (transaction) => {
      const made = await insertUser(deps, { username, email, passwordHash, isAdmin }, transaction);
      await audit(deps, transaction, commandLine, {
        action: 'user.create',
        target: { type: 'user', id: made.id, name: made.username },
        details: { is_admin: isAdmin },
      });
      return made;
    });
    console.log(`${isAdmin ? 'Admin' : 'User'} ${user.username} was made (id ${user.id}).`);
  };
  // An admin can be created before the first start of the server.
  return withDeps(make, { mayBegin: true });
}

function resetLink(name: string): Promise<void> {
  return withDeps(async (deps) => {
    const user = await getUserByName(deps, name);
    console.log(linkUrl(ownUrl(deps.config), 'reset', await makeResetLink(deps, commandLine, user.id)));
  });
}

function signOut(name: string): Promise<void> {
  return withDeps(async (deps) => {
    const user = await getUserByName(deps, name);
    await endUserSessions(deps, commandLine, user.id);
    console.log(`All sessions of ${user.username} have ended.`);
  });
}

const checkInvite = createCheck(NewInvite);

/** Returns the URL of the gallery. Without BASE_URL, the URL works for a browser on this machine. */
function ownUrl({ baseUrl, port }: Config): string {
  return baseUrl ?? `http://localhost:${port}`;
}

function invite({ language, ...options }: { language: 'en' | 'zh' }): Promise<void> {
  const wanted = checkInvite(options);
  return withDeps(async (deps) => {
    const { token } = await createInvite(deps, commandLine, wanted, language === 'zh' ? 'zh-CN' : 'en');
    console.log(linkUrl(ownUrl(deps.config), 'invite', token));
  });
}

const columns: Record<string, (user: UserRow) => string> = {
  ID: (user) => String(user.id),
  USERNAME: (user) => user.username,
  EMAIL: (user) => user.email,
  ROLE: (user) => (user.is_admin ? 'admin' : 'user'),
  STATUS: (user) => (user.status ? 'normal' : 'disabled'),
  'CREATED (UTC)': (user) => timeText(user.create_time),
};

function listUsers(): Promise<void> {
  return withDeps(async ({ db }) => {
    const users = await allUsers(db);
    const rows = [
      Object.keys(columns),
      ...users.map((user) => Object.values(columns).map((show) => show(user))),
    ];
    console.log(aligned(rows).join('\n'));
  });
}

function aligned(rows: string[][]): string[] {
  const widths = rows[0]!.map((_, column) =>
    rows.reduce((max, row) => Math.max(max, row[column]!.length), 0),
  );
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column]!))
      .join('  ')
      .trimEnd(),
  );
}

const checkPassword = createCheck(Type.Pick(Register, ['password']));

function changeUserPassword(name: string, options: PasswordOptions & { endKeys?: boolean }): Promise<void> {
  return withDeps(async (deps) => {
    const user = await getUserByName(deps, name);
    const { password } = checkPassword({ password: await readPassword(options) });
    checkNewPassword(deps.config, password, user);
    const passwordHash = await hashPassword(password, deps.config.passwordCosts);
    const wanted = { passwordHash, end_keys: options.endKeys };
    const ended = await changeUser(deps, commandLine, user.id, wanted);
    console.log(`The password of ${user.username} was changed; all sessions of the account have ended.`);
    const { api_keys: keys } = await readUser(deps, user.id);
    if (options.endKeys) console.log(withRevokedDetails('All keys of the account have ended, too', ended));
    else if (keys > 0) console.log(`API keys that go on working: ${keys}. End them with --end-keys.`);
  });
}

function change(name: string, state: UserChange, outcome: string): Promise<void> {
  return withDeps(async (deps) => {
    const user = await getUserByName(deps, name);
    await changeUser(deps, commandLine, user.id, state);
    if (state.status !== undefined) await runVisibilityJobs(deps);
    console.log(`${user.username} ${outcome}.`);
  });
}
