/**
 * A wall of many photos without a gallery of that size. The API is simulated with photos of two pixels, and
 * the document comes from the server without photos.
 */
import type { Page } from 'playwright-core';
import type { PageData, Photo, PhotoItem } from '../../web/api/types.ts';
import type { Gallery } from '../support/harness.ts';
import { addPhoto, register } from '../support/people.ts';
import { createJpeg } from '../support/pictures.ts';

const years = 12;

/** A photo as the API returns it, in a list and in full, and an image of two pixels. */
interface OnePhoto {
  item: PhotoItem;
  full: Photo;
  pixel: Buffer;
}

export async function examplePhoto(gallery: Gallery): Promise<OnePhoto> {
  const pixel = await createJpeg({ width: 2, height: 2, colour: '#456' });
  const owner = await register(gallery, 'ann');
  const { id } = await addPhoto(
    owner,
    { title: 'Photo' },
    await createJpeg({ width: 300, height: 200, colour: '#456' }),
  );
  const ask = async (path: string) => (await (await fetch(gallery.url + path)).json()).data;
  return { item: (await ask('/api/photos')).list[0], full: await ask(`/api/photos/${id}`), pixel };
}

/** Answers calls like a gallery of `total` photos with ids from 1. Returns a function that counts the calls. */
export async function mockWall(
  page: Page,
  { item, full, pixel }: OnePhoto,
  total: number,
): Promise<() => number> {
  let calls = 0;
  const months = Array.from({ length: years * 12 }, (_, index) => {
    const count =
      Math.floor(((index + 1) * total) / (years * 12)) - Math.floor((index * total) / (years * 12));
    const month = `${2026 - Math.floor(index / 12)}-${String(12 - (index % 12)).padStart(2, '0')}`;
    return { month, count, ratio: count * 1.35 };
  });
  const getRatio = (index: number) => [1.5, 0.75, 1, 1.78, 1.33][index % 5]!;
  const photoAt = (index: number) => ({
    ...item,
    ...{ id: index + 1, title: `Photo ${index + 1}` },
    ...{ width: Math.round(2000 * getRatio(index)), height: 2000 },
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
    const id = Number(/^\/api\/photos\/(\d+)$/.exec(pathname)?.[1] ?? 0);
    const data =
      id > 0
        ? { ...full, id, title: `Photo ${id}` }
        : pathname === '/api/timeline'
          ? { list: months }
          : pageAt(searchParams);
    return route.fulfill({ json: { code: 0, message: 'success', data } });
  });
  return () => calls;

  function pageAt(query: URLSearchParams) {
    const limit = Number(query.get('limit') ?? 100);
    const around = query.get('around');
    const number = around ? Math.ceil(Number(around) / limit) : Number(query.get('page') ?? 1);
    const from = (number - 1) * limit;
    const list = Array.from({ length: Math.min(limit, total - from) }, (_, index) => photoAt(from + index));
    return { list, pagination: { page: number, limit, total, total_pages: Math.ceil(total / limit) } };
  }
}

/** Waits until photos are visible in the window. */
export async function untilPhotos(page: Page): Promise<void> {
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
