/**
 * Traces the system calls of one upload: every file must be on the disk before the server sends the response.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { eventually } from '../support/gallery-counts.ts';
import { register } from '../support/people.ts';
import { createJpeg } from '../support/pictures.ts';
import { startServer } from '../support/server-process.ts';

const withoutStrace = canTrace() ? false : 'strace is not here, or may not trace: fsync is not watched';

test('an upload is on the disk when it is answered', { skip: withoutStrace }, async (context) => {
  const dataDir = await mkdtemp(join(tmpdir(), 'lightwell-fsync-'));
  context.after(() => rm(dataDir, { recursive: true, force: true }));
  const trace = join(dataDir, 'trace');
  const calls = 'fsync,fdatasync,rename,renameat,renameat2,write,writev,sendto,sendmsg';
  const server = await startServer({
    dataDir,
    // With io_uring, strace would not see these system calls.
    environment: { UV_USE_IO_URING: '0' },
    under: ['strace', '-f', '-y', '-s', '600', '-e', `trace=${calls}`, '-o', trace],
  });
  try {
    const ann = await register(server, 'ann');
    const { status, body } = await ann.upload(await createJpeg());
    assert.equal(status, 200);
    const key = /[0-9a-f]{32}/.exec(body.data.path)![0];
    await eventually(async () =>
      assert.ok(findAnswer(await events(trace)) >= 0, 'the answer is in the trace'),
    );
    const all = await events(trace);
    const answered = findAnswer(all);

    const moves = all
      .map((text, at) => ({
        at,
        match: new RegExp(`^rename\\w*\\(.*"([^"]+)", .*"([^"]*/${key}[^"]+)"`).exec(text),
      }))
      .filter(({ match }) => match !== null)
      .map(({ at, match }) => ({ at, from: match![1]!, to: match![2]! }));
    assert.equal(moves.length, 3, 'original, preview and thumbnail are moved into their places');
    let placed = 0;
    for (const { at, from, to } of moves) {
      const file = all.findIndex((text) => isSync(text, from));
      assert.ok(file >= 0 && file < at, `${from} is synced before it is moved`);
      const folder = all.findIndex(
        (text, index) => index > at && isSync(text, to.slice(0, to.lastIndexOf('/'))),
      );
      assert.ok(folder > at && folder < answered, `the folder of ${to} is synced`);
      placed = Math.max(placed, folder);
    }
    const commit = all.findIndex(
      (text, index) => index > placed && isSync(text, join(dataDir, 'lightwell.db-wal')),
    );
    assert.ok(commit > placed, 'the row is committed after its objects are in place');
    assert.ok(commit < answered, 'and before the answer');
  } finally {
    // SIGTERM lets the server stop its workers. After a SIGKILL, a traced worker that is the first process of
    // its namespace cannot stop itself.
    await server.end('SIGTERM');
  }
});

/** Returns the successful system calls of a trace, in the order in which they finished. */
async function events(trace: string): Promise<string[]> {
  const begun = new Map<string, string>();
  const finished: string[] = [];
  for (const line of (await readFile(trace, 'utf8')).split('\n')) {
    const [, pid, text] = /^(\d+) +(.*)$/.exec(line) ?? [];
    if (!pid || !text) continue;
    const isAnswer = text.includes('Photo uploaded');
    // A response counts from the start of the system call that sends it, every other call from its end.
    if (text.endsWith('<unfinished ...>') && !isAnswer) begun.set(pid, text);
    else if (/^<\.\.\. \w+ resumed>/.test(text)) {
      const whole =
        (begun.get(pid) ?? '').replace(' <unfinished ...>', '') + text.replace(/^<.*?resumed>/, '');
      begun.delete(pid);
      finished.push(whole);
    } else finished.push(text);
  }
  return finished.filter((text) => !/= -1 E/.test(text));
}

function findAnswer(all: string[]): number {
  return all.findIndex(
    (text) => /^(write|writev|sendto|sendmsg)\(/.test(text) && text.includes('Photo uploaded'),
  );
}

function isSync(text: string, path: string): boolean {
  return /^f(data)?sync\(/.test(text) && text.includes(`<${path}>`) && text.endsWith('= 0');
}

function canTrace(): boolean {
  const { status } = spawnSync('strace', ['-f', '-o', '/dev/null', 'true'], { stdio: 'ignore' });
  return status === 0;
}
