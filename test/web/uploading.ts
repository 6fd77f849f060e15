/**
 * Helpers for uploads in a browser: the upload panel, slow and broken connections, and the photos in the end.
 */
import assert from 'node:assert/strict';
import type { CDPSession, Page } from 'playwright-core';
import type { Browser } from '../support/browser.ts';
import type { Gallery } from '../support/harness.ts';
import { type GalleryUrl, type Person, register } from '../support/people.ts';
import { openTab, signIn } from './steps.ts';

/** Bytes per second of a slow connection, so slow that ten photos take a while. */
const slow = 300_000;
export const unlimited = -1;

export const input = (page: Page) => page.locator('input[type=file]');
export const tray = (page: Page) => page.getByRole('complementary', { name: 'Uploads' });
export const rows = (page: Page, state: string) => page.locator(`li[data-state=${state}]`);
export const status = (page: Page, text: string) => tray(page).getByRole('status').filter({ hasText: text });

export async function connect(session: CDPSession, uploadThroughput: number, offline = false): Promise<void> {
  const speed = { latency: 0, downloadThroughput: unlimited, uploadThroughput };
  await session.send('Network.emulateNetworkConditions', { offline, ...speed });
}

/** Starts an upload on a slow connection. Resolves when some photos have arrived and others have not. */
export async function beginSlowly(page: Page, session: CDPSession, paths: string[]): Promise<void> {
  await connect(session, slow);
  await input(page).setInputFiles(paths);
  await page.getByRole('button', { name: `Upload ${paths.length} photos` }).click();
  await rows(page, 'done').first().waitFor();
  await rows(page, 'sending').first().waitFor();
}

/** Asserts that all chosen photos have arrived, each once and with all bytes. */
export async function assertPhotos(person: Person, count: number): Promise<void> {
  const { body } = await person.get(`/api/photos?user_id=${person.id}&limit=100`);
  const titles = body.data.list.map(({ title }: { title: string }) => title);
  assert.equal(titles.length, count, titles.join());
  assert.equal(new Set(titles).size, count, titles.join());
}

/** Registers a user, and opens the gallery as that user. */
export async function openAs(browser: Browser, at: GalleryUrl, name: string) {
  const person = await register(at, name);
  await browser.context.clearCookies();
  await signIn(browser, at as Gallery, person);
  const tab = await openTab(browser, at as Gallery);
  await tab.page.getByRole('button', { name: 'Upload', exact: true }).waitFor();
  const session = await browser.context.newCDPSession(tab.page);
  await session.send('Network.enable');
  return { person, session, ...tab };
}
