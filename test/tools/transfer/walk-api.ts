/** Collects all responses of a gallery, for a comparison with the responses of its copy. */
import assert from 'node:assert/strict';
import type { Gallery } from '../../support/harness.ts';
import { asVisitor, createPerson, type Person } from '../../support/people.ts';
import { type Contents, sharePassword } from './fill-gallery.ts';

/** Maps user and request to the response. Images are stored as the bytes at the images' paths. */
export type Walk = Map<string, string>;

const lists = [
  '/api/photos?limit=100',
  '/api/photos?limit=100&sort=title&order=asc',
  '/api/photos?keyword=hills',
  '/api/photos?keyword=%E6%97%A5',
  '/api/photos?keyword=dome%22',
  '/api/photos?keyword=k',
  '/api/photos?tag=hills',
  '/api/photos?is_public=0',
  '/api/tags',
  '/api/trash',
  '/api/albums?sort=name',
  '/api/users',
  '/api/notifications',
  '/api/shares',
  '/api/feed',
  '/api/auth/user',
  '/api/auth/tokens',
];

const ofPhoto = ['', '/edits', '/comments', '/download'];
const ofAlbum = ['', '/photos'];
const ofUser = ['', '/photos', '/albums', '/followers', '/following', '/favorites'];
/** Also requests ids that do not exist, because they must not exist in the copy either. */
const each = (noun: string, ids: number, rests: string[]) =>
  Array.from({ length: ids }, (_, at) => rests.map((rest) => `/api/${noun}/${at + 1}${rest}`)).flat();

const paths = [
  ...lists,
  ...each('photos', 8, ofPhoto),
  ...each('albums', 5, ofAlbum),
  ...each('users', 4, ofUser),
];

/**
 * Walks through the gallery as the owner, a stranger, an admin and a visitor, including share links and
 * images.
 */
export async function walk(gallery: Gallery, contents: Contents): Promise<Walk> {
  const seen: Walk = new Map();
  const images = new Set<string>();
  const people = [contents.owner, contents.stranger, contents.admin].map((one) =>
    replaceAddresses(gallery, one),
  );
  for (const one of [...people, asVisitor(gallery)]) {
    for (const path of paths) {
      const { status, body, bytes } = await one.get(path);
      // Writes collected views at once, because lists show written views only.
      await gallery.deps.db.counters.flush();
      const text = Object.keys(body).length > 0 ? JSON.stringify(body) : bytes.toString('base64');
      for (const [image] of text.matchAll(/\/storage\/[^"]+/g)) images.add(image.replace('{width}', '320'));
      seen.set(`${one.name} ${path}`, `${status} ${unsigned(text)}`);
    }
  }
  await walkShares(gallery, contents, seen);
  await walkImages(gallery, images, seen);
  return seen;
}

/** Returns a client of the same person with the same token at another server. */
export function replaceAddresses(gallery: Gallery, { name, token, id }: Person): Person {
  return createPerson(gallery, name, token, id);
}

async function walkShares(gallery: Gallery, { locked, open }: Contents, seen: Walk): Promise<void> {
  const visitor = asVisitor(gallery);
  seen.set('open link', unsigned(JSON.stringify((await visitor.get(`/api/shares/${open}`)).body)));
  const { body } = await visitor.post(`/api/shares/${locked}/unlock`, { password: sharePassword });
  assert.equal(body.code, 0, JSON.stringify(body));
  const inside = await visitor.get(`/api/shares/${locked}?access=${encodeURIComponent(body.data.access)}`);
  seen.set('locked link', unsigned(JSON.stringify(inside.body)));
}

/** Requests images by the exact paths that the server returned, including signatures. */
export async function walkImages(gallery: Gallery, images: Iterable<string>, seen: Walk): Promise<void> {
  for (const image of images) {
    const { status, bytes } = await asVisitor(gallery).get(image);
    assert.equal(status, 200, image);
    seen.set(unsigned(image), bytes.toString('base64'));
  }
}

/** Removes signatures, because they change every hour. */
function unsigned(text: string): string {
  return text.replaceAll(/\?(?:[a-z]+=[\w.-]+&?)+/g, '').replaceAll(/"access":"[^"]*"/g, '');
}

export function assertSame(found: Walk, expected: Walk): void {
  assert.deepEqual([...found.keys()].sort(), [...expected.keys()].sort());
  for (const [what, answer] of expected) assert.equal(found.get(what), answer, what);
}
