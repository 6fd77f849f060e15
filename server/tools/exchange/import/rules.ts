/**
 * Restores the rules of smart albums. Album ids in a rule belong to the exported gallery and are replaced by the new
 * ids.
 */
import type { Deps } from '../../../deps.ts';
import { updateAlbum } from '../../../gallery/albums/update.ts';
import type { Viewer } from '../../../gallery/identity/viewer.ts';
import { replaceAlbumIds } from '../../../gallery/photos/query/parse.ts';
import type { AlbumJson } from '../schema.ts';
import { ignoreRefusal } from './refusals.ts';

/** The largest album id that a search query accepts. No album has this id, so the rule finds nothing there. */
const unknownId = 999_999_999_999_999;

/** `ids` has the ids of imported albums by the albums' ids in the export. */
export function createRuleImporter(deps: Deps, viewer: Viewer, ids: Map<number, number>) {
  /** Exported rules of smart albums that are not restored yet, by the ids of the imported albums. */
  const waiting = new Map<number, string>();

  return {
    /** Returns the rule that an album gets first, before the new ids of other albums are known. */
    atFirst: (rule: string) => replaceAlbumIds(rule, () => unknownId),
    /** Records that an album of the export exists in this gallery. `now` is the album's current rule. */
    add({ rule }: AlbumJson, id: number, now: string | null): void {
      if (rule && now !== rule && now === this.atFirst(rule)) waiting.set(id, rule);
    },
    /** Sets the final rules after all albums exist. Albums that were not exported keep the unknown id. */
    async set(): Promise<void> {
      for (const [id, exported] of waiting) {
        const rule = replaceAlbumIds(exported, (album) => ids.get(album) ?? unknownId);
        await updateAlbum(deps, viewer, id, { rule }).catch(ignoreRefusal);
      }
    },
  };
}
