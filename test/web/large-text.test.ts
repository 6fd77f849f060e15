/**
 * Tests every page and dialog with text of double size, and every page in forced colors. Each page has a title, no
 * text is cut off, everything is reachable, and axe finds no faults.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { type Browser, openBrowser } from '../support/browser.ts';
import { type Gallery, startGallery } from '../support/harness.ts';
import { en } from './chinese.ts';
import { walkDialogs } from './dialogs.ts';
import { everyPage, type FullGallery, fillGallery } from './every-page.ts';
import { walkWholePage } from './focus-stops.ts';
import { assertAccessible, signIn, withoutWeb } from './steps.ts';

describe('with text at 200 %', { skip: withoutWeb }, () => {
  let gallery: Gallery;
  let browser: Browser;
  let full: FullGallery;

  before(async () => {
    gallery = await startGallery();
    full = await fillGallery(gallery, { album: 'Alps in winter', photo: 'Photo', comment: 'Well seen' });
    browser = await openBrowser();
    browser.context.setDefaultTimeout(20_000);
  });
  after(async () => {
    await browser?.close();
    await gallery?.close();
  });

  async function openLarge(): Promise<Page> {
    const page = await browser.context.newPage();
    await page.addInitScript(() => {
      const enlarge = () => document.documentElement?.style.setProperty('font-size', '200%');
      enlarge();
      new MutationObserver(enlarge).observe(document, { childList: true });
    });
    return page;
  }

  /** Returns parts of the page that need sideways scrolling, and buttons that scrolling cannot reach. */
  const outside = (page: Page) =>
    page.evaluate(() => {
      const width = document.documentElement.clientWidth;
      const found: string[] = [];
      if (document.documentElement.scrollWidth > width + 1) found.push('the page is wider than its window');
      for (const one of document.querySelectorAll('button, a, input, select, h1, h2, p, label')) {
        if (!one.checkVisibility() || one.closest('.unseen')) continue;
        const { left, right } = one.getBoundingClientRect();
        let box = one.parentElement;
        while (box && !/auto|scroll/.test(getComputedStyle(box).overflowX)) box = box.parentElement;
        if (!box && right > left && (right > width + 2 || left < -2))
          found.push(`${one.tagName} ${one.getAttribute('aria-label') ?? one.textContent}`);
      }
      return found;
    });

  /** Returns the faults of these pages. `titles` collects the tab titles, which must all differ. */
  async function walk(paths: string[], titles = new Map<string, string>()): Promise<string[]> {
    const page = await openLarge();
    const found: string[] = [];
    for (const path of paths) {
      await page.setViewportSize({ width: 390, height: 844 });
      await walkWholePage(page, gallery.url + path);
      if (path === `/photos/${full.photo}`)
        await page.getByRole('button', { name: en('info'), exact: true }).waitFor();
      for (const [width, colorScheme, forcedColors] of [
        [390, 'light', 'none'],
        [390, 'light', 'active'],
        [1440, 'dark', 'none'],
      ] as const) {
        await page.setViewportSize({ width, height: 844 });
        await page.emulateMedia({ colorScheme, forcedColors });
        const where = `${path}, ${width} px, ${colorScheme}, forced colors ${forcedColors}`;
        await assertAccessible(page, where).catch((error: Error) => found.push(error.message));
        for (const what of await outside(page)) found.push(`${where}: ${what}`);
      }
      const title = await page.title();
      const isOfGallery = path === '/' ? title === 'Lightwell' : / · Lightwell$/.test(title);
      if (!isOfGallery) found.push(`${path} has the title ${title}`);
      if (titles.has(title)) found.push(`${path} has the title of ${titles.get(title)}: ${title}`);
      titles.set(title, path);
    }
    await page.close();
    return found;
  }

  test('every page of a visitor fits with text at 200 %, and has its own title', async () => {
    assert.deepEqual(await walk(everyPage(full).signedOut), []);
  });

  test('every page of an admin fits with text at 200 %, and has its own title', async () => {
    await signIn(browser, gallery, full.ann);
    const { own, admin } = everyPage(full);
    assert.deepEqual(await walk([...own, ...admin, `/photos/${full.photo}`, '/photos/999']), []);
  });

  test("a screen reader reads a photo's title beside its actions with text at 200 %", async () => {
    await signIn(browser, gallery, full.ann);
    const page = await openLarge();
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto(`${gallery.url}/photos/${full.photo}`);
    const title = page.getByRole('dialog').getByText('Photo 4', { exact: true });
    await page.getByRole('button', { name: en('info'), exact: true }).waitFor();
    const isCut = await title.evaluate((one) => one.scrollWidth > one.clientWidth);
    const tops = await page
      .locator('.pswp [data-action]:visible')
      .evaluateAll((all) => all.map((one) => Math.round(one.getBoundingClientRect().top)));
    assert.deepEqual([isCut, new Set(tops).size], [false, 1], 'the title is whole, the buttons in a row');
    await page.close();
  });

  test('the search field shows the typed text with text at 200 %', async () => {
    await signIn(browser, gallery, full.ann);
    const page = await openLarge();
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto(gallery.url);
    const field = page.getByRole('combobox', { name: 'Search' });
    await field.fill('winter in the Alps');
    const box = (await field.boundingBox())!;
    assert.ok(box.width > 250 && box.x >= 0 && box.x + box.width <= 390, JSON.stringify(box));
    const isOnTop = (at: number) =>
      field.evaluate((input, at) => {
        const { left, top, width, height } = input.getBoundingClientRect();
        return document.elementFromPoint(left + width * at, top + height / 2) === input;
      }, at);
    assert.deepEqual([await isOnTop(0.02), await isOnTop(0.5), await isOnTop(0.98)], [true, true, true]);
    await assertAccessible(page, 'while one searches');
    await page.keyboard.press('Tab');
    await page.getByRole('button', { name: 'Upload', exact: true }).and(page.locator(':focus')).waitFor();
    await page.close();
  });

  /**
   * Finds faults in the open dialog: texts that are cut off, and controls that scrolling cannot bring into
   * view or from under other elements.
   */
  const cutOff = (page: Page) =>
    page.evaluate(() => {
      const box =
        document.querySelector('dialog[open]') ??
        document.querySelector('article form') ??
        document.querySelector('aside form')!;
      const found: string[] = [];
      const describeElement = (one: Element) =>
        `${one.localName} ${one.getAttribute('aria-label') ?? one.textContent}`;
      if (box.scrollWidth > box.clientWidth + 1) found.push('it scrolls sideways');
      if (document.documentElement.scrollWidth > document.documentElement.clientWidth + 1) {
        found.push('the page scrolls sideways');
      }
      const outer = box.getBoundingClientRect();
      for (const one of box.querySelectorAll<HTMLElement>('*')) {
        if (!one.checkVisibility() || one.closest('.unseen, svg, datalist, option')) continue;
        one.scrollIntoView({ block: 'center' });
        const { left, right, top, bottom, width, height } = one.getBoundingClientRect();
        if (width === 0) continue;
        if (left < outer.left - 1 || right > outer.right + 1)
          found.push(`beside it: ${describeElement(one)}`);
        const isText = !one.matches('input, select, textarea') && !one.closest('.unseen');
        const hides = /hidden|clip/.test(getComputedStyle(one).overflowX);
        if (isText && (hides || one.matches('button, a')) && one.scrollWidth > one.clientWidth + 1) {
          if (getComputedStyle(one).display !== 'inline') found.push(`cut off: ${describeElement(one)}`);
        }
        if (!one.matches('button, a, input, select, textarea')) continue;
        if (height < innerHeight && (top < -1 || bottom > innerHeight + 1))
          found.push(`out of reach: ${describeElement(one)}`);
        const hit = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
        const isHit = hit && (one.contains(hit) || hit.contains(one) || hit.closest('label')?.contains(one));
        if (!isHit) found.push(`covered by ${hit && describeElement(hit)}: ${describeElement(one)}`);
      }
      return found;
    });

  test('every dialog fits with text at 200 %, and nothing covers its content', async () => {
    await signIn(browser, gallery, full.ann);
    const page = await openLarge();
    await page.emulateMedia({ colorScheme: 'dark' });
    const found: string[] = [];
    await walkDialogs({ gallery, page, say: en, ...full }, full.smart, async (name) => {
      for (const width of [390, 1440]) {
        await page.setViewportSize({ width, height: 844 });
        const judge = (where: string, withoutRules: string[] = []) =>
          assertAccessible(page, where, withoutRules).catch((error: Error) => found.push(error.message));
        if (width === 390) await judge(name);
        // The browser chooses forced colors, and axe misreads those of buttons.
        await page.emulateMedia({ colorScheme: 'dark', forcedColors: 'active' });
        await judge(`${name}, ${width} px, forced colors`, ['color-contrast']);
        await page.emulateMedia({ colorScheme: 'dark', forcedColors: 'none' });
        // Skips the editor, which is as large as the window, and whose picture is larger on purpose.
        if (name === 'editor') continue;
        for (const what of await cutOff(page)) found.push(`${name}, ${width} px: ${what}`);
      }
    });
    assert.deepEqual(found, []);
    await page.close();
  });

  test('the editor shows picture, tools and Save below each other with text at 200 %', async () => {
    await signIn(browser, gallery, full.ann);
    const page = await openLarge();
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto(`${gallery.url}/photos/${full.photo}`);
    await page.getByRole('button', { name: en('info'), exact: true }).waitFor();
    await page.keyboard.press('e');
    const editor = page.getByRole('dialog', { name: en('editPhoto') });
    const findTool = (name: string) =>
      editor.locator('aside nav').getByRole('button', { name: en(name), exact: true });
    const found: string[] = [];
    for (const tool of ['toolCrop', 'toolRotate', 'toolResize', 'toolAdjust']) {
      await findTool(tool).click();
      await assertAccessible(page, tool);
      const beside = await editor.evaluate((all) =>
        [...all.querySelectorAll('button, input, label, legend, h2, p')]
          .filter((one) => one.checkVisibility() && !one.closest('ol, .ReactCrop'))
          .filter((one) => {
            const { left, right } = one.getBoundingClientRect();
            return left < 0 || right > innerWidth || one.scrollWidth > one.clientWidth + 1;
          })
          .map((one) => one.getAttribute('aria-label') ?? one.textContent),
      );
      found.push(...beside.map((what) => `${tool}: ${what}`));
    }
    assert.deepEqual(found, []);
    await findTool('toolRotate').click();
    await editor.getByRole('button', { name: en('flipVertically'), exact: true }).click();
    const shown = (await editor.locator('[data-size]').boundingBox())!;
    assert.ok(shown.height > 120, `the picture is ${shown.height} px high`);
    await editor.getByRole('button', { name: en('saveEdits'), exact: true }).click();
    await editor.waitFor({ state: 'detached' });
    await page.close();
  });
});
