/** Changes many photos, in batches of the API's maximum size. */
import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { callApi } from '../api/client.ts';
import type { BatchOutcome, PagedResponse, PhotoItem } from '../api/types.ts';
import { userQuery } from '../auth/queries.ts';
import type { BulkPhotoChange } from '../photos/bulk-actions.ts';

const batchSize = 100;
/** Maximum number of photos with a tag that are read for undo; with more photos, tagging cannot be undone. */
const maxTagged = 1000;

/**
 * Changes photos batch by batch. Throws ApiError if a batch fails; `onProgress` has received the results so
 * far.
 */
export async function changePhotosInBatches(
  ids: number[],
  change: BulkPhotoChange,
  onProgress: (done: BatchOutcome) => void,
): Promise<BatchOutcome> {
  const all: BatchOutcome = { success: [], failed: [] };
  for (let at = 0; at < ids.length; at += batchSize) {
    const body = { ...change, ids: ids.slice(at, at + batchSize) };
    const { success, failed } = await callApi<BatchOutcome>('POST', '/api/photos/batch', { body });
    all.success.push(...success);
    all.failed.push(...failed);
    onProgress(all);
  }
  return all;
}

/** Creates a ZIP link that is valid for a few minutes. */
export function createZipLink(ids: number[]): Promise<{ url: string }> {
  return callApi('POST', '/api/photos/archive', { body: { ids } });
}

/** Returns the ids of the user's photos with a tag, or undefined if there are too many. */
export async function fetchTaggedPhotoIds(user: number, tag: string): Promise<Set<number> | undefined> {
  const ids = new Set<number>();
  for (let page = 1; ; page++) {
    const query = { user_id: user, tag, page, limit: batchSize };
    const { list, pagination } = await callApi<PagedResponse<PhotoItem>>('GET', '/api/photos', { query });
    if (pagination.total > maxTagged) return undefined;
    for (const { id } of list) ids.add(id);
    if (page >= pagination.pages) return ids;
  }
}

export const userTagsQuery = (user: number) =>
  queryOptions({
    queryKey: ['tags', user],
    queryFn: ({ signal }) =>
      callApi<PagedResponse<{ name: string }>>('GET', '/api/tags', { query: { limit: batchSize }, signal }),
  });

/** Marks cached data other than photo lists as stale after a change. */
export function invalidateAffectedQueries(client: QueryClient, { action }: BulkPhotoChange): void {
  if (action === 'favorite' || action === 'unfavorite') return;
  void client.invalidateQueries({ queryKey: ['photos', 'one'] });
  void client.invalidateQueries({ queryKey: ['albums'] });
  // Profiles show a number of photos.
  void client.invalidateQueries({ queryKey: ['people'] });
  if (action === 'purge') void client.invalidateQueries(userQuery);
  if (action === 'tag' || action === 'untag') void client.invalidateQueries({ queryKey: ['tags'] });
}

/** Deletes the photos in the trash batch by batch. Resolves with deleted photos and failures. */
export async function emptyTrash(onProgress: (deleted: number) => void): Promise<BatchOutcome> {
  const all: BatchOutcome = { success: [], failed: [] };
  for (;;) {
    // Photos that cannot be deleted stay on the first pages of the trash.
    const query = { page: Math.floor(all.failed.length / batchSize) + 1, limit: batchSize };
    const { list } = await callApi<PagedResponse<PhotoItem>>('GET', '/api/trash', { query, urgency: 'act' });
    const known = new Set(all.failed.map(({ id }) => id));
    const ids = list.map(({ id }) => id).filter((id) => !known.has(id));
    if (ids.length === 0) return all;
    const { success, failed } = await changePhotosInBatches(ids, { action: 'purge' }, () => {});
    all.success.push(...success);
    all.failed.push(...failed);
    onProgress(all.success.length);
  }
}
