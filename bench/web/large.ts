/**
 * Walls of 100,000 and of 1,000,000 photos: calls, memory, elements and frames. The API is played here (photos of one
 * pixel), so that what is measured is the page alone; the document is the server's, without photos.
 */
import type { Page } from 'playwright-core';
import { openBrowser } from '../../test/support/browser.ts';
import { type Gallery, startGallery } from '../../test/support/harness.ts';
import { addPhoto, register } from '../../test/support/people.ts';
import { jpeg } from '../../test/support/pictures.ts';
import type { PageData, PhotoItem } from '../../web/api/types.ts';
import type { Figure } from './figures.ts';
import { openPhone, type Phone } from './phone.ts';

const years = 12;

export async function large(): Promise<Figure[]> {
  const gallery = await startGallery({ rateLimit: 0 });
  const browser = await openBrowser();
  try {
    const [item, pixel] = await itemOf(gallery);
    const many = await openPhone(browser, { slower: 1 });
    const calls = await play(many.page, { total: 100_000, item, pixel });
    const figures = await ofMany(many, gallery.url, calls);
    await many.page.close();
    const most = await openPhone(browser, { slower: 1 });
    await play(most.page, { total: 1_000_000, item, pixel });
    return [...figures, await ofMost(most.page, gallery.url)];
  } finally {
    await browser.close();
    await gallery.close();
  }
}

async function ofMany({ page, devtools }: Phone, url: string, calls: () => number): Promise<Figure[]> {
  await page.goto(url, { waitUntil: 'networkidle' });
  await untilPhotos(page);
  const afterOpening = calls();
  const slowest = await scroll(page, 20);
  await untilPhotos(page);
  const throughAll = calls() - afterOpening;
  await page.evaluate(() => window.scrollTo(0, 0));
  await page.waitForTimeout(500);
  const beforeReading = calls();
  for (let screen = 0; screen < 20; screen++) {
    await page.evaluate(() => window.scrollBy({ top: window.innerHeight, behavior: 'smooth' }));
    await page.waitForTimeout(1000);
  }
  const reading = (calls() - beforeReading) * 3;
  await devtools.send('HeapProfiler.collectGarbage');
  await devtools.send('Performance.enable');
  const { metrics } = await devtools.send('Performance.getMetrics');
  const metric = (name: string) => metrics.find((one) => one.name === name)!.value;
  const of = (what: string) => `100,000 photos: ${what}`;
  return [
    { what: of('calls from end to end'), value: throughAll, limit: 5, unit: '' },
    { what: of('calls a minute, a screen a second'), value: reading, limit: 20, unit: '' },
    { what: of('heap after collection'), value: metric('JSHeapUsedSize') / 1e6, limit: 30, unit: 'MB' },
    { what: of('nodes'), value: metric('Nodes'), limit: 3000, unit: '' },
    { what: of('slowest frame of 20 s'), value: slowest, limit: 100, unit: 'ms' },
  ];
}

/** How many photos are between the last of the list and the last that one can reach. */
async function ofMost(page: Page, url: string): Promise<Figure> {
  await page.goto(url, { waitUntil: 'networkidle' });
  // Heights become exact on the way.
  for (let time = 0; time < 3; time++) {
    await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight));
    await page.waitForTimeout(300);
    await untilPhotos(page);
  }
  const last = await page.evaluate(() => {
    const seen = [...document.querySelectorAll<HTMLElement>('.tile[data-id]')].filter((tile) => {
      const { top, bottom } = tile.getBoundingClientRect();
      return bottom > 0 && top < window.innerHeight;
    });
    return Math.max(0, ...seen.map((tile) => Number(tile.dataset.id)));
  });
  return {
    what: '1,000,000 photos: those that cannot be reached',
    value: 1_000_000 - last,
    limit: 0,
    unit: '',
  };
}

