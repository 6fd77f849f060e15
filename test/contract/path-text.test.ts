/** Whatever text stands in a path in the place of an id, a name or a token: no database complains of it. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { contract } from '../support/contract.ts';
import { type Gallery, startGallery } from '../support/harness.ts';
import { type Person, registerAdmin } from '../support/people.ts';

const texts = [
  '\0',
  'a\0b',
  '\u{1f600}',
  '\uffff',
  "' OR 1=1 --",
  '%',
  '../..',
  '٣',
  '1e999',
  'x'.repeat(199),
];
/** What uploads want before they look at their path. */
const headers = {
  'tus-resumable': '1.0.0',
  'upload-offset': '0',
  'content-type': 'application/offset+octet-stream',
};

describe('text in a path', () => {
  let gallery: Gallery;
  let admin: Person;

  before(async () => {
    gallery = await startGallery();
    admin = await registerAdmin(gallery, 'admin');
  });
  after(() => gallery.close());

  for (const [path, methods] of Object.entries(contract.paths)) {
    if (!path.includes('{')) continue;
    const options = path.startsWith('/api/uploads') ? { headers } : {};
    for (const method of Object.keys(methods).map((name) => name.toUpperCase())) {
      test(`of ${method} ${path}`, async () => {
        for (const text of texts) {
          const asked = path.replaceAll(/\{\w+\}/g, encodeURIComponent(text));
          const body = method === 'PATCH' ? { body: 'x' } : {};
          const { status } = await admin.send(method, asked, { ...options, ...body });
          assert.ok(status >= 400 && status < 500, `${asked}: ${status}`);
        }
      });
    }
  }

  test('went wrong nowhere', () => assert.deepEqual(gallery.complaints(), []));
});
