/** Tests the settings that the start of the gallery writes to its database role in PostgreSQL. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, beforeEach, describe, test } from 'node:test';
import pg from 'pg';
import { openDatabase } from '../../../server/platform/db/index.ts';

describe('the role of the gallery, which owns its database and nothing else', () => {
  let dataDir: string;
  let role: string;
  let url: string;

  before(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'lightwell-postgres-role-'));
  });
  beforeEach(async () => {
    role = `keeper_${randomBytes(4).toString('hex')}`;
    await ask(process.env.TEST_POSTGRES_URL!, `CREATE ROLE ${role} LOGIN PASSWORD 'kept'`);
    await ask(process.env.TEST_POSTGRES_URL!, `CREATE DATABASE ${role} OWNER ${role} TEMPLATE template0`);
    const place = { username: role, password: 'kept', pathname: `/${role}` };
    url = Object.assign(new URL(process.env.TEST_POSTGRES_URL!), place).href;
  });
  afterEach(async () => {
    await ask(process.env.TEST_POSTGRES_URL!, `DROP DATABASE ${role} WITH (FORCE)`);
    await ask(process.env.TEST_POSTGRES_URL!, `DROP ROLE ${role}`);
  });
  after(() => rm(dataDir, { recursive: true }));

  async function ask(of: string, statement: string) {
    const client = new pg.Client({ connectionString: of });
    await client.connect();
    try {
      return (await client.query(statement)).rows;
    } finally {
      await client.end();
    }
  }

  const start = async () => {
    await (await openDatabase({ dataDir, url, onError: assert.ifError })).close();
  };
  const cost = async (of = url) => (await ask(of, 'SHOW random_page_cost'))[0].random_page_cost;

  test('finds rows of small tables by their index, too, in this database alone', async () => {
    await start();
    assert.equal(await cost(), '1.1');
    assert.equal(await cost(changed('/postgres')), '4');
    // Several simultaneous starts must not disturb each other, nor must a second start.
    await ask(url, `ALTER ROLE ${role} IN DATABASE ${role} RESET ALL`);
    await Promise.all([start(), start(), start()]);
    assert.equal(await cost(), '1.1');
  });

  test('keeps what its operator has chosen', async () => {
    await ask(process.env.TEST_POSTGRES_URL!, `ALTER DATABASE ${role} SET random_page_cost = 2`);
    await start();
    assert.equal(await cost(), '2');
  });

  function changed(pathname: string): string {
    return Object.assign(new URL(url), { pathname }).href;
  }
});
