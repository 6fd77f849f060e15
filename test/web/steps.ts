/**
 * Helpers for browser tests: a gallery with photos of many months, and a tab that records calls and errors.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import AxeBuilder from '@axe-core/playwright';
import type { Page } from 'playwright-core';
import { readBuiltAssets } from '../../server/gallery/pages/built-assets.ts';
import { webBuildFolder } from '../../server/platform/http/web-build.ts';
import { type Browser, withoutBrowser } from '../support/browser.ts';
import type { Gallery } from '../support/harness.ts';
import { addPhoto, type Person, password } from '../support/people.ts';
import { createJpeg } from '../support/pictures.ts';

/** Value for the option `skip`: the reason why browser tests cannot run, or false. */
export const withoutWeb =
  withoutBrowser || (readBuiltAssets(webBuildFolder) ? false : 'the pages are not built: npm run build:web');

const shapes = [
  { width: 300, height: 200 },
  { width: 150, height: 200 },
  { width: 200, height: 200 },
  { width: 320, height: 180 },
  { width: 400, height: 160 },
];
const month = 30 * 86_400;
/** Lifetime of sessions in seconds, long enough for tests that move the clock by many months. */
export const years = 5 * 365 * 86_400;

/**
 * Adds `months` times `each` photos of many shapes and colors, oldest first, so `Photo 0` is the last of the
 * wall. The gallery's clock moves by a month after each month's photos.
 */
export async function addMonths(
  gallery: Gallery,
  owner: Person,
  months: number,
  each: number,
): Promise<number[]> {
  const ids: number[] = [];
  for (let of = 0; of < months; of++) {
    for (let n = 0; n < each; n++) {
      const number = of * each + n;
      const colour = `hsl(${(number * 47) % 360}, 45%, 45%)`;
      const picture = await createJpeg({ ...shapes[number % shapes.length], colour });
      gallery.travel(1);
      ids.push((await addPhoto(owner, { title: `Photo ${number}` }, picture)).id);
    }
    gallery.travel(month);
  }
  return ids;
}

export interface Tab {
  page: Page;
  /** Returns the calls of the API since the last call of this function. */
  calls(): string[];
  /** Messages of the browser: violated policies, exceptions of scripts, and failed requests. */
  complaints: string[];
}

export async function openTab({ context }: Browser, gallery: Gallery, path = '/'): Promise<Tab> {
  const page = await context.newPage();
  let calls: string[] = [];
  const complaints: string[] = [];
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url());
    if (pathname.startsWith('/api/')) calls.push(`${request.method()} ${pathname}${search}`);
  });
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
  await page.goto(gallery.url + path);
  return {
    page,
    complaints,
    calls() {
      const made = calls;
      calls = [];
      return made;
    },
  };
}

/** Signs in with a new session of this page, by cookie. */
export async function signInAs(page: Page, username: string, secret = password): Promise<void> {
  const status = await page.evaluate(
    async ([username, password]) => {
      const body = JSON.stringify({ username, password, cookie: true });
      const headers = { 'Content-Type': 'application/json' };
      return (await fetch('/api/auth/login', { method: 'POST', headers, body })).status;
    },
    [username, secret],
  );
  assert.equal(status, 200);
}

/** Signs in for all tabs of this browser. */
export async function signIn(
  { context }: Browser,
  gallery: Gallery,
  { name }: Pick<Person, 'name'>,
): Promise<void> {
  const data = { username: name, password, cookie: true };
  const headers = { Origin: gallery.url, 'Sec-Fetch-Site': 'same-origin' };
  const answer = await context.request.post(`${gallery.url}/api/auth/login`, { data, headers });
  assert.equal(answer.status(), 200, await answer.text());
}

const everyLook = [390, 1440].flatMap((width) =>
  (['light', 'dark'] as const).map((colorScheme) => ({ width, colorScheme })),
);
/**
 * A dark phone shows most problems that the default window (1280 px, light) does not show. `TEST_LOOKS=all`,
 * which `npm run torture` sets, adds the other three combinations.
 */
const looks = process.env.TEST_LOOKS === 'all' ? everyLook : [{ width: 390, colorScheme: 'dark' } as const];

/** Calls `look` in other window sizes and colors. Leaves the page dark and 1440 px wide. */
export async function inEveryLook(page: Page, look: (name: string) => Promise<void>): Promise<void> {
  for (const { width, colorScheme } of looks) {
    await page.setViewportSize({ width, height: 844 });
    await page.emulateMedia({ colorScheme });
    await look(`${width} px, ${colorScheme}`);
  }
  await page.setViewportSize({ width: 1440, height: 844 });
}

export async function assertAccessible(
  page: Page,
  where: string,
  withoutRules: string[] = [],
): Promise<void> {
  await untilStill(page);
  const violations = await findViolations(page, withoutRules);
  const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
  assert.deepEqual(found, [], where);
}

const axeFile = createRequire(import.meta.resolve('@axe-core/playwright')).resolve('axe-core/axe.min.js');
const axeScript = readFileSync(axeFile, 'utf8');

/**
 * Runs axe inside the page, with a script that is loaded once per document. The default way, which loads axe
 * for each call and evaluates in an empty tab, takes five times as long. Only frames of other origins need
 * the default way, and no page has any.
 */
async function findViolations(page: Page, withoutRules: string[]) {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axeScript);
  const axe = new AxeBuilder({ page, axeSource: ';' }).setLegacyMode();
  const letGo = await holdTransitions(page);
  try {
    const { violations } = await axe
      .options({ resultTypes: ['violations'] })
      .disableRules(withoutRules)
      .analyze();
    return violations;
  } finally {
    await letGo();
  }
}

/**
 * Turns transitions off. Controls over a picture fade after two seconds without movement, and a check during
 * the fade would see a color that nobody reads.
 */
async function holdTransitions(page: Page): Promise<() => Promise<void>> {
  const sheet = await page.evaluateHandle(() => {
    const none = new CSSStyleSheet();
    none.replaceSync('*, ::before, ::after { transition: none !important }');
    document.adoptedStyleSheets.push(none);
    return none;
  });
  return () =>
    sheet.evaluate((none) => {
      document.adoptedStyleSheets = document.adoptedStyleSheets.filter((one) => one !== none);
    });
}

/**
 * Waits until no element is in transition, because contrast during a transition is not meaningful. The wait
 * has a limit: a page that the browser does not draw has no frames.
 */
async function untilStill(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const nextFrame = () => new Promise((resolve) => requestAnimationFrame(resolve));
    const moving = () =>
      document.getAnimations().filter(({ playState, effect }) => {
        return playState === 'running' && Number.isFinite(Number(effect?.getComputedTiming().endTime));
      });
    const still = async () => {
      await nextFrame();
      await nextFrame();
      for (let all = moving(); all.length > 0; all = moving()) {
        await Promise.allSettled(all.map(({ finished }) => finished));
        await nextFrame();
      }
    };
    await Promise.race([still(), new Promise((resolve) => setTimeout(resolve, 5000))]);
  });
}
