/** `lightwell user password`: sets a new password for a user who forgot theirs. */
import { Type } from 'typebox';
import { hashPassword } from '../../../gallery/accounts/passwords.ts';
import { Register } from '../../../gallery/accounts/schema.ts';
import { changeUser } from '../../../gallery/admin/users/change.ts';
import { readUser } from '../../../gallery/admin/users/users.ts';
import { commandLine } from '../../../gallery/moderation/audit.ts';
import { createCheck } from '../../../platform/http/validation.ts';
import { type PasswordOptions, readPassword } from '../password-input.ts';
import { getUserByName, withDeps } from '../run.ts';

const checkPassword = createCheck(Type.Pick(Register, ['password']));

export interface NewPasswordOptions extends PasswordOptions {
  endKeys?: boolean;
}

export function changeUserPassword(name: string, options: NewPasswordOptions): Promise<void> {
  return withDeps(async (deps) => {
    const user = await getUserByName(deps, name);
    const { password } = checkPassword({ password: await readPassword(options) });
    const passwordHash = await hashPassword(password, deps.config.passwordCosts);
    await changeUser(deps, commandLine, user.id, { passwordHash, end_keys: options.endKeys });
    console.log(`The password of ${user.username} was changed; all sessions of the account have ended.`);
    const { api_keys: keys } = await readUser(deps, user.id);
    if (options.endKeys) console.log('All API keys of the account have ended, too.');
    else if (keys > 0) console.log(`API keys that go on working: ${keys}. End them with --end-keys.`);
  });
}
