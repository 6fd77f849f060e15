/**
 * Alternative spellings of a request path, and a check that no spelling gives more access than the plain
 * path.
 */
import assert from 'node:assert/strict';
import contract from '../../../openapi.json' with { type: 'json' };
import { type Gallery, startGallery } from '../../support/harness.ts';
import { addAlbum, addPhoto, type GalleryUrl, type Person, register } from '../../support/people.ts';
import { createRequestHead, exchangeRaw, type RawAnswer } from '../../support/raw.ts';

export interface Operation {
  method: string;
  path: string;
}

/** A gallery with data that a stranger may not have, and the API operations that request the data. */
export interface Guarded {
  gallery: Gallery;
  owner: Person;
  stranger: Person;
  operations: Operation[];
}

export async function startGuarded(): Promise<Guarded> {
  const gallery = await startGallery();
  const [owner, stranger] = [await register(gallery, 'owner'), await register(gallery, 'stranger')];
  const { id, path } = await addPhoto(owner, { is_public: '0' });
  const album = await addAlbum(owner, 'Private', { isPublic: false });
  const secret = { type: 'link', password: 'secret enough' };
  const { body } = await owner.post(`/api/photos/${id}/share`, secret);
  const token = body.data.url.split('/').at(-1);
  const name = path.split('?')[0]!.split('/').at(-1)!;
  const fill = (template: string, method: string) =>
    template
      .replace('{share}', method === 'get' ? token : '1')
      .replace('{token}', token)
      .replace('{name}', name)
      .replace('{delivery_id}', '1')
      .replace(
        '{id}',
        template.includes('/albums/') ? `${album}` : template.includes('/users/') ? `${owner.id}` : `${id}`,
      );
  const operations = Object.entries(contract.paths).flatMap(([template, item]) =>
    Object.keys(item).map((method) => ({ method: method.toUpperCase(), path: fill(template, method) })),
  );
  return { gallery, owner, stranger, operations };
}

const hex = (text: string) =>
  [...text].map((letter) => `%${letter.charCodeAt(0).toString(16).padStart(2, '0')}`).join('');

/**
 * Returns spellings of a path: `/api/photos` as `/%61pi/photos`, `http://x/api/photos`, `/./api/photos` and
 * so on.
 */
export function listSpellings(path: string): string[] {
  const [, first, ...others] = path.split('/') as [string, string, ...string[]];
  const rest = others.map((part) => `/${part}`).join('');
  return [
    `/${hex(first[0]!)}${first.slice(1)}${rest}`,
    `/${first.slice(0, -1)}${hex(first.at(-1)!).toUpperCase()}${rest}`,
    `/${hex(first)}${others.map((part) => `/${hex(part)}`).join('')}`,
    `/${first}${others.map((part) => `/${hex(part[0] ?? '')}${part.slice(1)}`).join('')}`,
    `/${hex(hex(first[0]!)[0]!)}${hex(first[0]!).slice(1)}${first.slice(1)}${rest}`,
    `http://x${path}`,
    `https://x:99${path}`,
    `HTTP://x/${hex(first)}${rest}`,
    `http:/${path}`,
    `//${path.slice(1)}`,
    `/${first}/${rest}`,
    `/.${path}`,
    `/x/..${path}`,
    `/${first}/.${rest}`,
    `/%2e${path}`,
    `/%2f${path.slice(1)}`,
    `/${first.toUpperCase()}${rest}`,
    `/${first[0]!.toUpperCase()}${first.slice(1)}${rest}`,
    `${path}/`,
    `${path};x=1`,
    `${path}%00`,
    `${path}#x`,
    path.slice(1),
  ];
}

export const asAnonymous: Record<string, string> = {};
export const asUser = ({ token }: Person): Record<string, string> => ({ Authorization: `Bearer ${token}` });

/**
 * Sends each operation with the plain path and with every spelling. No spelling may succeed where the plain
 * path fails, or fail with a weaker error.
 */
export async function assertNeverMore(
  place: GalleryUrl,
  operations: Operation[],
  headers: Record<string, string>,
): Promise<void> {
  for (const { method, path } of operations) {
    for (const asked of method === 'GET' ? ['GET', 'HEAD'] : [method]) {
      const plain = await ask(place, asked, path, headers);
      assert.notEqual(plain.status, 0, `${asked} ${path} is answered`);
      const spelled = await Promise.all(
        listSpellings(path).map(async (target) => ({
          target,
          answer: await ask(place, asked, target, headers),
        })),
      );
      for (const { target, answer } of spelled) {
        const isSame = answer.status === plain.status && answer.body.code === plain.body.code;
        // A spelling with `api` as its host leads to a page: the response must be that page, without data of
        // the API.
        if (target === `http:/${path}` && isPage(answer)) {
          const page = await ask(place, asked, new URL(target).pathname, headers);
          assert.deepEqual([answer.status, isPage(page)], [page.status, true], target);
          continue;
        }
        const isRefused = answer.status >= 300 && answer.status < 500;
        assert.ok(isSame || isRefused, `${asked} ${target}: ${answer.status}, ${path}: ${plain.status}`);
        if (!isSame) assert.equal(answer.body.data, undefined, target);
      }
    }
  }
}

export function ask(
  place: GalleryUrl,
  method: string,
  target: string,
  headers: Record<string, string> = {},
): Promise<RawAnswer> {
  const hasBody = method !== 'GET' && method !== 'HEAD';
  return exchangeRaw(
    place,
    createRequestHead(method, target, { ...(hasBody && { 'Content-Length': 0 }), ...headers }),
  );
}

function isPage({ headers }: RawAnswer): boolean {
  return headers.get('content-type')?.startsWith('text/html') === true;
}
