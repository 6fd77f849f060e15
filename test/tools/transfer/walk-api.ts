/** Everything that a gallery answers to people: to be compared with what its copy answers. */
import assert from 'node:assert/strict';
import type { Gallery } from '../../support/harness.ts';
import { createPerson, createVisitor, type Person } from '../../support/people.ts';
import { type Contents, sharePassword } from './fill-gallery.ts';

/** Who and what → the answer, with images as the bytes at their paths. */
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
/** More than were made: what is not there must not be there in the copy either. */
const each = (noun: string, ids: number, rests: string[]) =>
  Array.from({ length: ids }, (_, at) => rests.map((rest) => `/api/${noun}/${at + 1}${rest}`)).flat();

const paths = [
  ...lists,
  ...each('photos', 8, ofPhoto),
  ...each('albums', 5, ofAlbum),
  ...each('users', 4, ofUser),
];

/** Walks as the owner, a stranger, an admin and a visitor, through links and images too. */
export async function walk(gallery: Gallery, contents: Contents): Promise<Walk> {
  const seen: Walk = new Map();
  const images = new Set<string>();
  const people = [contents.owner, contents.stranger, contents.admin].map((one) =>
    replaceAddresses(gallery, one),
  );
  for (const one of [...people, createVisitor(gallery)]) {
    for (const path of paths) {
      const { status, body, bytes } = await one.get(path);
      // Views are written a moment later, and lists show what is written.
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

/** The same person, with the same token, at another server. */
export function replaceAddresses(gallery: Gallery, { name, token, id }: Person): Person {
  return createPerson(gallery, name, token, id);
}

async function walkShares(gallery: Gallery, { locked, open }: Contents, seen: Walk): Promise<void> {
  const visitor = createVisitor(gallery);
  seen.set('open link', unsigned(JSON.stringify((await visitor.get(`/api/shares/${open}`)).body)));
  const { body } = await visitor.post(`/api/shares/${locked}/unlock`, { password: sharePassword });
  assert.equal(body.code, 0, JSON.stringify(body));
  const inside = await visitor.get(`/api/shares/${locked}?access=${encodeURIComponent(body.data.access)}`);
  seen.set('locked link', unsigned(JSON.stringify(inside.body)));
}

/** By the very paths that were handed out, signatures included. */
export async function walkImages(gallery: Gallery, images: Iterable<string>, seen: Walk): Promise<void> {
  for (const image of images) {
    const { status, bytes } = await createVisitor(gallery).get(image);
    assert.equal(status, 200, image);
    seen.set(unsigned(image), bytes.toString('base64'));
  }
}

/** Signatures change with the hour. */
function unsigned(text: string): string {
  return text.replaceAll(/\?(?:[a-z]+=[\w.-]+&?)+/g, '').replaceAll(/"access":"[^"]*"/g, '');
}

export function assertSame(found: Walk, expected: Walk): void {
  assert.deepEqual([...found.keys()].sort(), [...expected.keys()].sort());
  for (const [what, answer] of expected) assert.equal(found.get(what), answer, what);
}
