/** A real browser, where one is installed. */
import { spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core';

const windowedPrograms = ['chromium', 'chromium-browser', 'google-chrome'];
/** The headless shell is the same engine without windows and starts faster. The whole browser does all of it, too. */
const browserPrograms = ['chromium-headless-shell', ...windowedPrograms];
/** `npm test` starts one browser for all its processes (test/runner/servers.ts). */
const sharedBrowserUrl = process.env.TEST_BROWSER_URL;
const browserProgram = sharedBrowserUrl ? undefined : findInstalled(browserPrograms);

function findInstalled(names: string[]): string | undefined {
  return names.find((name) => spawnSync(name, ['--version'], { stdio: 'ignore' }).status === 0);
}

/** The reason for skipping tests that need a browser; false where a browser is installed. */
export const withoutBrowser = sharedBrowserUrl || browserProgram ? false : 'Chromium is not installed here';

export interface Browser {
  context: BrowserContext;
  close(): Promise<void>;
}

/** The options that every page of a context shares. */
export type BrowserOptions = Pick<
  BrowserContextOptions,
  'hasTouch' | 'isMobile' | 'javaScriptEnabled' | 'locale' | 'reducedMotion' | 'viewport'
> & {
  /** Starts the browser that people use, with a profile on disk: measurements need it. */
  isWhole?: boolean;
};

/**
 * Opens a browser context of its own: no cookies, no storage, no cache of another test. Closing it frees the event
 * loop, which lets a worker of the test runner end its file.
 */
export async function openBrowser({ isWhole, ...options }: BrowserOptions = {}): Promise<Browser> {
  if (isWhole) return openProfile(options);
  const browser = sharedBrowserUrl
    ? await chromium.connect(sharedBrowserUrl)
    : await chromium.launch(getLaunchOptions(browserProgram!));
  const context = await browser.newContext(options);
  context.setDefaultTimeout(60_000);
  // This closes the context and leaves a shared browser running.
  return { context, close: () => browser.close() };
}

async function openProfile(options: BrowserContextOptions): Promise<Browser> {
  const profile = await mkdtemp(join(tmpdir(), 'lightwell-browser-'));
  const chosen = getLaunchOptions(findInstalled(windowedPrograms) ?? browserProgram!);
  const context = await chromium.launchPersistentContext(profile, { ...chosen, ...options });
  context.setDefaultTimeout(60_000);
  return {
    context,
    async close() {
      await context.close();
      await rm(profile, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

export interface BrowserServer {
  /** The WebSocket address for `TEST_BROWSER_URL`. */
  url: string;
  stop(): Promise<void>;
}

/**
 * Starts the one browser of a test run; undefined where no browser is installed. Playwright kills the browser when this
 * process exits, also after a signal.
 */
export async function startBrowser(): Promise<BrowserServer | undefined> {
  if (!browserProgram) return undefined;
  // The runner has its own handlers of signals: each of them exits.
  const signals = { handleSIGINT: false, handleSIGTERM: false, handleSIGHUP: false };
  const server = await chromium.launchServer({
    ...getLaunchOptions(browserProgram),
    ...signals,
    host: '127.0.0.1',
  });
  return { url: server.wsEndpoint(), stop: () => server.close() };
}

function getLaunchOptions(name: string) {
  return {
    executablePath: spawnSync('which', [name]).stdout.toString().trim(),
    // As root there is no sandbox; nothing is looked up outside of this machine.
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
  };
}

/**
 * Intercepts requests of a page that is open. The browser receives `page.route` on another channel than key presses: a
 * request that the page sends at once may pass by. Resolves when a request was intercepted.
 */
export async function intercept(page: Page, ...route: Parameters<Page['route']>): Promise<void> {
  await page.route(...route);
  const probe = '/health/live?is-caught';
  const isProbeUrl = (url: URL) => url.pathname + url.search === probe;
  await page.route(isProbeUrl, (route) => route.fulfill({ status: 204 }));
  while ((await page.evaluate(async (url) => (await fetch(url)).status, probe)) !== 204);
  await page.unroute(isProbeUrl);
}
