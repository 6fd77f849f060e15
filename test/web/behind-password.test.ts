/**
 * Tests the gallery in a real browser behind nginx that asks for a password itself (HTTP Basic). The browser repeats
 * that password in every request, also in those of images and uploads.
 */
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { type Browser, openBrowser } from '../support/browser.ts';
import { type Gallery, startGallery } from '../support/harness.ts';
import { addPhoto, type GalleryUrl, type Person, password, register } from '../support/people.ts';
import { createJpeg } from '../support/pictures.ts';
import {
  findMissingReason,
  guardedNginxKind,
  proxyAccount,
  type RunningProxy,
  startProxy,
} from '../support/proxies.ts';
import { openTab, withoutWeb } from './steps.ts';
import { assertPhotos, input } from './uploading.ts';

const skip = withoutWeb || findMissingReason(guardedNginxKind);

describe('the gallery behind the password of nginx', { skip }, () => {
  let gallery: Gallery;
  let proxy: RunningProxy;
  let browser: Browser;
  let folder: string;
  let ann: Person;

  before(async () => {
    gallery = await startGallery({ trustProxy: ['loopback'] });
    proxy = await startProxy(guardedNginxKind, gallery);
    browser = await openBrowser({ httpCredentials: proxyAccount });
    folder = await mkdtemp(join(tmpdir(), 'lightwell-guarded-'));
    ann = await register(gallery, 'ann');
    await addPhoto(ann, { title: 'A public hill' });
    await addPhoto(ann, { title: 'A private lake', is_public: '0' });
  });
  after(async () => {
    await browser?.close();
    await proxy?.stop();
    await gallery?.close();
    if (folder) await rm(folder, { recursive: true, force: true });
  });

  test('signs in, shows images, uploads and signs out', async () => {
    const { status } = await fetch(`${proxy.url}/api/photos`);
    assert.equal(status, 401, 'nginx asks for its password');
    const { page, complaints } = await openTab(browser, proxy as GalleryUrl as Gallery);
    const headers: (string | undefined)[] = [];
    page.on('request', async (request) => {
      if (!request.url().startsWith(proxy.url)) return;
      headers.push((await request.allHeaders().catch(() => undefined))?.authorization);
    });
    await page.locator('.tile img').first().waitFor();
    await page.getByRole('link', { name: 'Sign in' }).first().click();
    await page.getByLabel('Username or email').fill('ann ');
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('button', { name: 'Account', exact: true }).waitFor();
    await page.locator('.tile img').nth(1).waitFor();
    const widths = await page
      .locator('.tile img')
      .evaluateAll((images) =>
        Promise.all(
          (images as HTMLImageElement[]).map((image) => image.decode().then(() => image.naturalWidth)),
        ),
      );
    assert.equal(widths.length, 2, 'the public and the private photo');
    assert.ok(widths.every((width) => width > 0));

    const file = join(folder, 'new.jpg');
    await writeFile(file, await createJpeg({ width: 640, height: 480 }));
    await input(page).setInputFiles([file]);
    await page.getByRole('button', { name: 'Upload 1 photo' }).click();
    await page.locator('.tile[data-id]').nth(2).waitFor();
    await assertPhotos(ann, 3);

    await page.getByRole('button', { name: 'Account', exact: true }).click();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('link', { name: 'Sign in' }).first().waitFor();
    assert.ok(
      headers.some((header) => header?.startsWith('Basic ')),
      'the browser sends the password of nginx',
    );
    assert.deepEqual(
      complaints.filter((text) => !text.includes('401')),
      [],
    );
    assert.deepEqual(gallery.complaints(), []);
    await page.close();
  });
});
