/** Tests a link with a limited number of views: requests that use up a view, and requests that do not. */
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { assertRefused, assertWritten } from '../../support/assert-answers.ts';
import { eventually } from '../../support/gallery-counts.ts';
import { type Gallery, startGallery } from '../../support/harness.ts';
import { asVisitor, type Person, register } from '../../support/people.ts';
import { createRequestHead, openSocket } from '../../support/raw.ts';
import {
  assertGone,
  type CreatedShare,
  download,
  formHeaders,
  listed,
  loadSharePage,
  open,
  sharePrivate,
  shown,
  unlock,
} from './steps.ts';

let gallery: Gallery;
let olga: Person;

before(async () => {
  gallery = await startGallery();
  olga = await register(gallery, 'olga');
});
after(() => gallery?.close());

const change = (made: CreatedShare, body: object) => olga.put(`/api/shares/${made.id}`, body);

suite('a share that may be opened so often', () => {
  test('opens as often, and goes on for an hour for who opened it', async () => {
    const made = await sharePrivate(olga, { max_views: 2 });
    const { access, photo } = await shown(gallery, made.token);
    assert.match(access, /^\d+\./);
    // Requests with the access token of the first opening do not count as views.
    for (let n = 0; n < 3; n++) await shown(gallery, made.token, access);
    assert.equal((await listed(olga, made.id)).views, 1);
    await shown(gallery, made.token);
    await assertGone(gallery, made.token);
    assertRefused(await download(gallery, made.token), 404, 20007);
    await shown(gallery, made.token, access);
    assert.equal((await download(gallery, made.token, access)).status, 200);
    assert.equal((await asVisitor(gallery).get(photo.preview)).status, 200);
    await gallery.deps.db.counters.flush();
    const row = await listed(olga, made.id);
    assert.deepEqual([row.views, row.downloads], [2, 1]);
    assert.match(row.last_view_time, /^\d{4}-/);
    gallery.travel(3601);
    await assertGone(gallery, made.token, access);
    assertWritten(await change(made, { max_views: 3 }));
    await shown(gallery, made.token);
    await assertGone(gallery, made.token);
    assertWritten(await change(made, { max_views: null }));
    assert.equal((await shown(gallery, made.token)).access, undefined);
  });

  test('opens as often when many come at once', async () => {
    const { token, id } = await sharePrivate(olga, { max_views: 3 });
    const answers = await Promise.all(Array.from({ length: 20 }, () => open(gallery, token)));
    assert.equal(answers.filter(({ status }) => status === 200).length, 3);
    assert.equal(answers.filter(({ status }) => status === 404).length, 17);
    assert.equal((await listed(olga, id)).views, 3);
  });

  test('is not used up by a wrong password, by HEAD, or by what looks at its page', async () => {
    const made = await sharePrivate(olga, { max_views: 1, password: 'blue heron' });
    assertRefused(await open(gallery, made.token), 403, 20008);
    assertRefused(
      await asVisitor(gallery).post(`/api/shares/${made.token}/unlock`, { password: 'x' }),
      403,
      20008,
    );
    await loadSharePage(gallery, made.token);
    const plain = await sharePrivate(olga, { max_views: 1 });
    await asVisitor(gallery).send('HEAD', `/api/shares/${plain.token}`);
    const closed = await loadSharePage(gallery, plain.token);
    assert.equal(closed.status, 200);
    assert.match(closed.bytes.toString(), /open this link once more/);
    assert.doesNotMatch(closed.bytes.toString(), /Harbour|og:image|\/storage\//);
    assert.deepEqual([(await listed(olga, plain.id)).views, (await listed(olga, made.id)).views], [0, 0]);

    const access = await unlock(gallery, made.token, 'blue heron');
    await shown(gallery, made.token, access);
    assertRefused(
      await asVisitor(gallery).post(`/api/shares/${made.token}/unlock`, { password: 'blue heron' }),
      404,
      20007,
    );
    assert.equal((await loadSharePage(gallery, made.token)).status, 404);
  });

  test('is not used up by a download that the browser has already; the rest of a broken one counts', async () => {
    const { token, id } = await sharePrivate(olga, { max_views: 1 });
    const path = `/api/shares/${token}/download`;
    const etag = (await asVisitor(gallery).send('HEAD', path)).headers.get('etag')!;
    const ask = (headers: Record<string, string>) => asVisitor(gallery).send('GET', path, { headers });
    assert.equal((await ask({ 'if-none-match': etag })).status, 304);
    assertRefused(await ask({ range: 'bytes=99999999-' }), 416, 416);
    assert.equal((await listed(olga, id)).views, 0);
    assert.equal((await ask({ range: 'bytes=1-' })).status, 206);
    assert.equal((await listed(olga, id)).views, 1);
    assertRefused(await ask({ 'if-none-match': etag }), 404, 20007);
  });

  test('keeps the views of clients that vanish before anything is sent', async () => {
    const { token, id } = await sharePrivate(olga, { max_views: 1000 });
    const path = `/api/shares/${token}/download`;
    for (let n = 0; n < 40; n++) {
      const socket = openSocket(gallery);
      socket.write(createRequestHead('GET', path, {}));
      await pause(n % 3);
      socket.resetAndDestroy();
    }
    assert.equal((await download(gallery, token)).status, 200);
    await eventually(async () => {
      await gallery.deps.db.counters.flush();
      const { views, downloads } = await listed(olga, id);
      assert.ok(downloads > 0);
      assert.equal(views, downloads);
    });
  });

  test('sees a limit that was set while a download waits', async () => {
    const made = await sharePrivate(olga);
    await shown(gallery, made.token);
    const { streams } = gallery.shared;
    const caller = { name: '127.0.0.1', address: '127.0.0.1' };
    const leave = await Promise.all(Array.from({ length: 8 }, () => streams.acquire(caller)));
    const waiting = download(gallery, made.token);
    await eventually(async () => assert.equal(streams.waiting, 1));
    assertWritten(await change(made, { max_views: 1 }));
    for (const go of leave) go();
    assertRefused(await waiting, 404, 20007);
  });

  test('opens its page by a button, and stays open in that browser', async () => {
    const made = await sharePrivate(olga, { max_views: 1 });
    const opened = await asVisitor(gallery).send('POST', `/s/${made.token}`, {
      body: 'password=none',
      headers: formHeaders,
    });
    assert.equal(opened.status, 303);
    const cookie = { cookie: opened.headers.get('set-cookie')!.split(';')[0]! };
    for (let n = 0; n < 2; n++) {
      const html = (await loadSharePage(gallery, made.token, cookie)).bytes.toString();
      assert.match(html, /Harbour/);
      const [, path] = /href="\.\.(\/api\/shares\/[^"]+\/download\?[^"]+)"/.exec(html)!;
      assert.equal((await asVisitor(gallery).get(path!.replaceAll('&amp;', '&'))).status, 200);
    }
    assert.equal((await loadSharePage(gallery, made.token)).status, 404);
    const again = await asVisitor(gallery).send('POST', `/s/${made.token}`, {
      body: 'password=none',
      headers: formHeaders,
    });
    assert.equal(again.status, 404);
    assert.equal((await listed(olga, made.id)).views, 1);
  });
});

test('the server logged no error during these tests', () => assert.deepEqual(gallery.complaints(), []));
