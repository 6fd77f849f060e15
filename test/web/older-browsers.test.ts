/** Tests browsers of the last years: newer functions are removed, or the browser is told to be too old. */
import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import { type Browser, openBrowser } from '../support/browser.ts';
import { type Gallery, startGallery } from '../support/harness.ts';
import { type Person, register } from '../support/people.ts';
import { addMonths, signIn, withoutWeb, years } from './steps.ts';

/** Functions that Safari 17.0 to 17.3, Chrome 114 to 118 or Firefox 125 lack. */
function removeNewFunctions(): void {
  for (const [owner, names] of [
    [Promise, ['withResolvers', 'try']],
    [Map, ['groupBy']],
    [Object, ['groupBy']],
    [Array, ['fromAsync']],
    [Map.prototype, ['getOrInsert', 'getOrInsertComputed']],
    [Set.prototype, ['union', 'intersection', 'difference', 'isSubsetOf', 'symmetricDifference']],
    [Element.prototype, ['checkVisibility', 'moveBefore']],
    [AbortSignal, ['any']],
    [URL, ['parse']],
    [RegExp, ['escape']],
    [window, ['requestIdleCallback', 'Iterator', 'scheduler']],
    [Document.prototype, ['startViewTransition']],
  ] as unknown as [Record<string, unknown>, string[]][])
    for (const name of names) delete owner[name];
  const iterator = Object.getPrototypeOf(Object.getPrototypeOf([].values()));
  for (const name of [
    'map',
    'filter',
    'take',
    'drop',
    'flatMap',
    'some',
    'every',
    'find',
    'toArray',
    'reduce',
  ])
    delete iterator[name];
}

describe('a browser', { skip: withoutWeb }, () => {
  let gallery: Gallery;
  let browser: Browser | undefined;
  let ann: Person;
  let ids: number[];

  before(async () => {
    gallery = await startGallery({ tokenTtl: years });
    ann = await register(gallery, 'ann');
    ids = await addMonths(gallery, ann, 2, 3);
  });
  afterEach(() => browser?.close());
  after(() => gallery?.close());

  async function open(remove: () => void, path = '/') {
    browser = await openBrowser();
    await browser.context.addInitScript(remove);
    await signIn(browser, gallery, ann);
    const page = await browser.context.newPage();
    const errors: string[] = [];
    page.on('pageerror', (error) => errors.push(String(error)));
    page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
    await page.goto(gallery.url + path);
    return { page, errors };
  }

  test('of the year 2023 shows the wall, likes, selects and searches', async () => {
    const { page, errors } = await open(removeNewFunctions);
    await page.locator(`.tile[data-id="${ids[5]}"]`).click();
    await page.waitForURL(`**/photos/${ids[5]}`);
    await page.locator('button[data-action=like][aria-pressed=false]').waitFor();
    await page.keyboard.press('l');
    await page.locator('button[data-action=like][aria-pressed=true]').waitFor();
    await page.keyboard.press('Escape');
    await page.waitForURL((url) => url.pathname === '/');
    await page.locator(`.tile[data-id="${ids[4]}"]`).focus();
    await page.keyboard.press('x');
    await page
      .getByText('1 selected')
      .first()
      .waitFor()
      .catch((error: Error) => assert.fail(`${error.message}\n${errors.join('\n')}`));
    await page.keyboard.press('Escape');
    await page.keyboard.press('/');
    await page.keyboard.type('Photo 2');
    await page.keyboard.press('Enter');
    await page.locator(`.tile[data-id="${ids[2]}"]`).waitFor();
    assert.equal(await page.locator('#old-browser').isVisible(), false);
    assert.deepEqual(errors, []);
  });

  for (const [name, remove] of [
    ['popovers', () => Reflect.deleteProperty(HTMLElement.prototype, 'popover')],
    ['modules', () => Reflect.deleteProperty(HTMLScriptElement.prototype, 'noModule')],
    ['sorted copies of arrays', () => Reflect.deleteProperty(Array.prototype, 'toSorted')],
  ] as const) {
    test(`without ${name} is told to be too old, and still shows the photos`, async () => {
      const { page, errors } = await open(remove as () => void);
      await page.getByRole('alert').getByText('This browser is too old').waitFor();
      assert.ok((await page.locator('.wall img').count()) > 0);
      assert.deepEqual(
        errors.filter((error) => !error.includes('too old')),
        [],
      );
    });
  }

  test('gets colors without light-dark(), which browsers of 2023 lack', async () => {
    const text = await (await fetch(`${gallery.url}/`)).text();
    const paths = [...text.matchAll(/<link rel="stylesheet" href="([^"]+)"/g)].map(([, path]) => path!);
    const sheets = await Promise.all(paths.map(async (path) => (await fetch(gallery.url + path)).text()));
    const css = sheets.join('\n');
    assert.match(css, /--paper:/);
    assert.doesNotMatch(css, /light-dark\(/);
  });
});
