import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { type Gallery, startGallery } from '../../support/harness.ts';
import { asVisitor, type Person, register } from '../../support/people.ts';
import { addSharedPhoto, formHeaders, listed, privateFields, share, tryForm } from './steps.ts';

let gallery: Gallery;
let anybody: Person;
let olga: Person;

before(async () => {
  gallery = await startGallery();
  anybody = asVisitor(gallery);
  olga = await register(gallery, 'olga');
});
after(() => gallery.close());

suite('the page', () => {
  test('shows the photo, escaped, to be read without scripts, with a card', async () => {
    const title = `<script>alert("1")</script> & 'Möwe'`;
    const photo = await addSharedPhoto(olga, {
      title,
      description: '"><img src=x onerror=alert(1)>',
      tags: '<b>',
    });
    await olga.put('/api/auth/profile', { nickname: '</title><svg onload=alert(2)>' });
    const { token, url } = await share(olga, photo);
    const { status, headers, bytes } = await anybody.get(`/s/${token}`);
    const text = bytes.toString();

    assert.equal(status, 200);
    assert.equal(headers.get('content-type'), 'text/html; charset=utf-8');
    assert.equal(headers.get('x-content-type-options'), 'nosniff');
    assert.equal(headers.get('referrer-policy'), 'no-referrer');
    assert.equal(headers.get('cache-control'), 'private, no-store');
    assert.equal(headers.get('x-robots-tag'), 'noindex');
    const policy = headers.get('content-security-policy')!;
    assert.match(policy, /^default-src 'none'/);
    assert.ok(!policy.includes('unsafe') && !policy.includes('script-src'));
    for (const raw of ['<script', '<img src=x', '<svg', '<b>', 'style="'])
      assert.ok(!text.includes(raw), raw);
    assert.ok(text.includes('&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt; &amp; &#39;Möwe&#39;'));
    assert.ok(text.includes(`<meta property="og:url" content="${url}">`));

    const card = /property="og:image" content="([^"]+)"/.exec(text)![1]!.replaceAll('&amp;', '&');
    assert.ok(card.startsWith(`${gallery.url}/storage/`));
    assert.equal((await anybody.get(card.slice(gallery.url.length))).status, 200);
    await olga.put('/api/auth/profile', { nickname: 'Olga' });
  });

  test('has the theme that its reader chose', async () => {
    const { token } = await share(olga, await addSharedPhoto(olga, { ...privateFields, title: 'Dusk' }));
    const read = async (headers = {}) => (await anybody.get(`/s/${token}`, headers)).bytes.toString();
    assert.match(await read({ cookie: 'lightwell_theme=dark' }), /<html lang="en" data-theme="dark">/);
    assert.match(await read(), /<html lang="en">/);
  });

  test('asks for the password by a form, which leads back with a cookie for this page', async () => {
    const photo = await addSharedPhoto(olga, { ...privateFields, title: 'Guarded' });
    const { id, token } = await share(olga, photo, { password: 'pässword & more' });
    const asked = await anybody.get(`/s/${token}`);
    assert.equal(asked.status, 200);
    for (const secret of ['Guarded', 'Olga', '/storage/', 'og:'])
      assert.ok(!asked.bytes.includes(secret), secret);

    const wrong = await tryForm(gallery, token, 'wrong one');
    assert.equal(wrong.status, 403);
    assert.match(wrong.bytes.toString(), /Wrong password/);
    assert.ok(!wrong.bytes.includes('wrong one'));
    assert.equal(wrong.headers.get('set-cookie'), null);

    const right = await tryForm(gallery, token, 'pässword & more');
    assert.equal(right.status, 303);
    assert.equal(new URL(right.headers.get('location')!, `${gallery.url}/s/x`).pathname, `/s/${token}`);
    const cookie = right.headers.get('set-cookie')!;
    assert.match(cookie, new RegExp(`; Path=/s/${token}; HttpOnly; SameSite=Strict$`));

    const seen = await anybody.get(`/s/${token}`, { cookie: `a=b; ${cookie.split(';')[0]}` });
    assert.ok(seen.bytes.includes('Guarded'));
    assert.ok(!seen.bytes.includes('og:'));
    await gallery.deps.db.counters.flush();
    assert.equal((await listed(olga, id)).views, 1);
  });

  test('refuses other bodies, and large ones, with a page', async () => {
    const { token } = await share(olga, await addSharedPhoto(olga), { password: 'x' });
    const json = { 'content-type': 'application/json' };
    for (const [status, body, headers] of [
      [415, '{"password":"x"}', json],
      [400, 'other=1', formHeaders],
      [400, 'password=a&password=b', formHeaders],
      [413, `password=${'x'.repeat(5000)}`, formHeaders],
    ] as const) {
      const answer = await anybody.send('POST', `/s/${token}`, { body, headers });
      assert.equal(answer.status, status, body);
      assert.match(answer.headers.get('content-type')!, /^text\/html/);
      assert.match(answer.bytes.toString(), /Something went wrong/);
    }
  });

  test('says kindly that there is nothing', async () => {
    const { status, headers, bytes } = await anybody.get(`/s/${'A'.repeat(43)}`);
    assert.equal(status, 404);
    assert.match(headers.get('content-type')!, /^text\/html/);
    assert.match(bytes.toString(), /has expired/);
    assert.equal((await tryForm(gallery, 'A'.repeat(43), 'x')).status, 404);
  });
});

test('BASE_URL is what links begin with, and where the cookie holds', async () => {
  const baseUrl = 'https://photos.example.org/gallery';
  const other = await startGallery({ baseUrl });
  try {
    const person = await register(other, 'olga');
    const photo = await addSharedPhoto(person);
    const { url, token } = await share(person, photo, { password: 'x' });
    assert.equal(url, `https://photos.example.org/gallery/s/${token}`);
    const { headers } = await person.send('POST', `/s/${token}`, {
      body: 'password=x',
      headers: formHeaders,
    });
    assert.match(headers.get('set-cookie')!, new RegExp(`; Path=/gallery/s/${token}; .*; Secure$`));
  } finally {
    await other.close();
  }
});

test('the server logged no error during these tests', () => {
  assert.deepEqual(gallery.complaints(), []);
});
