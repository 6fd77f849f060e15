/** Rules of smart albums that name albums: the ids in them are those of the gallery that was exported. */
import type { Deps } from '../../../deps.ts';
import { updateAlbum } from '../../../gallery/albums/update.ts';
import type { Viewer } from '../../../gallery/identity/viewer.ts';
import { withAlbums } from '../../../gallery/photos/query/parse.ts';
import { ApiError } from '../../../platform/errors/catalogue.ts';
import type { AlbumFile } from '../schema.ts';

/** The longest id that a query takes: of no album. */
const unknown = 999_999_999_999_999;

export function createRules(deps: Deps, viewer: Viewer) {
  /** The id in the export → the id here. */
  const ids = new Map<number, number>();
  /** Id here → the rule as it was exported. */
  const waiting = new Map<number, string>();

  return {
    /** What an album is made with: which ids the others get is not known yet. */
    atFirst: (rule: string) => withAlbums(rule, () => unknown),
    /** An album that is there now; `rule`: its own here. */
    note({ id: exported, rule }: AlbumFile, id: number, now: string | null): void {
      if (exported !== undefined) ids.set(exported, id);
      if (rule && now !== rule && now === this.atFirst(rule)) waiting.set(id, rule);
    },
    /** When all albums are there. What was not exported stays unknown. */
    async set(): Promise<void> {
      for (const [id, exported] of waiting) {
        const rule = withAlbums(exported, (album) => ids.get(album) ?? unknown);
        await updateAlbum(deps, viewer, id, { rule }).catch(ignoreRefusal);
      }
    },
  };
}

/** Its owner has deleted it meanwhile. */
function ignoreRefusal(error: unknown): void {
  if (!(error instanceof ApiError) || error.status >= 500) throw error;
}
