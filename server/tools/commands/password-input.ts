/** Where a password comes from: never from an argument, which other users of the machine could read. */
import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { CommandError } from './failure.ts';

export interface PasswordOptions {
  passwordFile?: string;
}

/** From the named file, else asked at the terminal without showing it, else from standard input. */
export async function readPassword({ passwordFile }: PasswordOptions): Promise<string> {
  if (passwordFile) return firstLine(await readPasswordFile(passwordFile));
  if (!process.stdin.isTTY) return firstLine(await text(process.stdin));
  const password = await ask('Password: ');
  if ((await ask('Once more: ')) !== password) throw new CommandError('the two passwords differ');
  return password;
}

async function readPasswordFile(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    throw new CommandError(`the password file cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
}

function firstLine(content: string): string {
  return content.split(/\r?\n/, 1)[0]!;
}

/** Reads a line from the terminal; what is typed goes to an output that shows nothing. */
function ask(question: string): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = createInterface({ input: process.stdin, output: nowhere, terminal: true, historySize: 0 });
  process.stderr.write(question);
  terminal.once('line', resolve);
  // Ctrl-C and Ctrl-D. After a line this rejects nothing: the promise is settled by then.
  terminal.once('close', () => reject(new CommandError('no password was given')));
  return promise.finally(() => {
    terminal.close();
    process.stderr.write('\n');
  });
}
