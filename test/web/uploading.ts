/** Uploads through a browser: its panel, slow and broken connections, and what has arrived in the end. */
import assert from 'node:assert/strict';
import type { CDPSession, Page } from 'playwright-core';
import type { Browser } from '../support/browser.ts';
import type { Gallery } from '../support/harness.ts';
import { type GalleryUrl, type Person, register } from '../support/people.ts';
import { openTab, signIn } from './steps.ts';

/** So slow that ten photos take a while, bytes a second. */
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

/** Chooses the files and begins, as slowly as to be disturbed: resolves once some are there and some are not. */
export async function beginSlowly(page: Page, session: CDPSession, paths: string[]): Promise<void> {
  await connect(session, slow);
  await input(page).setInputFiles(paths);
  await page.getByRole('button', { name: `Upload ${paths.length} photos` }).click();
  await rows(page, 'done').first().waitFor();
  await rows(page, 'sending').first().waitFor();
}

/** As many photos as were chosen, each once, with all bytes. */
export async function assertPhotos(person: Person, count: number): Promise<void> {
  const { body } = await person.get(`/api/photos?user_id=${person.id}&limit=100`);
  const titles = body.data.list.map(({ title }: { title: string }) => title);
  assert.equal(titles.length, count, titles.join());
  assert.equal(new Set(titles).size, count, titles.join());
}

/** Registers somebody, and opens the gallery as that person. */
export async function openAs(browser: Browser, at: GalleryUrl, name: string) {
  const person = await register(at, name);
  await browser.context.clearCookies();
  await signIn(browser, at as Gallery, person);
  const tab = await openTab(browser, at as Gallery);
  await tab.page.getByRole('button', { name: 'Upload' }).waitFor();
  const session = await browser.context.newCDPSession(tab.page);
  await session.send('Network.enable');
  return { person, session, ...tab };
}
