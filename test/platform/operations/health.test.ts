import assert from 'node:assert/strict';
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { type Gallery, startGallery } from '../../support/harness.ts';
import { addPhoto, asVisitor, type Person, register } from '../../support/people.ts';

/** True if the tests run on S3, where test/platform/storage/s3-faults.test.ts makes this check. */
const isOnS3 = process.env.TEST_STORAGE === 's3';

describe('operations', () => {
  let gallery: Gallery;
  let anybody: Person;
  let owner: Person;

  before(async () => {
    gallery = await startGallery();
    anybody = asVisitor(gallery);
    owner = await register(gallery, 'owner');
  });
  after(() => gallery.close());

  const healthy = { status: 'ok', database: { status: 'ok' }, storage: { status: 'ok' } };

  test('health says that the process lives, and that database and storage answer', async () => {
    const live = await anybody.get('/health/live');
    assert.deepEqual([live.status, live.body], [200, { status: 'ok' }]);
    for (const path of ['/health', '/health/ready']) {
      const answer = await anybody.get(path);
      assert.deepEqual([answer.status, answer.body], [200, healthy]);
      assert.match(answer.headers.get('cache-control') ?? '', /no-store/);
      const withBadToken = await anybody.get(path, { authorization: 'Bearer nonsense' });
      assert.equal(withBadToken.status, 200);
    }
  });

  test('a storage that is gone is told, and only the process still well; then it recovers', {
    skip: isOnS3,
  }, async () => {
    const folder = join(gallery.deps.config.dataDir, 'files');
    await rename(folder, `${folder}-away`);
    try {
      for (const path of ['/health', '/health/ready']) {
        const answer = await anybody.get(path);
        assert.deepEqual(
          [answer.status, answer.body],
          [503, { ...healthy, status: 'failed', storage: { status: 'failed' } }],
        );
        assert.ok(!answer.bytes.includes(folder));
      }
      assert.equal((await anybody.get('/health/live')).status, 200);
      assert.equal((await anybody.get('/api/photos')).status, 200);
    } finally {
      await rename(`${folder}-away`, folder);
    }
    assert.deepEqual((await anybody.get('/health/ready')).body, healthy);
    await addPhoto(owner, { title: 'after the recovery' });
  });

  test('metrics count requests by route and status, and tell no paths and no secrets', async () => {
    const { id, thumb } = await addPhoto(owner, { title: 'measured' });
    await owner.get(`/api/photos/${id}`);
    await anybody.get('/api/photos/424242');
    await anybody.get('/api/photos?keyword=SECRET-WORD');
    await anybody.get(thumb);
    await anybody.get('/nothing/SECRET-PATH');
    const { status, headers, bytes } = await anybody.get('/metrics');
    const text = bytes.toString();
    assert.equal(status, 200);
    assert.match(headers.get('content-type') ?? '', /^text\/plain/);
    const counted = (method: string, route: string, statusClass: string) => {
      const labels = `method="${method}",route="${route}",status="${statusClass}"`;
      const line = text
        .split('\n')
        .find((one) => one.startsWith(`lightwell_request_duration_seconds_count{${labels}}`));
      return Number(line?.split(' ').at(-1) ?? 0);
    };
    assert.ok(counted('GET', '/api/photos/:id', '2xx') >= 1);
    assert.ok(counted('GET', '/api/photos/:id', '4xx') >= 1);
    assert.ok(counted('GET', '/storage/:name', '2xx') >= 1);
    assert.ok(counted('GET', '/api/photos', '2xx') >= 1);
    assert.match(text, /^process_resident_memory_bytes \d+/m);
    assert.match(text, /^lightwell_imaging_running 0$/m);
    assert.match(text, /^lightwell_imaging_waiting 0$/m);
    assert.doesNotMatch(text, /SECRET|424242|owner|\.thumb\./);
  });

  test('the contract and its page come from here', async () => {
    const contract = await anybody.get('/openapi.json');
    assert.equal(contract.status, 200);
    assert.match(contract.body.openapi, /^3\.1/);
    assert.ok(contract.body.paths['/api/photos/{id}'].get);
    const again = await anybody.get('/openapi.json', { 'if-none-match': contract.headers.get('etag')! });
    assert.equal(again.status, 304);

    const page = await anybody.get('/docs');
    assert.equal(page.status, 200);
    assert.match(page.headers.get('content-type') ?? '', /^text\/html/);
    assert.match(page.headers.get('content-security-policy') ?? '', /script-src 'self'/);
    const links = [...page.bytes.toString().matchAll(/(?:src|href)="([^"]+)"/g)].map((match) => match[1]!);
    assert.ok(links.length >= 3);
    for (const link of links) {
      assert.doesNotMatch(link, /^(https?:)?\/\//, 'nothing comes from elsewhere');
      const { pathname } = new URL(link, `${gallery.url}/docs`);
      assert.equal((await anybody.get(pathname)).status, 200, link);
    }
  });
});
