/** Tests the previews of public pages in chats: what they contain, and that nothing private is in one. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import sharp from 'sharp';
import { readBuiltAssets } from '../../../server/gallery/pages/built-assets.ts';
import { webBuildFolder } from '../../../server/platform/http/web-build.ts';
import { assertDone } from '../../support/assert-answers.ts';
import { type Gallery, startGallery } from '../../support/harness.ts';
import { addAlbum, addPhoto, disableAccount, type Person, register } from '../../support/people.ts';
import { createJpeg } from '../../support/pictures.ts';
import { getFrom, signInAt } from './steps.ts';

const skip = readBuiltAssets(webBuildFolder) ? false : 'the pages are not built: npm run build:web';
const baseUrl = 'https://photos.example.org';
const hostile = `</title><script>alert(1)</script> "quoted" & 'Möwe'`;

/** Loads a page like a program that previews links, and returns its preview tags by name. */
async function loadTags({ url }: { url: string }, path: string, headers: Record<string, string> = {}) {
  const answer = await fetch(url + path, { headers, redirect: 'manual' });
  const text = await answer.text();
  const all = text.matchAll(/<meta (?:property|name)="([^"]+)" content="([^"]*)">/g);
  const tags = new Map([...all].map(([, name, content]) => [name!, unescapeHtml(content!)]));
  const canonical = /<link rel="canonical" href="([^"]+)">/.exec(text)?.[1];
  return { status: answer.status, text, tags, canonical };
}

function unescapeHtml(text: string): string {
  return text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');
}

describe('the preview of a public page', { skip }, () => {
  let gallery: Gallery;
  let ann: Person;
  let photo: number;
  let secret: number;
  let album: number;
  let outer: number;

  before(async () => {
    gallery = await startGallery({ baseUrl, siteName: 'Club' });
    ann = await register(gallery, 'ann');
    await ann.put('/api/auth/profile', { nickname: 'Ann', bio: 'Birds & boats' });
    outer = await addAlbum(ann, 'Outer');
    album = await addAlbum(ann, hostile, { parentId: outer });
    const picture = await createJpeg({ width: 1500, height: 1000 });
    photo = (
      await addPhoto(ann, { title: hostile, description: 'Low tide', album_id: String(album) }, picture)
    ).id;
    secret = (await addPhoto(ann, { title: 'Hidden garden', is_public: '0' })).id;
  });
  after(() => gallery.close());

  test('has title, text and an absolute JPEG with its size, on each kind of page', async () => {
    for (const [path, title, description, canonical] of [
      ['/', 'Club', '1 photo', '/'],
      [`/photos/${photo}`, hostile, 'Low tide', `/photos/${photo}`],
      [`/albums/${album}/photos/${photo}`, hostile, 'Low tide', `/photos/${photo}`],
      [`/users/ann/photos/${photo}`, hostile, 'Low tide', `/photos/${photo}`],
      [`/search/photos/${photo}?q=tide`, hostile, 'Low tide', `/photos/${photo}`],
      [`/favorites/photos/${photo}`, hostile, 'Low tide', `/photos/${photo}`],
      [`/albums/${album}`, hostile, 'Album by Ann', `/albums/${album}`],
      [`/albums/${album}?sort=title`, hostile, 'Album by Ann', `/albums/${album}`],
      [`/albums/${outer}`, 'Outer', 'Album by Ann', `/albums/${outer}`],
      ['/users/ann', 'Ann', 'Birds & boats', '/users/ann'],
      ['/users/ANN/albums', 'Ann', 'Birds & boats', '/users/ann'],
    ] as const) {
      const { status, text, tags, canonical: link } = await loadTags(gallery, path);
      assert.equal(status, 200, path);
      assert.deepEqual([tags.get('og:title'), tags.get('twitter:title')], [title, title], path);
      assert.equal(tags.get('og:description'), description, path);
      assert.equal(tags.get('description'), description, path);
      assert.deepEqual([link, tags.get('og:url')], [baseUrl + canonical, baseUrl + canonical], path);
      assert.equal(tags.get('og:site_name'), 'Club');
      assert.equal(tags.get('twitter:card'), 'summary_large_image', path);
      const image = tags.get('og:image')!;
      assert.match(image, /^https:\/\/photos\.example\.org\/storage\/[0-9a-f]{32}\.card\.jpg$/, path);
      assert.deepEqual([tags.get('og:image:width'), tags.get('og:image:height')], ['1200', '800'], path);
      assert.equal(text.includes('<script>alert(1)'), false, path);
    }
  });

  test('names a picture that anyone can load, with the size that it states', async () => {
    const { tags } = await loadTags(gallery, `/photos/${photo}`);
    const answer = await fetch(gallery.url + tags.get('og:image')!.slice(baseUrl.length));
    assert.deepEqual([answer.status, answer.headers.get('content-type')], [200, 'image/jpeg']);
    const { format, width, height } = await sharp(Buffer.from(await answer.arrayBuffer())).metadata();
    assert.deepEqual([format, width, height], ['jpeg', 1200, 800]);
  });

  test('describes a photo for search engines, without its place', async () => {
    const { text } = await loadTags(gallery, `/photos/${photo}`);
    const [, json] = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(text)!;
    const data = JSON.parse(json!);
    assert.equal(data['@type'], 'ImageObject');
    assert.deepEqual([data.name, data.description], [hostile, 'Low tide']);
    assert.deepEqual([data.width, data.height, data.creator.name], [1500, 1000, 'Ann']);
    for (const url of [data.contentUrl, data.thumbnailUrl])
      assert.equal((await fetch(gallery.url + url.slice(baseUrl.length))).status, 200, url);
    assert.equal(json!.includes('location'), false);
  });

  test('never comes from a Host or a forwarded header that a stranger wrote', async () => {
    const forged: Record<string, string>[] = [
      { 'X-Forwarded-Host': 'evil.example' },
      { Forwarded: 'host=evil.example' },
      { 'X-Forwarded-Prefix': '/evil' },
    ];
    for (const headers of forged) {
      const { text, canonical } = await loadTags(gallery, `/photos/${photo}`, headers);
      assert.equal(text.includes('evil'), false);
      assert.equal(canonical, `${baseUrl}/photos/${photo}`);
    }
  });

  test('is missing where the visitor sees nothing', async () => {
    const gone = await addPhoto(ann, { title: 'Trashed tulip' });
    assertDone(await ann.delete(`/api/photos/${gone.id}`));
    const closed = await addAlbum(ann, 'Closed album', { isPublic: false });
    const club = await addPhoto(ann, { title: 'Members only', visibility: 'members' });
    for (const path of [
      `/photos/${secret}`,
      `/photos/${gone.id}`,
      `/photos/${club.id}`,
      '/photos/999999',
      '/photos/x',
      `/albums/${closed}`,
      `/albums/${album}/photos/${secret}`,
      `/users/ann/photos/${secret}`,
      `/favorites/photos/${secret}`,
      '/users/nobody',
      '/admin/users',
      '/sign-in',
      '/nowhere',
    ]) {
      const { text, tags } = await loadTags(gallery, path);
      assert.equal(tags.get('og:title'), undefined, path);
      for (const word of ['Hidden garden', 'Trashed tulip', 'Closed album', 'Members only'])
        assert.equal(text.includes(word), false, `${path}: ${word}`);
    }
    const person = await loadTags(gallery, '/users/ann');
    assert.equal(person.text.includes('Hidden garden'), false);
  });

  test('is not in the pages of a signed-in viewer, whose private photos stay private', async () => {
    const headers = { Authorization: `Bearer ${ann.token}` };
    const { status, tags } = await loadTags(gallery, `/photos/${secret}`, headers);
    assert.deepEqual([status, tags.get('og:title'), tags.get('og:image')], [200, undefined, undefined]);
  });

  test('ends with the account of its owner', async () => {
    const bob = await register(gallery, 'bob');
    const { id } = await addPhoto(bob, { title: 'Gone with Bob' });
    assert.equal((await loadTags(gallery, `/photos/${id}`)).tags.get('og:title'), 'Gone with Bob');
    await disableAccount(gallery, bob);
    for (const path of [`/photos/${id}`, '/users/bob', '/'])
      assert.equal((await loadTags(gallery, path)).text.includes('Bob'), false, path);
  });

  test('shortens long texts and has no line breaks', async () => {
    const { id } = await addPhoto(ann, { title: 'Long', description: `a\n\n${'ü🙂'.repeat(400)}` });
    const description = (await loadTags(gallery, `/photos/${id}`)).tags.get('og:description')!;
    assert.equal([...description].length, 200);
    assert.match(description, /^a ü🙂.*…$/u);
  });
});

