/**
 * A gallery in use: a hundred readers, each signed in and at pages of their own, every fifth request a detail that
 * counts a view, and twenty likes a second beside it.
 */
import type { CreateRequest } from './burst.ts';

const readers = 100;
const likesPerSecond = 20;
const perPage = 20;
const deepestPage = 90;

/** Of the users 102 to 201, who have photos of their own, some of them private. */
export const tokens = Array.from({ length: readers }, (_, n) => `mixed${n}`.padStart(43, '0'));
export const readerId = (n: number) => 102 + n;

export interface MixedLoad {
  /** For as many connections as there are readers. */
  createRequest: CreateRequest;
  /** Path of a list's page, of as many as are read. */
  pageOf(n: number): string;
  /** Their CPU counts as part of the reads'. */
  startLikes(url: string): { stop(): Promise<void> };
}

/** `photos`: how many everybody sees. `detailPath`: of any of those, for any number. */
export function createMixedLoad(photos: number, detailPath: (n: number) => string): MixedLoad {
  const pages = Math.max(1, Math.min(deepestPage, Math.floor(photos / perPage)));
  const pagePath = (n: number) => `/api/photos?page=${1 + (n % pages)}`;
  let liked = 0;
  return {
    pageOf: pagePath,
    /** Each reader goes on through pages of their own. */
    createRequest: (n, connection) => ({
      token: tokens[connection]!,
      path: n % 5 === 4 ? detailPath(n) : pagePath(connection + Math.floor(n / 100)),
    }),
    startLikes(url) {
      const underWay = new Set<Promise<void>>();
      const timer = setInterval(() => {
        const n = liked++;
        const work = like(url + detailPath(n), tokens[n % tokens.length]!).finally(() =>
          underWay.delete(work),
        );
        underWay.add(work);
      }, 1000 / likesPerSecond);
      return {
        async stop() {
          clearInterval(timer);
          await Promise.all(underWay);
        },
      };
    },
  };
}

async function like(photo: string, token: string): Promise<void> {
  const headers = { authorization: `Bearer ${token}` };
  const response = await fetch(`${photo}/like`, { method: 'POST', headers });
  await response.arrayBuffer();
  // A machine that does other things as well may be too slow for all of them.
  if (!response.ok && response.status !== 503) throw new Error(`a like was answered ${response.status}`);
}
