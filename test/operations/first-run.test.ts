/**
 * Tests the one-time link that a start prints. The link is never in the log, and the next start makes the
 * link invalid.
 */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { eventually } from '../support/gallery-counts.ts';
import { asVisitor, password } from '../support/people.ts';
import { type ServerProcess, startServer } from '../support/server-process.ts';

const link = /^ {2}Create admin account +http:\/\/localhost:\d+\/first-run#([\w-]{43})$/m;

const registration = (name: string, setup: string) => ({
  username: name,
  email: `${name}@example.org`,
  password,
  setup,
});

for (const WORKERS of ['1', '2']) {
  test(`each start shows a link of its own until there is an admin, with ${WORKERS} worker(s)`, async (context) => {
    const dataDir = await mkdtemp(join(tmpdir(), 'lightwell-link-'));
    let server: ServerProcess | undefined;
    context.after(async () => {
      await server?.end('SIGKILL');
      await rm(dataDir, { recursive: true, force: true });
    });
    const start = () => startServer({ dataDir, environment: { WORKERS, LOG_LEVEL: 'trace' } });

    server = await start();
    const [, old] = link.exec(server.output())!;
    await server.end('SIGKILL');

    server = await start();
    const [, code] = link.exec(server.output())!;
    assert.notEqual(code, old);
    const refused = await asVisitor(server).post('/api/auth/register', registration('early', old!));
    assert.equal(refused.status, 403);
    // Requests the page several times, so that each worker answers at least once.
    for (let times = 0; times < 4; times++) {
      const page = await fetch(`${server.url}/first-run`, { headers: { Connection: 'close' } });
      assert.equal(page.status, 200);
      assert.equal(page.headers.get('referrer-policy'), 'no-referrer');
      assert.ok(!(await page.text()).includes(code!));
    }
    const made = await asVisitor(server).post('/api/auth/register', registration('ansel', code!));
    assert.equal(made.body.code, 0, JSON.stringify(made.body));
    const running = server;
    await eventually(async () =>
      assert.match(running.output(), /"path":"\/api\/auth\/register".*"status":200/),
    );
    assert.equal(await server.end('SIGTERM'), 0);
    const logged = server
      .output()
      .split('\n')
      .filter((line) => line.startsWith('{'));
    assert.ok(logged.length > 0);
    assert.ok(logged.every((line) => !line.includes(code!) && !line.includes(old!)));
    assert.equal(server.output().split(code!).length, 2, 'it stands in one place');

    server = await start();
    assert.doesNotMatch(server.output(), /first-run|Create admin account/);
  });
}
