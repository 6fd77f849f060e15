/** `lightwell user password`: for whoever has forgotten it. */
import { Type } from 'typebox';
import { commandLine } from '../admin/audit.ts';
import { changeUser } from '../admin/user-change.ts';
import { Register } from '../auth/schema.ts';
import { createFormCheck } from '../http/validation.ts';
import { type PasswordOptions, readPassword } from './password-input.ts';
import { getUserByName, withDeps } from './run.ts';

const checkPassword = createFormCheck(Type.Pick(Register, ['password']));

export function changeUserPassword(name: string, options: PasswordOptions): Promise<void> {
  return withDeps(async (deps) => {
    const user = await getUserByName(deps, name);
    const { password } = checkPassword({ password: await readPassword(options) });
    await changeUser(deps, commandLine, user.id, { password });
    console.log(`The password of ${user.username} was changed; all sessions of the account have ended.`);
  });
}
