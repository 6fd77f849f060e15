/**
 * Tests that several processes can start at once on one gallery, and that settings that cannot work are
 * refused.
 */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { inspect } from 'node:util';
import { sql } from 'kysely';
import { openDatabase } from '../../../server/platform/db/index.ts';
import { makeTestDatabase } from '../../support/harness.ts';
import { addPhoto, asVisitor, createPerson, register } from '../../support/people.ts';
import { type ServerProcess, startServer } from '../../support/server-process.ts';

const admin = { ADMIN_USERNAME: 'admin', ADMIN_EMAIL: 'admin@example.org', ADMIN_PASSWORD: 'secret enough' };

describe('three processes that start at once on nothing', () => {
  for (const name of ['sqlite', 'postgres']) {
    test(`create one schema, one secret and one admin on ${name}`, async (context) => {
      const dataDir = await mkdtemp(join(tmpdir(), 'lightwell-start-'));
      const made = name === 'postgres' ? await makeTestDatabase() : undefined;
      const servers: ServerProcess[] = [];
      context.after(async () => {
        await Promise.all(servers.map((server) => server.end('SIGKILL')));
        await made?.drop();
        await rm(dataDir, { recursive: true, force: true });
      });
      const environment = { ...admin, ...(made && { DATABASE_URL: made.url }) };
      const starts = await Promise.allSettled([1, 2, 3].map(() => startServer({ dataDir, environment })));
      for (const start of starts) if (start.status === 'fulfilled') servers.push(start.value);
      for (const start of starts) assert.ok(start.status === 'fulfilled', inspect(start));

      const [one, two, three] = servers as [ServerProcess, ServerProcess, ServerProcess];
      const ann = await register(one, 'ann');
      const { id, path } = await addPhoto(ann, { is_public: '0' });
      assert.match(path, /\?/, 'the path of a private photo is signed');
      assert.equal((await asVisitor(two).get(path)).status, 200, 'one secret signs for all');
      assert.equal(
        (await createPerson(three, 'ann', ann.token, ann.id).get(`/api/photos/${id}`)).status,
        200,
      );
      const login = { username: admin.ADMIN_USERNAME, password: admin.ADMIN_PASSWORD };
      for (const server of servers) {
        assert.equal((await asVisitor(server).post('/api/auth/login', login)).status, 200);
        assert.equal(await server.end('SIGTERM'), 0, server.output());
      }

      const db = await openDatabase({ dataDir, url: made?.url, onError: () => {} });
      const { rows } = await sql<{ name: string }>`SELECT name FROM kysely_migration`.execute(db.kysely);
      const admins = await db.kysely.selectFrom('users').select('id').where('is_admin', '=', 1).execute();
      await db.close();
      assert.ok(rows.length >= 5);
      assert.equal(new Set(rows.map((row) => row.name)).size, rows.length);
      assert.equal(admins.length, 1);
    });
  }
});

test('a gallery that a newer version has used is refused', async (context) => {
  const made = (await makeTestDatabase())!;
  context.after(() => made.drop());
  const options = { dataDir: '', url: made.url, onError: () => {} };
  const db = await openDatabase(options);
  await sql`INSERT INTO kysely_migration (name, timestamp) VALUES ('9999_later', '')`.execute(db.kysely);
  await db.close();
  await assert.rejects(openDatabase(options), /newer than this version/);
});

test('sslmode=require does not fall back to an open connection', async (context) => {
  const made = (await makeTestDatabase())!;
  context.after(() => made.drop());
  const open = (mode: string) =>
    openDatabase({ dataDir: '', url: `${made.url}?sslmode=${mode}`, onError: () => {} });
  for (const mode of ['require', 'verify-full']) {
    await assert.rejects(open(mode), ({ cause }: Error) => {
      assert.match((cause as Error).message, /does not support SSL/);
      return true;
    });
  }
  await (await open('disable')).close();
});
