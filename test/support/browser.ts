/** Opens a real browser for tests, if one is installed. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core';

const windowedPrograms = ['chromium', 'chromium-browser', 'google-chrome'];
/**
 * The headless shell has the same engine without windows and starts faster. The complete browser works as
 * well.
 */
const browserPrograms = ['chromium-headless-shell', ...windowedPrograms];
/** The test runner starts one browser for all its processes (test/runner/servers.ts). */
const sharedBrowserUrl = process.env.TEST_BROWSER_URL;
const browserProgram = sharedBrowserUrl ? undefined : findInstalled(browserPrograms);

function findInstalled(names: string[]): string | undefined {
  return names.find((name) => spawnSync(name, ['--version'], { stdio: 'ignore' }).status === 0);
}

/**
 * Value for the option `skip`: the reason why tests cannot use a browser, or false if a browser is installed.
 */
export const withoutBrowser = sharedBrowserUrl || browserProgram ? false : 'Chromium is not installed here';

export interface Browser {
  context: BrowserContext;
  close(): Promise<void>;
}

/** Options that all pages of a browser context share. */
export type BrowserOptions = Pick<
  BrowserContextOptions,
  | 'hasTouch'
  | 'httpCredentials'
  | 'isMobile'
  | 'javaScriptEnabled'
  | 'locale'
  | 'reducedMotion'
  | 'serviceWorkers'
  | 'timezoneId'
  | 'viewport'
> & {
  /** If true, starts the complete browser with a profile on disk, which measurements need. */
  isWhole?: boolean;
};

/**
 * Opens a new browser context without cookies, storage or cache of another test. Closing the context lets the
 * event loop end, so a worker of the test runner can finish its file.
 */
export async function openBrowser({ isWhole, ...options }: BrowserOptions = {}): Promise<Browser> {
  if (isWhole) return openProfile(options);
  const browser = sharedBrowserUrl
    ? await chromium.connect(sharedBrowserUrl)
    : await chromium.launch(getLaunchOptions(browserProgram!));
  // A test can intercept only requests that pass through no service worker.
  const context = await browser.newContext({ serviceWorkers: 'block', ...options });
  context.setDefaultTimeout(60_000);
  const mistakes = collectMistakes(context);
  return {
    context,
    async close() {
      // Closing the browser object closes the context and leaves a shared browser running.
      await browser.close();
      assert.deepEqual(mistakes, [], 'the programs of the pages have no mistakes');
    },
  };
}

/** Collects errors that show a mistake in a page's program, whether the page caught them or not. */
function collectMistakes(context: BrowserContext): string[] {
  const mistakes: string[] = [];
  const add = (text: string, page: Page | null) => {
    if (/^(Type|Reference|Range)Error: (?!Failed to fetch)/.test(text))
      mistakes.push(`${page?.url()}: ${text}`);
  };
  context.on('weberror', (event) => add(String(event.error()), event.page()));
  context.on('console', (message) => message.type() === 'error' && add(message.text(), message.page()));
  return mistakes;
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
  /** The WebSocket URL of the browser, for `TEST_BROWSER_URL`. */
  url: string;
  stop(): Promise<void>;
}

/**
 * Starts the browser that all tests of a run share. Returns undefined if no browser is installed. Playwright
 * kills the browser when this process exits, also after a signal.
 */
export async function startBrowser(): Promise<BrowserServer | undefined> {
  if (!browserProgram) return undefined;
  // Turns off Playwright's signal handlers, because the runner's own handlers exit the process.
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
    // The sandbox does not work as root. The other options keep the browser from connecting to other
    // machines.
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
 * Intercepts requests of an open page. The browser receives `page.route` on another channel than key presses,
 * so it may miss a request that the page sends at once. Resolves when a first request was intercepted.
 */
export async function intercept(page: Page, ...route: Parameters<Page['route']>): Promise<void> {
  await page.route(...route);
  const probe = '/health/live?is-caught';
  const isProbeUrl = (url: URL) => url.pathname + url.search === probe;
  await page.route(isProbeUrl, (route) => route.fulfill({ status: 204 }));
  while ((await page.evaluate(async (url) => (await fetch(url)).status, probe)) !== 204);
  await page.unroute(isProbeUrl);
}