describe('the preview of a gallery without BASE_URL', { skip }, () => {
  let gallery: Gallery;
  let photo: number;

  before(async () => {
    gallery = await startGallery();
    const ann = await register(gallery, 'ann');
    photo = (await addPhoto(ann, { title: 'Harbor' })).id;
  });
  after(() => gallery.close());

  test('uses the address of this machine, and the address at which an admin signs in', async () => {
    const path = `/photos/${photo}`;
    const own = await loadTags(gallery, path);
    assert.ok(own.tags.get('og:image')!.startsWith(`${gallery.url}/storage/`));

    const read = () => getFrom(gallery, path, { Host: 'photos.example.org' });
    assert.equal((await read()).includes('photos.example.org'), false);
    await signInAt(gallery, 'member', 'https://evil.example');
    assert.equal((await getFrom(gallery, path, { Host: 'evil.example' })).includes('evil.example'), false);
    await signInAt(gallery, 'chief', 'https://photos.example.org');
    assert.ok((await read()).includes(`<link rel="canonical" href="https://photos.example.org${path}">`));
    assert.ok((await read()).includes('content="https://photos.example.org/storage/'));
    assert.equal((await getFrom(gallery, path, { Host: 'evil.example' })).includes('evil.example'), false);
  });
});

test('a gallery for members shows nothing but its sign-in page', { skip }, async () => {
  const gallery = await startGallery({ access: 'members', registration: 'open', baseUrl });
  try {
    const ann = await register(gallery, 'ann');
    const { id } = await addPhoto(ann, { title: 'Inside' });
    for (const path of ['/', `/photos/${id}`, '/users/ann', '/sign-in']) {
      const { text, tags } = await loadTags(gallery, path);
      assert.deepEqual([tags.get('og:title'), tags.get('og:image')], [undefined, undefined], path);
      assert.equal(text.includes('Inside'), false, path);
    }
  } finally {
    await gallery.close();
  }
});
