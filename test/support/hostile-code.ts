/**
 * A program in a picture worker's place that runs the code behind the last `CODE:` of its input, as a decoder that was
 * taken over would. The code may use `answer`, `fs`, `spawn` and the `id` of its job.
 */
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import { createInterface } from 'node:readline';
import { giveUpRights } from '../../server/platform/imaging/worker/drop-privileges.ts';

giveUpRights(process.argv[2] ?? '-');

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id } = JSON.parse(line);
  const writeAnswer = (value: unknown = 'done') =>
    process.stdout.write(`${JSON.stringify({ id, answer: value })}\n`);
  const code = fs.readFileSync('input', 'latin1').split('CODE:').at(-1)!;
  new Function('answer', 'fs', 'spawn', 'id', code)(writeAnswer, fs, spawn, id);
});
process.stdout.write('{"id":"ready"}\n');
