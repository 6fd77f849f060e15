/** Helpers for imports in a browser: choosing files, waiting for the end, and reading the receipt. */
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { parseCsv } from '../../server/tools/exchange/plan/csv.ts';
import type { Browser } from '../support/browser.ts';
import type { Gallery } from '../support/harness.ts';
import { type GalleryUrl, type Person, register } from '../support/people.ts';
import { openTab, signIn } from './steps.ts';

/** Registers a user, and opens the page for imports as that user. */
export async function openImportAs(browser: Browser, at: GalleryUrl, name: string) {
  const person = await register(at, name);
  return { person, ...(await openImport(browser, at, person)) };
}

export async function openImport(browser: Browser, at: GalleryUrl, person: Person) {
  await browser.context.clearCookies();
  await signIn(browser, at as Gallery, person);
  const tab = await openTab(browser, at as Gallery, '/import');
  await tab.page.getByRole('button', { name: 'Choose a folder' }).waitFor();
  return tab;
}

/** Chooses one folder, or several files. */
export async function chooseSource(page: Page, source: string | string[]): Promise<void> {
  const name = Array.isArray(source) ? 'Choose files or ZIPs' : 'Choose a folder';
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    page.getByRole('button', { name }).click(),
  ]);
  await chooser.setFiles(source);
  await page.getByRole('heading', { name: 'Found in your files' }).waitFor();
}

/** Starts the import of the found files, and waits for its end. */
export async function importAll(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Import \d+ photos?$/ }).click();
  await page.getByRole('heading', { name: 'Import finished' }).waitFor();
}

export type Receipt = Record<string, { outcome: string; reason: string; other: string; photo: string }>;

/** Saves the receipt as CSV, and returns its lines by the path of the file. */
export async function saveReceipt(page: Page): Promise<Receipt> {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Save as CSV' }).click(),
  ]);
  const text = Buffer.concat(await Array.fromAsync(await download.createReadStream())).toString();
  const [head, ...lines] = parseCsv(Buffer.from(text));
  assert.deepEqual(head, ['source', 'file', 'outcome', 'reason', 'other file', 'photo']);
  return Object.fromEntries(
    lines.map(([, path, outcome, reason, other, photo]) => {
      return [path!, { outcome: outcome!, reason: reason!, other: other!, photo: photo! }];
    }),
  );
}

/** Counts the files of a receipt by their outcome. */
export function countOutcomes(receipt: Receipt): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { outcome } of Object.values(receipt)) counts[outcome] = (counts[outcome] ?? 0) + 1;
  return counts;
}
