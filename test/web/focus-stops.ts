/**
 * Walks through a page by the Tab key: which elements get the focus, whether the focus is visible, and which
 * elements are unreachable.
 */
import type { Page } from 'playwright-core';
import { en, type Translate } from './chinese.ts';

interface Walk {
  /** Names of the elements in the order in which they got the focus. */
  stops: string[];
  /** Problems with the focus of these elements. */
  problems: string[];
}

interface Step {
  name: string;
  isAgain: boolean;
  isSameAsLast: boolean;
  problems: string[];
}

const maxStops = 150;

/** Opens a page and waits until it has loaded all its data. */
export async function walkWholePage(page: Page, url: string, say: Translate = en): Promise<void> {
  await page.goto(url);
  await page.getByRole('heading', { level: 1 }).first().waitFor({ state: 'attached' });
  await page.locator('[aria-busy=true], [data-waits]').first().waitFor({ state: 'detached' });
  await page.getByText(say('loading'), { exact: true }).first().waitFor({ state: 'detached' });
}

/** Presses the key until the focus returns to its start, within the page or within the dialog over it. */
export async function walkStops(page: Page, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<Walk> {
  await page.evaluate(begin);
  const walk: Walk = { stops: [], problems: [] };
  for (let n = 0; n < maxStops; n++) {
    await page.keyboard.press(key);
    const { name, isAgain, isSameAsLast, problems } = await page.evaluate(look);
    walk.problems.push(...problems);
    // A date field has several stops of the focus.
    if (isSameAsLast) continue;
    if (isAgain) break;
    walk.stops.push(name);
  }
  walk.problems.push(...(await page.evaluate(end)));
  return walk;
}

/** Presses a key until the name of the focused element matches. Returns the whole name. */
export async function tabTo(page: Page, name: RegExp, key: 'Tab' | 'Shift+Tab' | 'ArrowDown' = 'Tab') {
  await page.evaluate(begin);
  const passed: string[] = [];
  for (let n = 0; n < maxStops; n++) {
    const now = await page.evaluate(describeFocused);
    if (name.test(now)) return now;
    passed.push(now);
    await page.keyboard.press(key);
  }
  throw new Error(`No way leads to ${name}, only to ${passed.join(', ')}`);
}

/** Presses Tab until a tile of the wall has the focus, and then an arrow key until the tile's name matches. */
export async function moveToTile(page: Page, name: RegExp): Promise<void> {
  const readTile = () => page.evaluate(() => (document.activeElement as HTMLElement | null)?.dataset.id);
  for (let n = 0; n < maxStops && (await readTile()) === undefined; n++) await page.keyboard.press('Tab');
  for (let n = 0; n < maxStops && !name.test(await focused(page)); n++) {
    const id = await readTile();
    await page.keyboard.press('ArrowRight');
    await page.locator(`.tile:focus:not([data-id="${id}"])`).waitFor();
  }
}

/** Returns the name of the focused element, or an empty text without focus. */
export async function focused(page: Page): Promise<string> {
  await page.evaluate(begin);
  return await page.evaluate(describeFocused);
}

function describeFocused(): string {
  const { activeElement } = document;
  return activeElement && activeElement !== document.body
    ? window.walked!.getAccessibleName(activeElement)
    : '';
}

declare global {
  interface Window {
    walked?: {
      reached: Set<Element>;
      last: Element | null;
      /** Style of the last element while it had the focus. */
      lastLook: string;
      getAccessibleName(element: Element): string;
      readFocusStyle(element: Element): string;
    };
  }
}

function begin(): void {
  const getAccessibleName = (element: Element) => {
    const labels = (element as HTMLInputElement).labels;
    const alt = element.querySelector('img')?.alt;
    const text =
      element.getAttribute('aria-label') || labels?.[0]?.textContent || alt || element.textContent || '';
    return `${element.getAttribute('role') ?? element.localName} ${text.trim().slice(0, 60)}`;
  };
  // Reads the styles of the parent elements, too, because a parent may draw the focus ring of a field.
  const readFocusStyle = (element: Element) => {
    const looks: string[] = [];
    for (let [at, level]: [Element | null, number] = [element, 0]; at && level < 3; level++) {
      const { outlineStyle, outlineWidth, outlineColor, boxShadow, borderColor } = getComputedStyle(at);
      looks.push(outlineStyle === 'none' ? '' : `${outlineStyle} ${outlineWidth} ${outlineColor}`);
      looks.push(boxShadow, borderColor);
      at = at.parentElement;
    }
    return looks.join('; ');
  };
  window.walked = { reached: new Set(), last: null, lastLook: '', getAccessibleName, readFocusStyle };
}

async function look(): Promise<Step> {
  // Waits for a frame, so that elements that were scrolled into view have a layout.
  await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
  const walked = window.walked!;
  const { reached, last, lastLook, getAccessibleName, readFocusStyle } = walked;
  const now = document.activeElement;
  const problems: string[] = [];
  const isSameAsLast = now === last && now !== document.body;
  // Skips date fields, because only some of the browser's parts of a date draw a ring around the whole field.
  const isDate = last?.matches('[type=date], [type=datetime-local]');
  if (last && !isDate && !isSameAsLast && last.isConnected && readFocusStyle(last) === lastLook) {
    problems.push(`looks the same without the focus: ${getAccessibleName(last)}`);
  }
  if (!now || now === document.body) {
    walked.last = null;
    const isAgain = reached.has(document.body);
    reached.add(document.body);
    return { name: '', isAgain, isSameAsLast: false, problems };
  }
  if (!isSameAsLast) {
    walked.lastLook = readFocusStyle(now);
    const { left, right, top, bottom } = now.getBoundingClientRect();
    const [x1, x2] = [Math.max(0, left), Math.min(innerWidth, right)];
    const [y1, y2] = [Math.max(0, top), Math.min(innerHeight, bottom)];
    const isOutside = right > innerWidth + 1 || left < -1 || bottom > innerHeight + 1 || top < -1;
    const isLarge = bottom - top > innerHeight * 0.8 || right - left > innerWidth;
    if (isOutside && !isLarge) problems.push(`is not whole in the window: ${getAccessibleName(now)}`);
    const hit = document.elementFromPoint((x1 + x2) / 2, (y1 + y2) / 2);
    const isSeen =
      hit && (now.contains(hit) || hit.contains(now) || (now as HTMLInputElement).labels?.[0]?.contains(hit));
    if (!isSeen) problems.push(`is covered by ${hit && getAccessibleName(hit)}: ${getAccessibleName(now)}`);
  }
  walked.last = now;
  const isAgain = reached.has(now);
  reached.add(now);
  return { name: getAccessibleName(now), isAgain, isSameAsLast, problems };
}

/** Returns elements that work by mouse but never got the focus. */
function end(): string[] {
  const { reached, getAccessibleName } = window.walked!;
  const over = [...document.querySelectorAll('dialog[open]')].at(-1) ?? document.querySelector('.pswp');
  const all = (over ?? document.body).querySelectorAll<HTMLInputElement>(
    'a[href], button, input, select, textarea, summary, [tabindex], [role=slider]',
  );
  const isOfReached = ({ type, name }: HTMLInputElement) =>
    type === 'radio' && [...reached].some((one) => (one as HTMLInputElement).name === name);
  const missed = [...all].filter(
    (one) =>
      one.checkVisibility({ visibilityProperty: true }) &&
      one.getClientRects().length > 0 &&
      one.tabIndex >= 0 &&
      !one.disabled &&
      !one.closest('[inert]') &&
      !reached.has(one) &&
      !isOfReached(one),
  );
  /** Finds React's click handlers in the property that React adds to an element. */
  const hears = (element: Element) => {
    const key = Object.keys(element).find((name) => name.startsWith('__reactProps$'));
    return Boolean(key && (element as unknown as Record<string, { onClick?: unknown }>)[key]?.onClick);
  };
  const deaf = [...document.querySelectorAll<HTMLElement>('body *')].filter(
    (one) =>
      one.tabIndex < 0 &&
      !one.matches('button, a, label, dialog, [data-sheet]') &&
      one.checkVisibility() &&
      hears(one) &&
      !one.querySelector('a, button, input, [tabindex]'),
  );
  return [
    ...missed.map((one) => `Tab does not come to it: ${getAccessibleName(one)}`),
    ...deaf.map((one) => `is for a mouse alone: ${getAccessibleName(one)}`),
  ];
}
