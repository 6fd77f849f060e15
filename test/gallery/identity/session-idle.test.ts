/**
 * Tests SESSION_IDLE: unused sessions expire. Used sessions continue, without a database write per request.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type ClientRequest, request } from 'node:http';
import { after, before, describe, test } from 'node:test';
import { readConfig } from '../../../server/config.ts';
import { purgeOldSessions } from '../../../server/tools/maintenance/rows.ts';
import { assertRead, assertRefused, assertWritten } from '../../support/assert-answers.ts';
import { eventually } from '../../support/gallery-counts.ts';
import { type Gallery, startGallery } from '../../support/harness.ts';
import { asVisitor, createPerson, logIn, type Person, register } from '../../support/people.ts';
import { readOffset, startUpload, tusHeader } from '../../support/uploads.ts';

const idle = 3600;

describe('sessions that end when they are not used', () => {
  let gallery: Gallery;
  let ann: Person;

  before(async () => {
    gallery = await startGallery({ sessionIdle: idle });
    ann = await register(gallery, 'ann');
  });
  after(() => gallery.close());

  const readStatus = async (who: Person) => (await who.get('/api/auth/user')).status;
  const byCookie = (who: Person) =>
    asVisitor(gallery).send('GET', '/api/auth/user', {
      headers: { cookie: `lightwell_session=${who.token}` },
    });
  const rows = () =>
    gallery.deps.db.kysely.selectFrom('sessions').select('last_used_time').orderBy('id').execute();
  const lastUse = async () => Number((await rows()).at(-1)!.last_used_time);

  test('a session that was not used for so long has ended, in a cookie, too', async () => {
    const [used, unused] = [await logIn(gallery, ann), await logIn(gallery, ann)];
    const key = assertWritten(await used.post('/api/auth/tokens', { name: 'k', scopes: ['read'] }));
    for (let n = 0; n < 3; n++) {
      gallery.travel(idle / 2 - 10);
      const before = gallery.deps.clock();
      assert.equal(await readStatus(used), 200);
      await eventually(async () => assert.ok((await rows()).some((row) => row.last_used_time >= before)));
    }
    assert.equal(
      assertRead(await used.get('/api/auth/sessions')).list.length,
      1,
      'the others are not listed',
    );
    assertRefused(await unused.get('/api/auth/user'), 401, 10006);
    assertRefused(await byCookie(unused), 401, 401);
    assert.equal((await byCookie(used)).status, 200);
    gallery.travel(idle);
    assertRefused(await used.get('/api/auth/user'), 401, 10006);
    const robot = createPerson(gallery, 'ann', key.token, ann.id);
    assert.equal(await readStatus(robot), 200, 'an API key is no session');
  });

  test('do not displace sessions that are in use', async () => {
    const used = await logIn(gallery, ann);
    const now = gallery.deps.clock();
    const { kysely } = gallery.deps.db;
    const ended = Array.from({ length: 150 }, (_, n) => ({
      user_id: ann.id,
      token_hash: `ended ${n}`,
      ...{ user_agent: '', ip: '' },
      create_time: now - idle - 10,
      last_used_time: now - idle - 10,
      expire_time: now + 1000,
    }));
    await kysely.insertInto('sessions').values(ended).execute();
    await logIn(gallery, ann);
    assert.equal(await readStatus(used), 200);
    const kept = kysely.selectFrom('sessions').select('id').where('token_hash', 'like', 'ended %');
    assert.equal((await kept.execute()).length, 100);
    await kysely.deleteFrom('sessions').where('token_hash', 'like', 'ended %').execute();
  });

  test('record a use once in a tenth of the time', async () => {
    const who = await logIn(gallery, ann);
    const begun = await lastUse();
    gallery.travel(idle / 10 - 20);
    for (let n = 0; n < 3; n++) assert.equal(await readStatus(who), 200);
    assert.equal(await lastUse(), begun);
    gallery.travel(40);
    await Promise.all(Array.from({ length: 5 }, () => readStatus(who)));
    await eventually(async () => assert.ok((await lastUse()) > begun));
  });

  test('a use counts on all servers of the gallery', async (context) => {
    const { dataDir, databaseUrl, storageUrl, storageKeys } = gallery.deps.config;
    const other = await startGallery(
      { sessionIdle: idle, dataDir, databaseUrl, ...(storageUrl && { storageUrl, storageKeys }) },
      { clock: gallery.deps.clock },
    );
    context.after(() => other.close());
    const here = await logIn(gallery, ann);
    const there = createPerson(other, 'ann', here.token, ann.id);
    const begun = await lastUse();
    gallery.travel(idle - 100);
    assert.equal(await readStatus(there), 200);
    await eventually(async () => assert.ok((await lastUse()) > begun));
    gallery.travel(idle - 100);
    assert.equal(await readStatus(here), 200);
    await eventually(async () => assert.ok((await lastUse()) >= gallery.deps.clock() - 100));
    gallery.travel(idle);
    assert.deepEqual([await readStatus(here), await readStatus(there)], [401, 401]);
  });

  test('a request that takes longer than that, as a large upload may, is in use until its end', async () => {
    const who = await logIn(gallery, ann);
    gallery.travel(idle / 2);
    const begun = await lastUse();
    const body = JSON.stringify({ bio: 'Slowly' });
    const sent = request(`${gallery.url}/api/auth/profile`, {
      method: 'PUT',
      headers: {
        authorization: `Bearer ${who.token}`,
        'content-type': 'application/json',
        'content-length': body.length,
      },
    });
    const answered = once(sent, 'response');
    sent.write(body.slice(0, 5));
    await eventually(async () => assert.ok((await lastUse()) > begun, 'the request was let in'));
    gallery.travel(idle + 1);
    await purgeOldSessions(gallery.deps);
    sent.end(body.slice(5));
    const [response] = await answered;
    response.resume();
    assert.equal(response.statusCode, 200);
  });

  const size = 100_000;
  interface Upload {
    sent: ClientRequest;
    /**
     * Resolves when the server has finished the interrupted request. The server checks the session while it
     * stores bytes.
     */
    ended(): Promise<unknown>;
  }
  const uploads: Record<string, (who: Person) => Promise<Upload>> = {
    async 'in a form'(who) {
      const arrived = once(gallery.server, 'request');
      const sent = request(`${gallery.url}/api/photos/upload`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${who.token}`,
          'content-type': 'multipart/form-data; boundary=end',
          'content-length': size,
        },
      });
      sent.write('--end\r\nContent-Disposition: form-data; name="file"; filename="a.jpg"\r\n\r\n');
      const [message] = await arrived;
      const closed = new Promise((resolve) => message.once('close', resolve));
      return { sent, ended: () => closed };
    },
    async resumable(who) {
      const path = await startUpload(who, size);
      const sent = request(new URL(path, gallery.url), {
        method: 'PATCH',
        headers: {
          ...tusHeader,
          authorization: `Bearer ${who.token}`,
          'upload-offset': '0',
          'content-type': 'application/offset+octet-stream',
          'content-length': size,
        },
      });
      return { sent, ended: async () => readOffset(await logIn(gallery, ann), path) };
    },
  };

  for (const [way, start] of Object.entries(uploads)) {
    test(`stay in use while an upload runs (${way}), for all requests of the session`, async (context) => {
      const who = await logIn(gallery, ann);
      const { sent, ended } = await start(who);
      // Ends the request with the test, because a closing gallery waits for running requests.
      sent.on('error', () => {});
      context.after(() => sent.destroy());
      for (let n = 0; n < 3; n++) {
        gallery.travel(idle / 2);
        const before = gallery.deps.clock();
        sent.write(Buffer.alloc(5000));
        await eventually(async () => assert.ok((await lastUse()) >= before));
      }
      assert.equal(await readStatus(who), 200);
      sent.destroy();
      await ended();
      gallery.travel(idle + 1);
      assert.equal(await readStatus(who), 401, 'the upload has ended');
    });
  }

  test('are removed some time after they end', async () => {
    gallery.travel(idle + 8 * 86_400);
    const kept = await logIn(gallery, ann);
    await purgeOldSessions(gallery.deps);
    assert.equal((await rows()).length, 1);
    assert.equal(await readStatus(kept), 200);
  });

  test('the server logged no error during these tests', () => assert.deepEqual(gallery.complaints(), []));
});

test('end only by TOKEN_TTL when SESSION_IDLE is not set', async (context) => {
  const gallery = await startGallery();
  context.after(() => gallery.close());
  const ann = await register(gallery, 'ann');
  gallery.travel(gallery.deps.config.tokenTtl - 60);
  assert.equal(assertRead(await ann.get('/api/auth/sessions')).list.length, 1);
  await purgeOldSessions(gallery.deps);
  assert.equal(assertRead(await ann.get('/api/auth/user')).id, ann.id);
});

test('SESSION_IDLE takes no time in which one could not read a page', () => {
  for (const tiny of ['1', '59']) {
    assert.throws(() => readConfig({ SESSION_IDLE: tiny }), {
      message: `Some settings are invalid:\n  - SESSION_IDLE: must be 0 or a whole number from 60 to 3153600000, not "${tiny}"`,
    });
  }
  assert.equal(readConfig({ SESSION_IDLE: '0' }).sessionIdle, 0);
  assert.equal(readConfig({ SESSION_IDLE: '60' }).sessionIdle, 60);
});
