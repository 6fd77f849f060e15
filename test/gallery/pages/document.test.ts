/** Tests the HTML documents: their contents for each viewer, and their content security policy. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { readBuiltAssets } from '../../../server/gallery/pages/built-assets.ts';
import { webBuildFolder } from '../../../server/platform/http/web-build.ts';
import { assertDone } from '../../support/assert-answers.ts';
import { type Gallery, startGallery } from '../../support/harness.ts';
import {
  addPhoto,
  asVisitor,
  disableAccount,
  type Person,
  password,
  register,
} from '../../support/people.ts';

const skip = readBuiltAssets(webBuildFolder) ? false : 'the pages are not built: npm run build:web';

interface Item {
  id: number;
}

describe('the document', { skip }, () => {
  let gallery: Gallery;
  let ann: Person;
  let open: number;
  let hidden: number;
  const title = 'Fjord </script><script>alert(1)</script> & "sea"';

  before(async () => {
    gallery = await startGallery();
    ann = await register(gallery, 'ann');
    open = (await addPhoto(ann, { title })).id;
    hidden = (await addPhoto(ann, { title: 'Secret garden', is_public: '0' })).id;
  });
  after(() => gallery.close());

  async function load(path: string, headers: Record<string, string> = {}) {
    const answer = await fetch(`${gallery.url}${path}`, { headers });
    return { status: answer.status, headers: answer.headers, html: await answer.text() };
  }

  async function logInForCookie(name: string): Promise<string> {
    const answer = await fetch(`${gallery.url}/api/auth/login`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Origin: gallery.url },
      body: JSON.stringify({ username: name, password, cookie: true }),
    });
    assert.equal(answer.status, 200);
    return answer.headers.getSetCookie()[0]!.split(';')[0]!;
  }

  function readPageData(html: string) {
    const [, text] = /<script type="application\/json" id="data">(.*?)<\/script>/s.exec(html)!;
    return JSON.parse(text!);
  }

  test('holds the first photos as HTML, and the answers of the API that they are made of', async () => {
    const { status, html } = await load('/');
    assert.equal(status, 200);
    assert.match(html, new RegExp(`<a class="tile t0" href="/photos/${open}" data-id="${open}"><img`));
    const data = readPageData(html);
    const reader = asVisitor(gallery);
    const listed = await reader.get('/api/photos?sort=taken_time&order=desc&limit=100');
    const timeline = await reader.get('/api/timeline');
    const site = await reader.get('/api/site');
    assert.deepEqual(data.wall.page, listed.body.data);
    assert.deepEqual(data.wall.months, timeline.body.data.list);
    assert.deepEqual(data.site, site.body.data);
    assert.equal(data.user, null);
  });

  test('contains what people wrote as text', async () => {
    const { html } = await load('/');
    assert.doesNotMatch(html, /<script>alert/);
    assert.match(html, /alt="Fjord &lt;\/script&gt;/);
    assert.equal(readPageData(html).wall.page.list[0].title, title);
    const one = await load(`/photos/${open}`);
    assert.doesNotMatch(one.html, /<script>alert/);
    assert.match(one.html, /<title>Fjord &lt;\/script&gt;/);
  });

  test('has a policy that allows our files, its one style, and the script for old browsers', async () => {
    for (const path of ['/', `/photos/${open}`, '/sign-in', '/register']) {
      const { headers, html } = await load(path);
      const policy = headers.get('content-security-policy')!;
      assert.doesNotMatch(policy, /unsafe|\*/);
      assert.match(
        policy,
        /^default-src 'none'; script-src 'self' 'sha256-[^']+'; style-src 'self' 'sha256-/,
      );
      const [[, script], ...others] = [...html.matchAll(/<script>(.*?)<\/script>/gs)] as [RegExpMatchArray];
      assert.deepEqual(others, []);
      assert.ok(policy.includes(`'sha256-${createHash('sha256').update(script!).digest('base64')}'`), path);
      assert.match(policy, /frame-ancestors 'none'$/);
      const [, style] = /<style>(.*?)<\/style>/s.exec(html)!;
      const hash = createHash('sha256').update(style!).digest('base64');
      assert.ok(policy.includes(`'sha256-${hash}'`), path);
      assert.doesNotMatch(html, /\sstyle="|\son\w+="/);
      assert.equal(headers.get('x-content-type-options'), 'nosniff');
    }
  });

  test('is not shared by caches', async () => {
    const { headers } = await load('/');
    assert.equal(headers.get('cache-control'), 'private, no-cache');
    for (const name of ['Cookie', 'Accept-Language', 'Accept-Encoding']) {
      assert.ok(headers.get('vary')!.includes(name), name);
    }
  });

  test('private photos are in that of their owner alone, by plain paths', async () => {
    const anonymous = await load('/');
    assert.doesNotMatch(anonymous.html, /Secret garden/);
    assert.match(anonymous.html, /<p dir="auto">Photos that the members of Lightwell share with everyone/);
    const bea = await register(gallery, 'bea');
    // The document of a user without photos leaves the wall to the script, which shows a welcome above.
    await addPhoto(bea, { title: 'Own' });
    const theirs = await load('/', { Cookie: await logInForCookie(bea.name) });
    assert.doesNotMatch(theirs.html, /Secret garden/);
    assert.equal(readPageData(theirs.html).user.username, 'bea');
    const own = await load('/', { Cookie: await logInForCookie('ann') });
    assert.match(own.html, /alt="Secret garden"/);
    assert.doesNotMatch(own.html, /visitor-head/);
    const data = readPageData(own.html);
    const item = data.wall.page.list.find(({ id }: Item) => id === hidden);
    assert.match(item.thumb, /^\/storage\/\w+\.thumb\.webp$/);
    assert.equal(data.user.email, 'ann@example.org');
    assertDone(await ann.put(`/api/photos/${hidden}`, { visibility: 'members' }));
    assert.doesNotMatch((await load('/')).html, /Secret garden/);
    const shared = await load('/', { Cookie: await logInForCookie(bea.name) });
    assert.match(shared.html, /alt="Secret garden"/);
    assert.equal(
      readPageData(shared.html).wall.page.list.find(({ id }: Item) => id === hidden).thumb,
      item.thumb,
    );
    assertDone(await ann.put(`/api/photos/${hidden}`, { visibility: 'private' }));
  });

  test('the page of another origin gets what everybody gets', async () => {
    const cookie = await logInForCookie('ann');
    const { html } = await load('/', {
      Cookie: cookie,
      'Sec-Fetch-Site': 'cross-site',
      'Sec-Fetch-Mode': 'cors',
    });
    assert.doesNotMatch(html, /Secret garden/);
    assert.equal(readPageData(html).user, null);
  });

  test("a photo's own address shows it, to those who may see it, and counts no view", async () => {
    const one = await load(`/photos/${open}`);
    assert.equal(one.status, 200);
    assert.match(one.html, /<main class="stage"><img src="\/storage\/\w+\.preview\.\w+"/);
    const data = readPageData(one.html);
    assert.equal(data.photo.views, 0);
    assert.equal(data.wall.page.pagination.page, 1);
    for (const path of [`/photos/${hidden}`, '/photos/999999', '/photos/x', '/photos/0']) {
      const refused = await load(path);
      assert.equal(refused.status, 404, path);
      assert.match(refused.headers.get('content-type')!, /^text\/html/);
      assert.doesNotMatch(refused.html, /Secret garden/);
      assert.equal(readPageData(refused.html).photo, undefined);
    }
    const own = await load(`/photos/${hidden}`, { Cookie: await logInForCookie('ann') });
    assert.equal(own.status, 200);
    assert.match(own.html, /<title>Secret garden · Lightwell<\/title>/);
  });

  test("is in the language that its reader chose, else in the browser's", async () => {
    const readLanguage = async (headers: Record<string, string>) =>
      /<html lang="([\w-]+)">/.exec((await load('/', headers)).html)![1];
    assert.equal(await readLanguage({}), 'en');
    assert.equal(await readLanguage({ 'Accept-Language': 'fr, zh-TW;q=0.5, en;q=0.4' }), 'zh-CN');
    assert.equal(await readLanguage({ 'Accept-Language': 'en;q=0.4, zh;q=0.9' }), 'zh-CN');
    assert.equal(await readLanguage({ 'Accept-Language': 'zh', Cookie: 'lightwell_language=en' }), 'en');
    assert.equal(await readLanguage({ Cookie: 'a=b; lightwell_language=xx' }), 'en');
    const { html, headers } = await load('/', { 'Accept-Language': 'zh' });
    assert.equal(headers.get('content-language'), 'zh-CN');
    assert.match(html, /登录/);
  });

  test('has the column that its reader collapsed', async () => {
    const open = async (Cookie: string) => (await load('/', { Cookie })).html;
    assert.match(await open('lightwell_navigation=collapsed'), /<html [^>]*data-navigation="collapsed">/);
    assert.doesNotMatch(await open('a=lightwell_navigation=collapsed'), /data-navigation/);
  });

  test('has the theme that its reader chose, and follows the system after no or an unknown choice', async () => {
    const readTheme = async (cookie: string) => {
      const { html } = await load('/', { Cookie: cookie });
      const shown = /<meta[^>]+content="(#\w+)" media="all">/.exec(html)?.[1];
      const scheme = /<meta name="color-scheme" content="([a-z ]+)">/.exec(html)?.[1];
      return [/<html lang="en"(?: data-theme="([^"]*)")?>/.exec(html)![1], scheme, shown];
    };
    assert.deepEqual(await readTheme('lightwell_theme=dark'), ['dark', 'dark', '#161514']);
    assert.deepEqual(await readTheme('a=b; lightwell_theme=light; c=d'), ['light', 'light', '#f7f5f2']);
    const unknown = ['', 'system', 'DARK', 'darker', '"><script>', '%64ark', 'dark dark'];
    for (const value of unknown) {
      assert.deepEqual(
        await readTheme(`lightwell_theme=${value}`),
        [undefined, 'light dark', undefined],
        value,
      );
    }
    assert.deepEqual(await readTheme('other_lightwell_theme=dark'), [undefined, 'light dark', undefined]);
  });

  test('a cookie that is over, or of a disabled account, is none', async () => {
    const cora = await register(gallery, 'cora');
    const cookie = await logInForCookie('cora');
    await disableAccount(gallery, cora);
    const { status, html } = await load('/', { Cookie: cookie });
    assert.equal(status, 200);
    assert.equal(readPageData(html).user, null);
  });

  test('other paths are the envelope, other methods too', async () => {
    for (const path of ['/nothing', '/photos', '/api/nothing']) {
      const { status, html } = await load(path);
      assert.equal(status, 404, path);
      assert.equal(JSON.parse(html).code, 404);
    }
    assert.equal((await fetch(`${gallery.url}/`, { method: 'POST' })).status, 405);
    assert.equal((await fetch(`${gallery.url}/`, { method: 'HEAD' })).status, 200);
  });
});

test('comes without photos for a reader who asks for too many documents', { skip }, async () => {
  const gallery = await startGallery({ rateLimit: 3 });
  try {
    await addPhoto(await register(gallery, 'ann'));
    const pages = [];
    for (let n = 0; n < 4; n++) pages.push(await (await fetch(gallery.url)).text());
    assert.deepEqual(
      pages.map((html) => html.includes('class="tile')),
      [true, true, true, false],
    );
    assert.match(pages[3]!, /<script type="module"/);
  } finally {
    await gallery.close();
  }
});