/** A photo as the API tells it, and its smallest image. */
async function itemOf(gallery: Gallery): Promise<[PhotoItem, Buffer]> {
  const pixel = await jpeg({ width: 2, height: 2, colour: '#456' });
  const owner = await register(gallery, 'ann');
  await addPhoto(owner, { title: 'Photo' }, await jpeg({ width: 300, height: 200, colour: '#456' }));
  const answer = (await (await fetch(`${gallery.url}/api/photos`)).json()) as { data: { list: PhotoItem[] } };
  return [answer.data.list[0]!, pixel];
}

/** Answers the page's calls; tells how many there were. */
async function play(
  page: Page,
  { total, item, pixel }: { total: number; item: PhotoItem; pixel: Buffer },
): Promise<() => number> {
  let calls = 0;
  const months = Array.from({ length: years * 12 }, (_, index) => {
    const count =
      Math.floor(((index + 1) * total) / (years * 12)) - Math.floor((index * total) / (years * 12));
    const month = `${2026 - Math.floor(index / 12)}-${String(12 - (index % 12)).padStart(2, '0')}`;
    return { month, count, ratio: count * 1.35 };
  });
  const ratioOf = (index: number) => [1.5, 0.75, 1, 1.78, 1.33][index % 5]!;
  const photoAt = (index: number) => ({
    ...item,
    ...{ id: index + 1, title: `Photo ${index + 1}` },
    ...{ width: Math.round(2000 * ratioOf(index)), height: 2000 },
  });
  await page.route('**/*', async (route) => {
    const { pathname, searchParams } = new URL(route.request().url());
    if (pathname === '/') {
      const response = await route.fetch();
      return route.fulfill({ response, body: withoutWall(await response.text()) });
    }
    if (pathname.startsWith('/storage/')) return route.fulfill({ body: pixel, contentType: 'image/jpeg' });
    if (!pathname.startsWith('/api/')) return route.continue();
    calls++;
    const data = pathname === '/api/timeline' ? { list: months } : pageAt(searchParams);
    return route.fulfill({ json: { code: 0, message: 'success', data } });
  });
  return () => calls;

  function pageAt(query: URLSearchParams) {
    const [number, limit] = [Number(query.get('page') ?? 1), Number(query.get('limit') ?? 100)];
    const from = (number - 1) * limit;
    const list = Array.from({ length: Math.min(limit, total - from) }, (_, index) => photoAt(from + index));
    return { list, pagination: { page: number, limit, total, total_pages: Math.ceil(total / limit) } };
  }
}

/** Where one is, there are photos. */
async function untilPhotos(page: Page): Promise<void> {
  await page.waitForFunction(() =>
    [...document.querySelectorAll('.tile[data-id]')].some((tile) => {
      const { top, bottom } = tile.getBoundingClientRect();
      return bottom > 0 && top < window.innerHeight;
    }),
  );
}

function withoutWall(document: string): string {
  return document
    .replace(/<main class="wall">[\s\S]*?<\/main>/, '')
    .replace(/(<script type="application\/json" id="data">)(.*?)(<\/script>)/s, (_, start, data, end) => {
      const { wall: _wall, ...rest } = JSON.parse(data) as PageData;
      return start + JSON.stringify(rest).replaceAll('<', '\\u003c') + end;
    });
}

/** From the top to the end in equal steps, one a frame; the slowest frame in ms. */
async function scroll(page: Page, seconds: number): Promise<number> {
  return await page.evaluate(async (milliseconds) => {
    const frame = () => new Promise<number>((resolve) => requestAnimationFrame(resolve));
    const begin = await frame();
    let last = begin;
    let slowest = 0;
    while (last - begin < milliseconds) {
      const end = document.documentElement.scrollHeight - window.innerHeight;
      window.scrollTo(0, (end * (last - begin)) / milliseconds);
      const now = await frame();
      slowest = Math.max(slowest, now - last);
      last = now;
    }
    window.scrollTo(0, document.documentElement.scrollHeight);
    return slowest;
  }, seconds * 1000);
}
