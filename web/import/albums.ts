/** Finds or creates the albums of a plan. An album of the same name in the same place is used again. */
import type { ImportPlan, PlannedAlbum } from '../../server/tools/exchange/plan/plan.ts';
import { foldName, type ReadSmallFile } from '../../server/tools/exchange/plan/source-file.ts';
import { parseJsonObject } from '../../server/tools/exchange/plan/takeout-json.ts';
import { cleanDescription } from '../../server/tools/exchange/plan/text.ts';
import { ApiError } from '../api/client.ts';
import type { VisibilityLevel } from '../api/types.ts';
import { chooseNarrowerLevel, visibilityLevels } from '../visibility/levels.ts';
import type { ImportCalls } from './queries.ts';

/** API code for an album nested deeper than eight levels. */
const tooDeepCode = 30003;

export type PlannedAlbums = ReturnType<typeof createPlannedAlbums>;

/** `base` is the album that the import puts everything into, or 0. */
export function createPlannedAlbums(options: {
  plan: Pick<ImportPlan, 'albums'>;
  read: ReadSmallFile;
  base: number;
  level: VisibilityLevel;
  calls: Pick<ImportCalls, 'listAlbums' | 'createAlbum'>;
}) {
  const { plan, read, base, level, calls } = options;
  const ids = new Map<number, Promise<number>>();
  const listed = new Map<number, Promise<Map<string, number>>>();

  /** Returns the id of the album with this index in the plan. Throws ApiError. */
  function ensure(index: number): Promise<number> {
    const known = ids.get(index);
    if (known) return known;
    const id = findOrCreate(plan.albums[index]!);
    ids.set(index, id);
    // A failed album is not cached, so the next photo tries again.
    id.catch(() => ids.delete(index));
    return id;
  }

  async function findOrCreate(album: PlannedAlbum): Promise<number> {
    const parent = album.parent === undefined ? base : await ensure(album.parent);
    const there = await listOnce(parent);
    const key = foldName(album.name);
    const found = there.get(key);
    if (found !== undefined) return found;
    try {
      const { id } = await calls.createAlbum({ ...(await describe(album)), parent_id: parent });
      there.set(key, id);
      return id;
    } catch (error) {
      if (error instanceof ApiError && error.code === tooDeepCode) return parent;
      throw error;
    }
  }

  /** The `album.json` of an export narrows the chosen level, and describes the album. */
  async function describe({ name, description, json }: PlannedAlbum) {
    const told = json && parseJsonObject(await read(json));
    const exported = visibilityLevels.find((one) => one === told?.visibility) ?? level;
    const text = typeof told?.description === 'string' ? cleanDescription(told.description) : description;
    return { name, description: text, visibility: chooseNarrowerLevel(level, exported) };
  }

  function listOnce(parent: number): Promise<Map<string, number>> {
    const known = listed.get(parent);
    if (known) return known;
    const list = calls
      .listAlbums(parent)
      .then((albums) => new Map(albums.map(({ id, name }) => [foldName(name), id])));
    listed.set(parent, list);
    list.catch(() => listed.delete(parent));
    return list;
  }

  return { ensure };
}
