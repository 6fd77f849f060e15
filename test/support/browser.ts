/** A real browser, where one is installed. */
import { spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core';

const windowed = ['chromium', 'chromium-browser', 'google-chrome'];
/**
 * The first is the same engine without a window, its parts and what works behind them: less to start for each test file.
 * Where it is not installed, the whole browser does all of it, too.
 */
const program = installed(['chromium-headless-shell', ...windowed]);

function installed(names: string[]): string | undefined {
  return names.find((name) => spawnSync(name, ['--version'], { stdio: 'ignore' }).status === 0);
}

/** Why tests with it are skipped; false where it is installed. */
export const withoutBrowser = program ? false : 'Chromium is not installed here';

export interface Browser {
  context: BrowserContext;
  close(): Promise<void>;
}

/** What every page of it has: a language, no script. */
export type BrowserOptions = Pick<
  BrowserContextOptions,
  'hasTouch' | 'isMobile' | 'javaScriptEnabled' | 'locale' | 'reducedMotion' | 'viewport'
> & {
  /** As people have it, for what is measured. */
  isWhole?: boolean;
};

/** With a profile of its own: nobody has been anywhere yet. */
export async function openBrowser({ isWhole, ...options }: BrowserOptions = {}): Promise<Browser> {
  const chosen = (isWhole && installed(windowed)) || program!;
  const profile = await mkdtemp(join(tmpdir(), 'lightwell-browser-'));
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: spawnSync('which', [chosen]).stdout.toString().trim(),
    // As root there is no sandbox; nothing is to be looked up outside of this machine.
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
    timeout: 120_000,
    ...options,
  });
  context.setDefaultTimeout(60_000);
  return {
    context,
    async close() {
      await context.close();
      await rm(profile, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/**
 * `page.route` for a page that is open. The browser tells the page of it on another way than that of keys: what the page
 * asks for at once may pass by. Resolves when a request was caught.
 */
export async function intercept(page: Page, ...route: Parameters<Page['route']>): Promise<void> {
  await page.route(...route);
  const probe = '/health/live?is-caught';
  const isProbe = (url: URL) => url.pathname + url.search === probe;
  await page.route(isProbe, (route) => route.fulfill({ status: 204 }));
  while ((await page.evaluate(async (url) => (await fetch(url)).status, probe)) !== 204);
  await page.unroute(isProbe);
}
