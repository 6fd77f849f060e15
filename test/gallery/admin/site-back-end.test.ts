/** Tests a site whose back end serves two hundred visitors at once with one API key, on an idle machine. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { assertWritten } from '../../support/assert-answers.ts';
import { type Gallery, startGallery } from '../../support/harness.ts';
import { addPhoto, type Person, register, registerAdmin } from '../../support/people.ts';

const visitors = 200;
const words = ['sea', 'mountain', 'river', 'forest', 'city', 'night', 'snow', 'bridge', 'garden', 'harbor'];

interface Wall {
  list: { id: number; thumb: string }[];
}

describe('one API key for two hundred visitors at once', () => {
  let gallery: Gallery;
  let site: Person;
  let key: string;
  let photos: Wall['list'];

  before(async () => {
    gallery = await startGallery({ rateLimit: 60 });
    const root = await registerAdmin(gallery, 'root');
    site = await register(gallery, 'site');
    photos = await Promise.all(
      words.map(async (title) => {
        const { id, thumb } = await addPhoto(site, { title, tags: title });
        return { id, thumb };
      }),
    );
    const made = assertWritten(await site.post('/api/auth/tokens', { name: 'site' }));
    key = made.token;
    assertWritten(await root.put(`/api/admin/tokens/${made.id}`, { rate_limit: 0 }));
  });
  after(() => gallery?.close());

  /** Sends the requests of all visitors at once. Returns the number of responses by status. */
  async function countStatuses(pathsOf: (visitor: number) => string[]): Promise<Record<string, number>> {
    const headers = { authorization: `Bearer ${key}` };
    const paths = Array.from({ length: visitors }, (_, n) => pathsOf(n)).flat();
    const statuses = await Promise.all(
      paths.map(async (path) => {
        const answer = await fetch(gallery.url + path, { headers }).catch(() => undefined);
        await answer?.arrayBuffer().catch(() => {});
        return answer?.status ?? 0;
      }),
    );
    return Object.fromEntries(
      [...Map.groupBy(statuses, String)].map(([status, all]) => [status, all.length]),
    );
  }

  const word = (n: number) => words[n % words.length]!;
  const photo = (n: number) => photos[n % photos.length]!;
  const kinds: Record<string, (visitor: number) => string[]> = {
    lists: (n) => [`/api/photos?page=1&limit=${(n % 50) + 1}`],
    searches: (n) => [`/api/photos?q=${word(n)}%20${n}`],
    details: (n) => [`/api/photos/${photo(n).id}`],
    suggestions: (n) => [`/api/search/suggest?keyword=${word(n).slice(0, 3)}`],
    facets: () => ['/api/facets', '/api/timeline', '/api/tags'],
    images: (n) => [0, 1, 2, 3, 4].map((more) => photo(n + more).thumb),
    'whole pages': (n) => [
      '/api/photos',
      `/api/photos?q=${word(n)}`,
      `/api/photos/${photo(n).id}`,
      ...[0, 1, 2, 3, 4].map((more) => photo(n + more).thumb),
    ],
  };

  for (const [kind, pathsOf] of Object.entries(kinds)) {
    test(`serves all of their ${kind}`, async () => {
      const expected = { 200: visitors * pathsOf(0).length };
      assert.deepEqual(await countStatuses(pathsOf), expected);
    });
  }
});
