/** Files that another app shared with the gallery. The service worker stores them until a signed-in page uploads them. */

import { useRouterState } from '@tanstack/react-router';

/** The cache of `server/gallery/pages/service-worker.js`. */
const cacheName = 'lightwell-shared';

/** Returns whether another app opened the page to share files. */
export const useIsOpenedToShare = (): boolean =>
  useRouterState({ select: ({ location }) => 'shared' in location.search });

/** Reads the shared files in their order. */
export async function readSharedFiles(): Promise<File[]> {
  if (!('caches' in window) || !(await caches.has(cacheName))) return [];
  const cache = await caches.open(cacheName);
  const responses = await cache.matchAll();
  return Promise.all(responses.map(createFile));
}

async function createFile(response: Response): Promise<File> {
  const { headers } = response;
  const type = headers.get('Content-Type') ?? '';
  return new File([await response.blob()], decodeURIComponent(headers.get('X-Name') ?? ''), { type });
}

/** Deletes the shared files, after their upload has begun and when the user signs out. */
export function deleteSharedFiles(): void {
  if ('caches' in window) void caches.delete(cacheName);
}
