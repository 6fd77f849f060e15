/** The commands `lightwell user …` manage accounts in the server's database, also while the server runs. */
import { Command, Option } from 'commander';
import type { Config } from '../../config.ts';
import type { Deps } from '../../deps.ts';
import { appendRevokedCounts } from '../../gallery/accounts/keys/revoke-access.ts';
import { buildLinkUrl } from '../../gallery/accounts/links.ts';
import { checkNewPassword } from '../../gallery/accounts/password-rules.ts';
import { createInvite } from '../../gallery/accounts/registration/invites.ts';
import { NewInvite } from '../../gallery/accounts/registration/schema.ts';
import { RegistrationRequest } from '../../gallery/accounts/schema.ts';
import { insertUser, refuseTakenAccountNames } from '../../gallery/accounts/store.ts';
import { changeUser, type UserChange } from '../../gallery/admin/users/change.ts';
import { endUserSessions } from '../../gallery/admin/users/end-sessions.ts';
import { createPasswordResetLink } from '../../gallery/admin/users/reset-link.ts';
import { readUser } from '../../gallery/admin/users/users.ts';
import { hashPassword } from '../../gallery/identity/passwords.ts';
import { runVisibilityJobs } from '../../gallery/library/run-visibility-jobs.ts';
import { commandLineActor, recordAuditedAct } from '../../gallery/moderation/audit.ts';
import { UserStatus } from '../../platform/db/states.ts';
import type { UserRow } from '../../platform/db/tables.ts';
import { timeText } from '../../platform/http/time.ts';
import { createSchemaCheck } from '../../platform/http/validation.ts';
import { Type } from '../../platform/schema/type.ts';
import { type PasswordOptions, readPassword } from './password-input.ts';
import { findAllUsers, getUserByName, withDeps } from './run.ts';

const passwordFile = ['--password-file <file>', 'read the password from the first line of a file'] as const;

/**
 * Commands with their name, description, change and message. The last admin who can sign in cannot be demoted or
 * disabled.
 */
const userChanges: [string, string, UserChange, string][] = [
  ['promote', 'make a user an admin', { is_admin: true }, 'is now an admin'],
  ['demote', 'remove the admin rights of a user', { is_admin: false }, 'is no longer an admin'],
  [
    'disable',
    'disable an account and revoke all its sessions',
    { status: UserStatus.disabled },
    'is disabled; all sessions of the account were revoked',
  ],
  [
    'end-factor',
    'turn off two-step verification of an account',
    { end_factor: true },
    'no longer has two-step verification',
  ],
  [
    'end-keys',
    'delete the API keys and passkeys of an account and its connection with the OpenID provider',
    { end_keys: true },
    'no longer has API keys, passkeys or a connection with the OpenID provider',
  ],
  ['enable', 'enable a disabled account', { status: UserStatus.enabled }, 'can sign in again'],
];

export function userCommand(): Command {
  const user = new Command('user').description('create and manage accounts');
  user
    .command('create <username> <email>')
    .description('create an account; the password is prompted for, or read from standard input')
    .option('--admin', 'make the new user an admin')
    .option(...passwordFile)
    .action(createUser);
  user
    .command('password <name>')
    .description('set a new password and revoke all sessions of the account')
    .option('--end-keys', 'also delete API keys, passkeys and the connection with the OpenID provider')
    .option(...passwordFile)
    .action(changeUserPassword);
  for (const [name, description, state, outcome] of userChanges) {
    user
      .command(`${name} <name>`)
      .description(description)
      .action((who: string) => change(who, state, outcome));
  }
  user
    .command('end-sessions <name>')
    .description('revoke all sessions of an account; its API keys stay valid')
    .action(signOut);
  user
    .command('reset-link <name>')
    .description('create a password reset link, which works once, within an hour')
    .action(resetLink);
  user
    .command('invite')
    .description('create an invite link for registration')
    .option('--email <address>', 'only this email can use the invite')
    .option('--expires <days>', 'days until the invite expires', Number, 7)
    .option('--uses <n>', 'number of accounts that can register with the invite', Number, 1)
    .addOption(
      new Option('--language <language>', 'language of the mail to --email')
        .choices(['en', 'zh'])
        .default('en'),
    )
    .action(createInviteLink);
  user.command('list').description('list all accounts').action(listUsers);
  return user;
}

const checkName = createSchemaCheck(Type.Omit(RegistrationRequest, ['password']));
const checkAll = createSchemaCheck(RegistrationRequest);

