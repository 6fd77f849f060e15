/**
 * Reads passwords from a file, the terminal or standard input. Arguments are no safe source, because other users of the
 * machine can read them.
 */
import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { CommandError } from './failure.ts';

export interface PasswordOptions {
  passwordFile?: string;
}

/** Returns a password from the given file, or from a hidden prompt in the terminal, or from standard input. */
export async function readPassword({ passwordFile }: PasswordOptions): Promise<string> {
  if (passwordFile) return firstLine(await readPasswordFile(passwordFile));
  if (!process.stdin.isTTY) return firstLine(await text(process.stdin));
  const password = await askHidden('Password: ');
  if ((await askHidden('Repeat password: ')) !== password) throw new CommandError('the two passwords differ');
  return password;
}

async function readPasswordFile(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    throw new CommandError(`cannot read the password file (${(error as NodeJS.ErrnoException).code})`);
  }
}

function firstLine(content: string): string {
  return content.split(/\r?\n/, 1)[0]!;
}

/** Asks for a line in the terminal, and hides the typed characters by writing them to an output that discards them. */
function askHidden(question: string): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = createInterface({ input: process.stdin, output: nowhere, terminal: true, historySize: 0 });
  process.stderr.write(question);
  terminal.once('line', resolve);
  // Ctrl-C and Ctrl-D close the terminal. After a complete line the promise is already resolved, and the rejection has
  // no effect.
  terminal.once('close', () => reject(new CommandError('the password is missing')));
  return promise.finally(() => {
    terminal.close();
    process.stderr.write('\n');
  });
}
