/** A real server on yesterday's database, with its clock two days ahead: it starts, sweeps, and removes nothing. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Home } from '../../../server/tools/transfer/homes.ts';
import { eventually, objectsStored } from '../../support/holdings.ts';
import { anonymous } from '../../support/people.ts';
import { s3Environment } from '../../support/s3.ts';
import { startServer } from '../../support/server-process.ts';
import { command, homeKinds } from '../transfer/databases.ts';
import { createScope } from '../transfer/homes.ts';
import { assertNothingLost, assertStored, olderDatabase, whileServed } from '../transfer/wrong-databases.ts';

const twoDays = 2 * 86_400;
const sweptWithinMs = 120_000;

describe('a server process two days ahead on an older database', { concurrency: true }, () => {
  for (const [name, makeHome] of Object.entries(homeKinds)) {
    test(`starts, sweeps, removes nothing that the newer database names, and says so, on ${name}`, async (context) => {
      const scope = createScope();
      context.after(() => scope.end());
      const wrong = await olderDatabase(scope, makeHome);
      const { home, named } = wrong;
      const server = await startServer({
        dataDir: home.dataDir,
        environment: environmentOf(home),
        later: twoDays,
        // The first sweep comes half a minute after the start.
        sooner: { 30000: 2000 },
      });
      scope.after(() => server.end('SIGKILL'));
      // The stranger sees what the older database shows, before and after.
      const served = async () => {
        const { list } = (await anonymous(server).get('/api/photos')).body.data;
        assert.equal(list.length, 2);
        for (const { thumb } of list) assert.equal((await anonymous(server).get(thumb)).status, 200);
      };
      await served();
      await eventually(async () => assert.match(server.output(), /"brake":/), sweptWithinMs);
      const said = server
        .output()
        .split('\n')
        .filter((line) => line.startsWith('{'))
        .map((line) => JSON.parse(line));
      const line = said.find(({ brake }) => brake);
      assert.deepEqual([line.level, line.brake.reason, line.brake.orphans], [50, 'stamp', 3]);
      assert.match(line.msg, /^nothing is removed: the storage was used by .*another state of this one/);
      const metrics = (await anonymous(server).get('/metrics')).bytes.toString();
      assert.match(metrics, /^lightwell_removal_held 1$/m);
      assert.match(metrics, /^lightwell_removal_held_objects 3$/m);
      const check = await command(home, ['check', '--fast'], { later: twoDays });
      assert.equal(check.code, 1, check.err);
      assert.match(check.out, /the sweep does not remove what it would.*3 of \d+ objects have no row/);
      await served();
      assert.equal(await server.end('SIGTERM'), 0);
      await whileServed(home, async ({ deps }) => assertStored(await objectsStored(deps), named));
      await assertNothingLost(wrong);
    });
  }
});

function environmentOf({ databaseUrl, storageUrl }: Home): Record<string, string> {
  return {
    ...(databaseUrl && { DATABASE_URL: databaseUrl }),
    ...(storageUrl && s3Environment(storageUrl)),
  };
}
