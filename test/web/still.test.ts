/** Who asks for less motion gets it: nothing moves or grows, only colours and opacity change. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { type Browser, openBrowser } from '../support/browser.ts';
import { type Gallery, startGallery } from '../support/harness.ts';
import { addAlbum, addPhoto, type Person, register } from '../support/people.ts';
import { jpeg } from '../support/pictures.ts';
import { openTab, signIn, withoutWeb } from './steps.ts';

describe('with reduced motion', { skip: withoutWeb }, () => {
  let gallery: Gallery;
  let browser: Browser;
  let ann: Person;
  let album: number;
  let ids: number[];

  before(async () => {
    gallery = await startGallery();
    ann = await register(gallery, 'ann');
    album = await addAlbum(ann, 'Alps');
    ids = [];
    for (let n = 0; n < 4; n++) {
      const picture = await jpeg({ width: 1200 + n * 40, height: 800, colour: `hsl(${n * 40}, 45%, 45%)` });
      ids.push((await addPhoto(ann, { title: `Photo ${n}`, album_id: String(album) }, picture)).id);
    }
    browser = await openBrowser({ reducedMotion: 'reduce', viewport: { width: 1440, height: 844 } });
    await browser.context.addInitScript(watch);
    await signIn(browser, gallery, ann);
  });
  after(async () => {
    await browser?.close();
    await gallery?.close();
  });

  /** What has moved since the last time. */
  const moved = async (page: Page): Promise<string[]> => {
    await page.evaluate(
      () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
    );
    return await page.evaluate(() => {
      const all = [...window.moved];
      window.moved.clear();
      return all;
    });
  };

  test('a photo is opened, turned over, enlarged, told of, deleted and closed', async () => {
    const { page } = await openTab(browser, gallery);
    await page.locator('.tile').first().click();
    await page.getByRole('button', { name: 'Edit', exact: true }).waitFor();
    assert.deepEqual(await moved(page), []);
    await page.keyboard.press('ArrowRight');
    await page.waitForURL(`**/photos/${ids[2]}`);
    await page.keyboard.press('z');
    await page.keyboard.press('z');
    await page.keyboard.press('i');
    await page.getByRole('button', { name: 'Edit details' }).waitFor();
    await page.keyboard.press('s');
    await page.locator('dialog[open]').waitFor();
    await page.keyboard.press('Escape');
    await page.locator('dialog[open]').waitFor({ state: 'detached' });
    await page.keyboard.press('Delete');
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.waitForURL(`**/photos/${ids[2]}`);
    await page.keyboard.press('Escape');
    await page.locator('.pswp').waitFor({ state: 'detached' });
    assert.deepEqual(await moved(page), []);
    await page.close();
  });

  test('photos are selected and tagged, menus and suggestions opened', async () => {
    const { page } = await openTab(browser, gallery);
    await page.locator('.tile').first().hover();
    await page.locator('[data-check]').first().click();
    await page.getByRole('region', { name: 'Selection' }).waitFor();
    await page.keyboard.press('t');
    await page.locator('dialog[open]').waitFor();
    await page.keyboard.press('Escape');
    await page.locator('dialog[open]').waitFor({ state: 'detached' });
    await page.keyboard.press('Escape');
    for (const [name, id] of [
      ['Account', 'account'],
      ['Notifications', 'notifications'],
    ] as const) {
      await page.getByRole('button', { name }).click();
      await page.locator(`#${id}:popover-open`).waitFor();
      await page.keyboard.press('Escape');
    }
    await page.getByRole('combobox', { name: 'Search' }).fill('Pho');
    await page.getByRole('option').first().waitFor();
    assert.deepEqual(await moved(page), []);
    await page.close();
  });

  test('a photo is dragged to another place of its album', async () => {
    const { page } = await openTab(browser, gallery, `/albums/${album}`);
    const first = page.locator('.tile').first();
    await first.hover();
    await page.locator('[data-spot]').first().waitFor({ state: 'attached' });
    const saved = page.waitForResponse((answer) => answer.request().method() === 'PUT');
    const { x, y, width, height } = (await page.locator('.tile').nth(2).boundingBox())!;
    await page.mouse.down();
    await page.mouse.move(x + width * 0.4, y + height / 2, { steps: 6 });
    await page.mouse.move(x + width * 0.8, y + height / 2, { steps: 6 });
    await page.mouse.up();
    await saved;
    assert.deepEqual(await moved(page), []);
    await page.close();
  });

  test('photos are uploaded, one is edited', async () => {
    const { page } = await openTab(browser, gallery);
    const chooser = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Upload', exact: true }).click();
    const buffer = await jpeg({ width: 321, height: 200, colour: 'red' });
    await (await chooser).setFiles([{ name: 'red.jpg', mimeType: 'image/jpeg', buffer }]);
    await page.getByRole('button', { name: 'Upload 1 photo' }).click();
    await page.getByRole('link', { name: /red\.jpg/ }).waitFor();
    assert.deepEqual(await moved(page), []);
    await page.goto(`${gallery.url}/photos/${ids[0]}`);
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    await page.getByRole('list', { name: 'Steps' }).waitFor();
    await page.keyboard.press('r');
    await page.getByRole('list', { name: 'Steps' }).getByText('Turn').first().waitFor();
    assert.deepEqual(await moved(page), []);
    await page.close();
  });
});

declare global {
  interface Window {
    moved: Set<string>;
  }
}

/** Looks at every frame. */
function watch(): void {
  window.moved = new Set();
  const still = /^(offset|easing|composite|computedOffset|opacity|filter|color|.*Color|background)$/;
  const look = () => {
    for (const animation of document.getAnimations()) {
      const effect = animation.effect as KeyframeEffect;
      if (Number(effect.getComputedTiming().endTime) <= 10) continue;
      const names = new Set(effect.getKeyframes().flatMap((frame) => Object.keys(frame)));
      const moving = [...names].filter((name) => !still.test(name));
      if (moving.length > 0) window.moved.add(`${effect.target?.outerHTML.slice(0, 80)}: ${moving}`);
    }
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
  for (const name of ['scrollTo', 'scrollBy', 'scrollIntoView'] as const) {
    const scroll = Element.prototype[name] as (this: Element, ...how: unknown[]) => void;
    Element.prototype[name] = function (this: Element, ...how: unknown[]) {
      if ((how[0] as ScrollToOptions | undefined)?.behavior === 'smooth')
        window.moved.add(`${name} is smooth`);
      scroll.apply(this, how);
    } as never;
  }
}
