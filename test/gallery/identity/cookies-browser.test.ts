/**
 * Tests session cookies in a real browser: they work for the gallery's own pages, and not for pages of other
 * sites.
 */
import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { assertRead } from '../../support/assert-answers.ts';
import { type Browser, openBrowser, withoutBrowser } from '../../support/browser.ts';
import { type Gallery, startGallery } from '../../support/harness.ts';
import { addPhoto, type Person, password, register } from '../../support/people.ts';

/** Globals of the page's scripts, for code that runs in the browser. */
declare const document: { cookie: string; body: { innerHTML: string } };
declare class Image {
  src: string;
  naturalWidth: number;
  onload: () => void;
  onerror: () => void;
  decode(): Promise<void>;
}

interface Sent {
  method?: string;
  body?: unknown;
  /** If true, sends a request that a page may send without a CORS preflight. */
  isPlain?: boolean;
}

describe('a session in a cookie, in Chromium', { skip: withoutBrowser }, () => {
  let gallery: Gallery;
  let browser: Browser;
  let theirServer: Server;
  let ann: Person;
  /** A page of the gallery itself. */
  let ours: Page;
  /** URL `http://localhost:port`: the same site, because sites ignore the port, but another origin. */
  let home: string;

  before(async () => {
    theirServer = createServer((_, answer) =>
      answer.setHeader('content-type', 'text/html').end('<!doctype html><title>Theirs</title>'),
    );
    await new Promise<void>((resolve) => theirServer.listen(0, resolve));
    const { port } = theirServer.address() as AddressInfo;
    gallery = await startGallery({ corsOrigins: [`http://localhost:${port}`] });
    ann = await register(gallery, 'ann');
    home = gallery.url.replace('127.0.0.1', 'localhost');
    browser = await openBrowser();
    ours = await browser.context.newPage();
    // Opens a small page of the gallery whose content security policy lets its scripts call the API.
    await ours.goto(`${home}/openapi.json`);
  });
  after(async () => {
    await browser?.close();
    await gallery?.close();
    theirServer?.close();
  });

  /** Sends a request from a script of the page, and returns the response that the script sees. */
  const send = (page: Page, url: string, { method = 'GET', body, isPlain = false }: Sent = {}) =>
    page.evaluate(
      async ([url, method, body, isPlain]) => {
        try {
          const answer = await fetch(url, {
            method,
            credentials: 'include',
            ...(isPlain && { mode: 'no-cors' as const }),
            ...(body && { body, headers: { 'content-type': isPlain ? 'text/plain' : 'application/json' } }),
          });
          return { status: answer.status, text: await answer.text() };
        } catch {
          return { status: -1, text: '' };
        }
      },
      [url, method, body === undefined ? '' : JSON.stringify(body), isPlain] as const,
    );

  const logIn = (page: Page, at: string) =>
    send(page, `${at}/api/auth/login`, {
      method: 'POST',
      body: { username: 'ann', password, cookie: true },
    });

  async function theirPage(host: string): Promise<Page> {
    const page = await browser.context.newPage();
    const { port } = theirServer.address() as AddressInfo;
    await page.goto(`http://${host}:${port}/`);
    return page;
  }

  test('signs our page in, out of reach of its scripts, also after it was loaded anew', async () => {
    assert.equal((await send(ours, '/api/auth/user')).status, 401);
    const answer = await logIn(ours, '');
    assert.equal(answer.status, 200);
    assert.doesNotMatch(answer.text, /token/);
    assert.equal(await ours.evaluate(() => document.cookie), '');
    assert.equal((await send(ours, '/api/auth/user')).status, 200);
    await ours.reload();
    assert.equal((await send(ours, '/api/auth/user')).status, 200);
  });

  test('shows private images by their plain paths', async () => {
    const { id, thumb } = await addPhoto(ann, { is_public: '0', title: 'Mine alone' });
    const { text } = await send(ours, `/api/photos/${id}`);
    const photo = JSON.parse(text).data;
    assert.equal(photo.thumb, thumb.split('?')[0]);
    const width = await ours.evaluate(async (path) => {
      const image = new Image();
      image.src = path;
      await image.decode();
      return image.naturalWidth;
    }, photo.thumb);
    assert.ok(width > 0);
    const liked = await send(ours, `/api/photos/${id}/like`, { method: 'POST', body: { liked: true } });
    assert.equal(liked.status, 200);
    assert.equal(assertRead(await ann.get(`/api/photos/${id}`)).is_liked, true);
  });

  for (const [name, host] of [
    ['another origin of the same site, which CORS allows', 'localhost'],
    ['another site', '127.0.0.1'],
  ] as const) {
    test(`is nothing for a page of ${name}`, async () => {
      const { id } = await addPhoto(ann, { title: 'Target' });
      const { id: hidden, thumb } = await addPhoto(ann, { title: 'Hidden', is_public: '0' });
      const page = await theirPage(host);
      const like = `${home}/api/photos/${id}/like`;
      for (const sent of [
        { method: 'POST' },
        { method: 'POST', isPlain: true },
        { method: 'POST', isPlain: true, body: { liked: true } },
        { method: 'PUT', body: { title: 'Taken over' } },
        { method: 'DELETE' },
      ]) {
        const url = sent.method === 'POST' ? like : `${home}/api/photos/${id}`;
        const answer = await send(page, url, sent);
        assert.notEqual(answer.status, 200, JSON.stringify(sent));
      }
      // A page of another site can send a form without a script and without a CORS permission.
      await page.evaluate((url) => {
        document.body.innerHTML = `<form method="post" action="${url}"><button>Win</button></form>`;
      }, like);
      const [answer] = await Promise.all([page.waitForResponse(like), page.click('button')]);
      assert.ok([401, 403].includes(answer.status()), String(answer.status()));
      const now = assertRead(await ann.get(`/api/photos/${id}`));
      assert.deepEqual([now.title, now.is_liked, now.likes], ['Target', false, 0]);

      const other = await theirPage(host);
      const read = await send(other, `${home}/api/photos/${hidden}`);
      assert.notEqual(read.status, 200);
      assert.doesNotMatch(read.text, /Hidden/);
      const isShown = await other.evaluate(
        (url) =>
          new Promise<boolean>((resolve) => {
            const image = new Image();
            image.onload = () => resolve(true);
            image.onerror = () => resolve(false);
            image.src = url;
          }),
        home + thumb.split('?')[0],
      );
      assert.equal(isShown, false);
      // A page of another site cannot sign its reader in as another user either.
      assert.notEqual((await logIn(other, home)).status, 200);
      await page.close();
      await other.close();
      assert.equal((await send(ours, '/api/auth/user')).status, 200);
    });
  }

  test('opens what a link elsewhere leads to, and ends with the logout', async () => {
    const { id } = await addPhoto(ann, { title: 'Linked', is_public: '0' });
    const page = await theirPage('127.0.0.1');
    const url = `${home}/api/photos/${id}`;
    await page.evaluate((url) => {
      document.body.innerHTML = `<a href="${url}">Look</a>`;
    }, url);
    const [answer] = await Promise.all([page.waitForResponse(url), page.click('a')]);
    assert.equal(answer.status(), 200);
    await page.close();

    assert.equal((await send(ours, '/api/auth/logout', { method: 'POST' })).status, 200);
    assert.deepEqual(await browser.context.cookies(), []);
    assert.equal((await send(ours, '/api/auth/user')).status, 401);
  });
});
