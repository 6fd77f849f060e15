/** Changes of many photos: in batches, as many as the API takes at once. */
import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { callApi } from '../api/client.ts';
import type { Album, Outcome, PagedResponse, PhotoItem } from '../api/types.ts';
import type { BatchChange } from '../photos/actions.ts';

const batchSize = 100;
/** Of photos that have a tag already, read so that adding it can be undone. */
const maxTagged = 1000;

/** Throws ApiError where a whole batch fails; what was done before stands in `onProgress`. */
export async function changeInBatches(
  ids: number[],
  change: BatchChange,
  onProgress: (done: Outcome) => void,
): Promise<Outcome> {
  const all: Outcome = { success: [], failed: [] };
  for (let at = 0; at < ids.length; at += batchSize) {
    const body = { ...change, ids: ids.slice(at, at + batchSize) };
    const { success, failed } = await callApi<Outcome>('POST', '/api/photos/batch', { body });
    all.success.push(...success);
    all.failed.push(...failed);
    onProgress(all);
  }
  return all;
}

/** A link that is good for some minutes. */
export function createArchive(ids: number[]): Promise<{ url: string }> {
  return callApi('POST', '/api/photos/archive', { body: { ids } });
}

export function createAlbum(name: string): Promise<Album> {
  return callApi('POST', '/api/albums', { body: { name } });
}

/** The user's photos with a tag; undefined where they are more than can be looked at. */
export async function fetchTaggedIds(user: number, tag: string): Promise<Set<number> | undefined> {
  const ids = new Set<number>();
  for (let page = 1; ; page++) {
    const query = { user_id: user, tag, page, limit: batchSize };
    const { list, pagination } = await callApi<PagedResponse<PhotoItem>>('GET', '/api/photos', { query });
    if (pagination.total > maxTagged) return undefined;
    for (const { id } of list) ids.add(id);
    if (page >= pagination.pages) return ids;
  }
}

export const ownTagsQuery = (user: number) =>
  queryOptions({
    queryKey: ['tags', user],
    queryFn: ({ signal }) =>
      callApi<PagedResponse<{ name: string }>>('GET', '/api/tags', { query: { limit: batchSize }, signal }),
  });

/** What a change makes old beside the lists of photos. */
export function invalidateAffected(client: QueryClient, { action }: BatchChange): void {
  if (action === 'favorite' || action === 'unfavorite') return;
  void client.invalidateQueries({ queryKey: ['photos', 'one'] });
  void client.invalidateQueries({ queryKey: ['albums'] });
  if (action === 'tag' || action === 'untag') void client.invalidateQueries({ queryKey: ['tags'] });
}

/** Asks for the next photos in the trash until it is empty. Resolves with how many are left, and why. */
export async function emptyTrash(onProgress: (deleted: number) => void): Promise<Outcome> {
  const all: Outcome = { success: [], failed: [] };
  for (;;) {
    // Those that cannot be deleted stay at its beginning.
    const query = { page: Math.floor(all.failed.length / batchSize) + 1, limit: batchSize };
    const { list } = await callApi<PagedResponse<PhotoItem>>('GET', '/api/trash', { query, urgency: 'act' });
    const known = new Set(all.failed.map(({ id }) => id));
    const ids = list.map(({ id }) => id).filter((id) => !known.has(id));
    if (ids.length === 0) return all;
    const { success, failed } = await changeInBatches(ids, { action: 'purge' }, () => {});
    all.success.push(...success);
    all.failed.push(...failed);
    onProgress(all.success.length);
  }
}
