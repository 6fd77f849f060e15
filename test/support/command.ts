/** The command line as a person starts it, on the database and storage of a gallery that runs meanwhile. */
import { spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import type { Gallery } from './harness.ts';
import { s3Environment } from './s3.ts';

const cli = resolve(import.meta.dirname, '../../server/cli.ts');

export interface CommandOutcome {
  code: number;
  out: string;
  error: string;
}

/** `lightwell …` in a process of its own, with this on its standard input. */
export async function lightwell(gallery: Gallery, args: string[], input = ''): Promise<CommandOutcome> {
  return lightwellIn(environmentOf(gallery), args, input);
}

/** The same with settings of one's own. */
export async function lightwellIn(
  environment: Record<string, string>,
  args: string[],
  input = '',
): Promise<CommandOutcome> {
  const env = { PATH: process.env.PATH ?? '', ...environment };
  const child = spawn(process.execPath, [cli, ...args], { env });
  child.stdin.end(input);
  const ended = new Promise<number>((found) => child.on('close', (code) => found(code ?? -1)));
  const [out, error, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  return { code, out, error: error.trim() };
}

/** To be killed, or waited for. */
export function startLightwell(gallery: Gallery, args: string[]) {
  return spawn(process.execPath, [cli, ...args], { env: environmentOf(gallery) });
}

function environmentOf({ deps }: Gallery): Record<string, string> {
  const { dataDir, databaseUrl, storageUrl } = deps.config;
  return {
    PATH: process.env.PATH ?? '',
    DATA_DIR: dataDir,
    ...(databaseUrl && { DATABASE_URL: databaseUrl }),
    ...(storageUrl && s3Environment(storageUrl)),
  };
}
