/**
 * The load of a gallery in use: a hundred signed-in readers, each on different pages. Every fifth request is
 * a detail, which counts a view. Twenty likes a second arrive at the same time.
 */
import type { CreateRequest } from './burst.ts';

const readers = 100;
const likesPerSecond = 20;
const perPage = 20;
const deepestPage = 90;

/** Session tokens of users 102 to 201, who have photos, some of them private. */
export const tokens = Array.from({ length: readers }, (_, n) => `mixed${n}`.padStart(43, '0'));
export const readerId = (n: number) => 102 + n;

export interface MixedLoad {
  /** Requests for as many connections as there are readers. */
  createRequest: CreateRequest;
  /** Returns the path of a list page, from the range of pages that readers open. */
  pageOf(n: number): string;
  /** Starts sending likes; their CPU counts as part of the reads. */
  startLikes(url: string): { stop(): Promise<void> };
}

/** `photos` is the number of public photos. `detailPath` returns the path of one of them for any number. */
export function createMixedLoad(photos: number, detailPath: (n: number) => string): MixedLoad {
  const pages = Math.max(1, Math.min(deepestPage, Math.floor(photos / perPage)));
  const pagePath = (n: number) => `/api/photos?page=${1 + (n % pages)}`;
  let liked = 0;
  return {
    pageOf: pagePath,
    /** Each reader requests other pages than the other readers. */
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
  // A busy machine may be too slow for all likes, and refuse some with 503.
  if (!response.ok && response.status !== 503) throw new Error(`a like was answered ${response.status}`);
}
