/**
 * Text that is not UTF-8 is refused with the name of its field, in every place where clients send bytes. The
 * server never replaces bytes.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { watchFormTexts } from '../../server/platform/http/form-texts.ts';
import { assertRefused, assertWritten } from '../support/assert-answers.ts';
import { type Gallery, startGallery } from '../support/harness.ts';
import { readPhotos } from '../support/import-folders.ts';
import { type Answer, addPhoto, asVisitor, type Person, register } from '../support/people.ts';
import { createJpeg } from '../support/pictures.ts';
import { sendChunk, tusHeader } from '../support/uploads.ts';

const boundary = 'b0undary';
const broken = Buffer.from([0xff, 0xfe]);
/** A file name that lost characters on another system, with a replacement character. The name is valid. */
const replaced = 'a\ufffdb';

type Bytes = string | Buffer;
const join8 = (...parts: Bytes[]) => Buffer.concat(parts.map((part) => Buffer.from(part as string)));

describe('text that is not UTF-8', () => {
  let gallery: Gallery;
  let ann: Person;
  let file: Buffer;

  before(async () => {
    gallery = await startGallery();
    ann = await register(gallery, 'ann');
    file = await createJpeg();
  });
  after(() => gallery?.close());

  function part(disposition: Bytes, content: Bytes, more = ''): Buffer {
    const start = join8(`--${boundary}\r\nContent-Disposition: form-data; `, disposition, `\r\n${more}\r\n`);
    return join8(start, content, '\r\n');
  }

  function send(parts: Buffer[], headers: Record<string, string> = {}): Promise<Answer> {
    const body = join8(...parts, `--${boundary}--\r\n`);
    const type = { 'content-type': `multipart/form-data; boundary=${boundary}` };
    return ann.send('POST', '/api/photos/upload', {
      body: new Uint8Array(headers['content-encoding'] ? gzipSync(body) : body),
      headers: { ...type, ...headers },
    });
  }

  const photo = () => part('name="file"; filename="a.jpg"', file);

  test('refuses text that is not UTF-8 in form fields and in the names of form parts', async () => {
    const whole = join8(file, '\r\n--not the boundary');
    const cases: [string[], ...Buffer[]][] = [
      [['title'], part('name="title"', broken), photo()],
      [['description', 'title'], photo(), part('name="title"', broken), part('name="description"', broken)],
      [['title', 'is_public'], part('name="title"', broken), photo(), part('name="is_public"', '7')],
      [['title'], part('name="title"', 'x', 'Content-Type: text/plain; charset=koi8-r\r\n'), photo()],
      [['title'], part('name="title"', 'eA==', 'Content-Transfer-Encoding: base64\r\n'), photo()],
      [['file'], part(join8('name="file"; filename="', broken, '.jpg"'), whole)],
      [['file'], part(`name="file"; filename*=UTF-8''%ff.jpg`, whole)],
      [['\ufffd\ufffd'], part(join8('name="', broken, '"'), 'x'), photo()],
    ];
    for (const [names, ...parts] of cases) assertRefused(await send(parts), 400, 400, names);
    assert.equal((await readPhotos(ann)).length, 0);
  });

  test('detects text that is not UTF-8 at every chunk boundary', async () => {
    const title = `${'é'.repeat(100)}\ufffd\u{1f600}`;
    const form = join8(
      part('name="title"', title),
      part(`name="file"; filename="${replaced}.jpg"`, file),
      part(
        'name="description"',
        Buffer.from('caf\xe9', 'latin1'),
        'Content-Type: text/plain; charset=ISO-8859-1\r\n',
      ),
    );
    // A file may contain any bytes, also bytes that look like the start of a form part.
    const { id } = assertWritten(await send([form, part('name="tags"', 'a,b')]));
    const { body } = await ann.get(`/api/photos/${id}`);
    assert.deepEqual([body.data.title, body.data.description], [title, 'café']);
  });

  test('refuses upload metadata that is not UTF-8, together with all other faults of the metadata', async () => {
    const base64 = (text: Bytes) => Buffer.from(text as string).toString('base64');
    const create = (metadata: string) =>
      ann.send('POST', '/api/uploads', {
        headers: { ...tusHeader, 'upload-length': '10', 'upload-metadata': metadata },
      });
    for (const name of ['title', 'filename', 'unknown']) {
      const bad = `${name} ${base64(broken)},is_public ${base64('7')}`;
      assertRefused(await create(bad), 400, 400, [name, 'is_public']);
    }
    const { status, headers } = await create(`filename ${base64(replaced)},relativePath`);
    assert.equal(status, 201);
    const coded = { 'content-encoding': 'gzip' };
    assertRefused(await sendChunk(ann, headers.get('location')!, 0, Buffer.alloc(10), coded), 415, 415);
  });

  test('refuses a share password that is not UTF-8 with a page', async () => {
    const { id } = await addPhoto(ann);
    const shared = await ann.post(`/api/photos/${id}/share`, { type: 'link', password: replaced });
    const path = new URL(shared.body.data.url).pathname;
    const unlock = (body: string, more: Record<string, string> = {}) =>
      asVisitor(gallery).send('POST', path, {
        body,
        headers: { 'content-type': 'application/x-www-form-urlencoded', ...more },
      });
    for (const [body, more, status] of [
      ['password=a%FFb', {}, 400],
      ['password=x', { 'content-encoding': 'gzip' }, 415],
    ] as const) {
      const answer = await unlock(body, more);
      assert.equal(answer.status, status);
      assert.match(answer.headers.get('content-type')!, /^text\/html/);
      assert.equal(answer.headers.get('set-cookie'), null);
    }
    assert.equal((await unlock('password=50%+off')).status, 403);
  });

  test('detects text that is not UTF-8 wherever the chunks of a form end', () => {
    const form = join8(
      part('name="title"', broken),
      photo(),
      part('name="tags"', 'é'),
      `--${boundary}--\r\n`,
    );
    for (const size of [1, 2, 3, 7, 64, form.length]) {
      const found: string[] = [];
      const watch = watchFormTexts(
        `multipart/form-data; boundary="${boundary}"`,
        { maxHeaderBytes: 8192, maxValueBytes: 65_536 },
        (name) => found.push(name),
      );
      for (let at = 0; at < form.length; at += size) watch(form.subarray(at, at + size));
      assert.deepEqual(found, ['title'], `${size} bytes each`);
    }
  });

  test('refuses a compressed form because the server does not accept its encoding', async () => {
    assertRefused(await send([photo()], { 'content-encoding': 'gzip' }), 415, 415);
  });

  test('text that is not UTF-8 causes no server error', () => assert.deepEqual(gallery.complaints(), []));
});
