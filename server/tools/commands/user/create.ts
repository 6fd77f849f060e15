/** `lightwell user create`: an account with the same rules as one that signs up. */
import { Type } from 'typebox';
import { hashPassword } from '../../../gallery/accounts/passwords.ts';
import { Register } from '../../../gallery/accounts/schema.ts';
import { checkFree, insertUser } from '../../../gallery/accounts/store.ts';
import { audit, commandLine } from '../../../gallery/moderation/audit.ts';
import { createCheck } from '../../../platform/http/validation.ts';
import { type PasswordOptions, readPassword } from '../password-input.ts';
import { withDeps } from '../run.ts';

const checkName = createCheck(Type.Omit(Register, ['password']));
const checkAll = createCheck(Register);

/** An admin may be made before the first start of the server. */
const mayBegin = { mayBegin: true };

interface CreateOptions extends PasswordOptions {
  admin?: boolean;
}

export function createUser(username: string, email: string, options: CreateOptions): Promise<void> {
  // Before the password is asked for, which is typed twice.
  checkName({ username, email });
  return withDeps(async (deps) => {
    await checkFree(deps, username, email);
    const { password } = checkAll({ username, email, password: await readPassword(options) });
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
  }, mayBegin);
}
