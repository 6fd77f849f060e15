/**
 * The scheduled maintenance of a server on yesterday's database removes nothing, even with a clock two days ahead.
 * The file deletion-lock.test.ts tests maintenance itself, with its log line and metrics, on each kind of database.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventually, listStoredObjects } from '../../support/gallery-counts.ts';
import { asVisitor } from '../../support/people.ts';
import { startServer } from '../../support/server-process.ts';
import { createScope, sqliteHome } from '../transfer/gallery-locations.ts';
import { assertNothingLost, assertStored, olderDatabase, whileServed } from '../transfer/wrong-databases.ts';

const twoDays = 2 * 86_400;
const sweptWithinMs = 120_000;

test('a maintenance run two days ahead on an older database removes no objects of the newer one', async (context) => {
  const scope = createScope();
  context.after(() => scope.end());
  const wrong = await olderDatabase(scope, sqliteHome);
  const { home, named } = wrong;
  const server = await startServer({
    dataDir: home.dataDir,
    later: twoDays,
    // Shortens the wait for the first maintenance run, which comes half a minute after the start.
    sooner: { 30000: 2000 },
  });
  scope.after(() => server.end('SIGKILL'));
  /** Asserts that a visitor sees the photos of the older database. */
  const assertServed = async () => {
    const { list } = (await asVisitor(server).get('/api/photos')).body.data;
    assert.equal(list.length, 2);
    for (const { thumb } of list) assert.equal((await asVisitor(server).get(thumb)).status, 200);
  };
  await assertServed();
  await eventually(async () => assert.match(server.output(), /"level":50.*"deletionLock":/), sweptWithinMs);
  await assertServed();
  assert.equal(await server.end('SIGTERM'), 0);
  await whileServed(home, async ({ deps }) => assertStored(await listStoredObjects(deps), named));
  await assertNothingLost(wrong);
});