function createUser(
  name: string,
  address: string,
  options: PasswordOptions & { admin?: boolean },
): Promise<void> {
  // The name is checked before the user must type the password twice.
  const { username, email } = checkName({ username: name, email: address });
  const make = async (deps: Deps) => {
    await refuseTakenAccountNames(deps, username, email);
    const { password } = checkAll({ username, email, password: await readPassword(options) });
    await checkNewPassword(deps, password, { username, email });
    const passwordHash = await hashPassword(password, deps.config.passwordCosts);
    const isAdmin = options.admin === true;
    const user = await deps.db.kysely.transaction().execute(async (transaction) => {
      const made = await insertUser(deps, { username, email, passwordHash, isAdmin }, transaction);
      await recordAuditedAct(deps, transaction, commandLineActor, {
        action: 'user.create',
        target: { type: 'user', id: made.id, name: made.username },
        details: { is_admin: isAdmin },
      });
      return made;
    });
    console.log(`Created ${isAdmin ? 'admin' : 'user'} ${user.username} (id ${user.id}).`);
  };
  // An admin can be created before the first start of the server.
  return withDeps(make, { mayBegin: true });
}

function resetLink(name: string): Promise<void> {
  return withDeps(async (deps) => {
    const user = await getUserByName(deps, name);
    console.log(
      buildLinkUrl(
        ownUrl(deps.config),
        'reset',
        await createPasswordResetLink(deps, commandLineActor, user.id),
      ),
    );
  });
}

function signOut(name: string): Promise<void> {
  return withDeps(async (deps) => {
    const user = await getUserByName(deps, name);
    await endUserSessions(deps, commandLineActor, user.id);
    console.log(`Revoked all sessions of ${user.username}.`);
  });
}

const checkInvite = createSchemaCheck(NewInvite);

/** Returns the URL of the gallery. Without BASE_URL, the URL works for a browser on this machine. */
function ownUrl({ baseUrl, port }: Config): string {
  return baseUrl ?? `http://localhost:${port}`;
}

function createInviteLink({ language, ...options }: { language: 'en' | 'zh' }): Promise<void> {
  const wanted = checkInvite(options);
  return withDeps(async (deps) => {
    const { token } = await createInvite(deps, commandLineActor, wanted, language === 'zh' ? 'zh-CN' : 'en');
    console.log(buildLinkUrl(ownUrl(deps.config), 'invite', token));
  });
}

const userColumns: Record<string, (user: UserRow) => string> = {
  ID: (user) => String(user.id),
  USERNAME: (user) => user.username,
  EMAIL: (user) => user.email,
  ROLE: (user) => (user.is_admin ? 'admin' : 'user'),
  STATUS: (user) => (user.status ? 'normal' : 'disabled'),
  'CREATED (UTC)': (user) => timeText(user.create_time),
};

function listUsers(): Promise<void> {
  return withDeps(async ({ db }) => {
    const users = await findAllUsers(db);
    const rows = [
      Object.keys(userColumns),
      ...users.map((user) => Object.values(userColumns).map((show) => show(user))),
    ];
    console.log(alignColumns(rows).join('\n'));
  });
}

function alignColumns(rows: string[][]): string[] {
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

const checkPassword = createSchemaCheck(Type.Pick(RegistrationRequest, ['password']));

function changeUserPassword(name: string, options: PasswordOptions & { endKeys?: boolean }): Promise<void> {
  return withDeps(async (deps) => {
    const user = await getUserByName(deps, name);
    const { password } = checkPassword({ password: await readPassword(options) });
    await checkNewPassword(deps, password, user);
    const passwordHash = await hashPassword(password, deps.config.passwordCosts);
    const wanted = { passwordHash, end_keys: options.endKeys };
    const ended = await changeUser(deps, commandLineActor, user.id, wanted);
    console.log(`Changed the password of ${user.username} and revoked all sessions of the account.`);
    const { api_keys: keys } = await readUser(deps, user.id);
    if (options.endKeys) console.log(appendRevokedCounts('Revoked all other access of the account', ended));
    else if (keys > 0) console.log(`API keys that stay valid: ${keys}. Delete them with --end-keys.`);
  });
}

function change(name: string, state: UserChange, outcome: string): Promise<void> {
  return withDeps(async (deps) => {
    const user = await getUserByName(deps, name);
    await changeUser(deps, commandLineActor, user.id, state);
    if (state.status !== undefined) await runVisibilityJobs(deps);
    console.log(`${user.username} ${outcome}.`);
  });
}
