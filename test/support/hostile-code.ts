/**
 * A program in the place of a picture worker, which acts like a compromised decoder. The program runs the
 * code after the last `CODE:` of its input. The code may use `answer`, `fs`, `spawn` and the `id` of its job.
 */
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import { createInterface } from 'node:readline';
import { dropPrivileges } from '../../server/platform/imaging/worker/drop-privileges.ts';

dropPrivileges(process.argv[2] ?? '-');

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id } = JSON.parse(line);
  const writeAnswer = (value: unknown = 'done') =>
    process.stdout.write(`${JSON.stringify({ id, answer: value })}\n`);
  const code = fs.readFileSync('input', 'latin1').split('CODE:').at(-1)!;
  new Function('answer', 'fs', 'spawn', 'id', code)(writeAnswer, fs, spawn, id);
});
process.stdout.write('{"id":"ready"}\n');
