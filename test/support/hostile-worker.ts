/**
 * A program in the place of a picture worker that acts like a compromised decoder. The program's input, or
 * the text after a picture, names the attack, such as `#loop`. Node does not limit the program, as it could
 * not limit native code.
 */
import { spawn } from 'node:child_process';
import { linkSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { dropPrivileges } from '../../server/platform/imaging/worker/drop-privileges.ts';

dropPrivileges(process.argv[2] ?? '-');

const hoardedMemory: Buffer[] = [];
let id = 'ready';

const behaviors: Record<string, (about: string) => unknown> = {
  answer: () => writeAnswer('done'),
  slow: () => setTimeout(() => writeAnswer('done'), 300),
  loop() {
    for (;;);
  },
  sleep() {},
  memory() {
    setInterval(() => hoardedMemory.push(Buffer.alloc(16_000_000, 1)), 1);
  },
  chatter: () => process.stdout.write('x'.repeat(10_000_000)),
  twice() {
    const line = JSON.stringify({ id, answer: 'done' });
    process.stdout.write(`${line}\n${line}\n`);
  },
  later() {
    writeAnswer('done');
    const before = id;
    setTimeout(() => writeAnswer('once more', before), 100);
  },
  abort: () => process.abort(),
  disk() {
    const megabytes = Buffer.alloc(8_000_000);
    let files = 0;
    setInterval(() => writeFileSync(`more-${files++}`, megabytes), 1);
  },
  fork() {
    const child = spawn('sleep', ['1000'], { detached: true, stdio: 'ignore' });
    child.unref();
    writeAnswer('done');
  },
  link(target) {
    symlinkSync(target, 'thumb');
    writeAnswer('done');
  },
  hardLink() {
    linkSync('input', 'thumb');
    writeAnswer('done');
  },
  folder() {
    mkdirSync('thumb');
    writeAnswer('done');
  },
  /** Replaces this process by a native program, which prints the response. */
  native: (script) => process.execve!('/bin/sh', ['sh', '-c', script.replaceAll('JOB_ID', id)], process.env),
};

createInterface({ input: process.stdin }).on('line', (line) => {
  ({ id } = JSON.parse(line));
  const input = readFileSync('input', 'latin1');
  const [what = '', about = ''] = input.split('\n', 2);
  const behind = input.slice(input.lastIndexOf('#') + 1);
  (behaviors[what] ?? behaviors[behind]!)(about);
});
process.stdout.write('{"id":"ready"}\n');

function writeAnswer(text: string, to = id): void {
  process.stdout.write(`${JSON.stringify({ id: to, answer: text })}\n`);
}
