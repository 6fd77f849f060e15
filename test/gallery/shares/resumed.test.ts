/** Tests a download through a link with limited views that breaks off and is resumed. */
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import {
  admitShareDownload,
  canResumeShareDownload,
  refundShareDownload,
} from '../../../server/gallery/shares/downloads.ts';
import { runMaintenance } from '../../../server/tools/maintenance/maintenance.ts';
import { assertRefused } from '../../support/assert-answers.ts';
import { type Gallery, startGallery } from '../../support/harness.ts';
import { asVisitor, type Person, register } from '../../support/people.ts';
import { listed, sharePrivate } from './steps.ts';

let gallery: Gallery;
let olga: Person;

before(async () => {
  gallery = await startGallery({ trustProxy: true });
  olga = await register(gallery, 'olga');
});
after(() => gallery?.close());

const ask = (token: string, range?: string, address = '203.0.113.1') =>
  asVisitor(gallery).send('GET', `/api/shares/${token}/download`, {
    headers: { 'x-forwarded-for': address, ...(range && { range }) },
  });
const countViews = async (id: number) => (await listed(olga, id)).views;

suite('a download that is resumed', () => {
  test('takes one view for ten minutes, from one address', async () => {
    const { token, id } = await sharePrivate(olga, { max_views: 1 });
    const whole = await ask(token);
    assert.equal(whole.status, 200);
    const rest = await ask(token, 'bytes=100-');
    assert.deepEqual([rest.status, rest.bytes], [206, whole.bytes.subarray(100)]);
    assert.equal((await ask(token, 'bytes=0-99')).status, 206);
    assert.equal(await countViews(id), 1);
    assertRefused(await ask(token), 404, 20007);
    assertRefused(await ask(token, 'bytes=100-', '203.0.113.2'), 404, 20007);
    gallery.travel(600);
    assertRefused(await ask(token, 'bytes=100-'), 404, 20007);
    assert.equal(await countViews(id), 1);
  });

  test('takes one view where its parts are asked for at once, and others theirs', async () => {
    const { token, id } = await sharePrivate(olga, { max_views: 2 });
    const parts = Array.from({ length: 6 }, (_, n) => ask(token, `bytes=${n * 10}-${n * 10 + 9}`));
    assert.deepEqual([...new Set((await Promise.all(parts)).map(({ status }) => status))], [206]);
    assert.equal(await countViews(id), 1);
    assert.equal((await ask(token, 'bytes=0-', '203.0.113.3')).status, 206);
    assertRefused(await ask(token, 'bytes=0-', '203.0.113.4'), 404, 20007);
  });

  test('does not lend a password, or what the link no longer allows', async () => {
    const { token, id } = await sharePrivate(olga, { max_views: 1 });
    assert.equal((await ask(token, 'bytes=0-9')).status, 206);
    assert.equal((await olga.put(`/api/shares/${id}`, { password: 'blue heron' })).status, 200);
    assertRefused(await ask(token, 'bytes=10-'), 403, 20008);
    assert.equal(
      (await olga.put(`/api/shares/${id}`, { password: null, allow_download: false })).status,
      200,
    );
    assertRefused(await ask(token, 'bytes=10-'), 403, 403);
  });

  test('is not given back by a request of which nothing was sent, once another has gone on with it', async () => {
    const { id } = await sharePrivate(olga, { max_views: 1 });
    const { deps } = gallery;
    const download = { shareId: id, client: '203.0.113.5' };
    assert.equal(await admitShareDownload(deps, download, true), true);
    await refundShareDownload(deps, download);
    assert.equal(await countViews(id), 0);
    assert.equal(await admitShareDownload(deps, download, false), true);
    assert.equal(await admitShareDownload(deps, download, true), false);
    await refundShareDownload(deps, download);
    assert.equal(await countViews(id), 1);
    assert.equal((await olga.put(`/api/shares/${id}`, { max_views: 2 })).status, 200);
    gallery.travel(300);
    assert.equal(await admitShareDownload(deps, download, false), true);
    await refundShareDownload(deps, download);
    assert.equal(await countViews(id), 1, 'the second one is not resumed');
    gallery.travel(300);
    assert.equal(
      await canResumeShareDownload(deps, download),
      false,
      'nor does it put off the end of the first',
    );
    await runMaintenance(deps, { graceSeconds: undefined });
    const left = await deps.db.kysely.selectFrom('share_downloads').selectAll().execute();
    assert.deepEqual(left, []);
  });

  test('the server logged no error during these tests', () => assert.deepEqual(gallery.complaints(), []));
});
