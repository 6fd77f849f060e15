/** The photo detail: one query, one view counted. */
import type { Viewer } from '../auth/viewer.ts';
import type { Deps } from '../deps.ts';
import { errors } from '../http/errors.ts';
import { canSee } from './permissions.ts';
import { presentPhoto, signerFor } from './present.ts';
import type { Photo } from './schema.ts';
import { prepareDetail } from './store.ts';

/** Throws 20003 or 20004. */
export type ReadDetail = (viewer: Viewer | undefined, id: number) => Promise<Photo>;

export function createReadDetail(deps: Deps): ReadDetail {
  const find = prepareDetail(deps);
  return async (viewer, id) => {
    const [row] = await find({ id, viewer: viewer?.id ?? 0 });
    if (!row || row.visibility === 0) throw errors.photoNotFound();
    if (!canSee(viewer, row)) throw errors.photoForbidden();
    const before = deps.counters.pending(id);
    await deps.counters.count(id, 'views');
    const counts = { ...before, views: before.views + 1 };
    return presentPhoto(row, counts, signerFor(deps, viewer));
  };
}
