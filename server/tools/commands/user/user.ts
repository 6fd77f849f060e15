/** `lightwell user …`: accounts, on the same settings and database as the server, also while it runs. */
import { Command } from 'commander';
import { createUser } from './create.ts';
import { listUsers } from './list.ts';
import { changeUserPassword } from './password.ts';
import { demoteUser, disableUser, enableUser, promoteUser } from './state.ts';

const passwordFile = ['--password-file <file>', 'read the password from the first line of a file'] as const;

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
    .option('--end-keys', 'end all API keys of the account as well')
    .option(...passwordFile)
    .action(changeUserPassword);
  user.command('promote <name>').description('make an account an admin').action(promoteUser);
  user.command('demote <name>').description('take the admin rights away').action(demoteUser);
  user.command('disable <name>').description('refuse logins and end all sessions').action(disableUser);
  user.command('enable <name>').description('let a disabled account log in again').action(enableUser);
  user.command('list').description('show all accounts').action(listUsers);
  return user;
}
