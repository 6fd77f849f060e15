/** Creates albums for the folders of an import. An existing album with the same name and parent is reused. */
import type { Deps } from '../../../deps.ts';
import { createAlbum } from '../../../gallery/albums/create.ts';
import { updateAlbum } from '../../../gallery/albums/update.ts';
import type { Viewer } from '../../../gallery/identity/viewer.ts';
import { maxAlbumDepth } from '../../../gallery/library/tree.ts';
import { findDuplicatePhoto } from '../../../gallery/photos/upload/same-original.ts';
import { ApiError } from '../../../platform/errors/catalogue.ts';
import { createSchemaCheck } from '../../../platform/http/validation.ts';
import { AlbumJson, albumFileName, parseExportTime } from '../schema.ts';
import { createReferenceImporter } from './references.ts';
import { createRuleImporter } from './rules.ts';
import { chooseAlbumName, parseObject } from './sidecar.ts';
import type { ImportSource } from './source.ts';
import { type FoundFolder, NotAFile } from './walk.ts';

const checkAlbumFile = createSchemaCheck(AlbumJson);

export interface ImportAlbumOptions {
  source: ImportSource;
  /** Names of the albums that contain all imported albums, from the top. */
  above: string[];
  isPrivate: boolean;
  isDryRun: boolean;
}

export type AlbumImporter = ReturnType<typeof createAlbumImporter>;

export function createAlbumImporter(deps: Deps, viewer: Viewer, options: ImportAlbumOptions) {
  const known = new Map<string, Promise<number>>();
  const covers = new Map<number, string>();
  /** Ids of imported albums by the albums' ids in the export. */
  const idsByExported = new Map<number, number>();
  const rules = createRuleImporter(deps, viewer, idsByExported);
  const references = createReferenceImporter(deps, viewer);
  let made = 0;

  function albumAt(path: string[]): Promise<number> {
    const key = path.join('\0');
    const before = known.get(key);
    if (before) return before;
    const album = findOrMake(path);
    known.set(key, album);
    // After a failure, the next caller tries to create the album again.
    album.catch(() => known.delete(key));
    return album;
  }

  async function findOrMake(path: string[]): Promise<number> {
    const parentId = path.length > 1 ? await albumAt(path.slice(0, -1)) : null;
    const depth = path.length - options.above.length;
    const folder = path.slice(options.above.length);
    const told = depth > 0 ? await readAlbumFile(options.source, folder) : undefined;
    const name = told?.name ?? chooseAlbumName(path.at(-1)!);
    const createTime = told && parseExportTime(told.create_time);
    const rule = told?.rule ? rules.atFirst(told.rule) : undefined;
    const isSmart = rule !== undefined;
    const found = await findAlbum(deps, viewer.id, { name, parentId, createTime, isSmart });
    if (found && told?.id !== undefined) idsByExported.set(told.id, found.id);
    if (found && told) rules.add(told, found.id, found.rule);
    if (found) return found.id;
    const album = {
      name,
      description: told?.description ?? '',
      parent_id: parentId,
      visibility: options.isPrivate
        ? ('private' as const)
        : (told?.visibility ?? (told?.is_public === 0 ? 'private' : 'public')),
      rule,
    };
    const id = await createAlbum(deps, viewer, album, createTime);
    made++;
    if (told?.id !== undefined) idsByExported.set(told.id, id);
    if (told) rules.add(told, id, rule ?? null);
    if (told?.cover_sha256) covers.set(id, told.cover_sha256);
    return id;
  }

  return {
    get made() {
      return made;
    },
    /**
     * Returns the id of a folder's album, or undefined for the top folder and in a dry run. Folders below the maximum
     * depth belong to the deepest album. Throws invalid if `album.json` does not match the schema.
     */
    async of({ path }: Pick<FoundFolder, 'path'>): Promise<number | undefined> {
      const whole = [...options.above, ...path].slice(0, maxAlbumDepth);
      return whole.length === 0 || options.isDryRun ? undefined : albumAt(whole);
    },
    references,
    /** Sets the references, the rules and the covers of albums, after all photos and albums exist. */
    async finish(): Promise<void> {
      await references.set(idsByExported);
      await rules.set();
      for (const [id, sha256] of covers) await setCover(deps, viewer, id, sha256);
    },
  };
}

/**
 * Reads the `album.json` of a folder. Returns undefined if no such file exists, if another program wrote the file, or
 * if the name belongs to a folder or link.
 */
async function readAlbumFile(source: ImportSource, folder: string[]): Promise<AlbumJson | undefined> {
  const bytes = await source.bytes([...folder, albumFileName]).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error instanceof NotAFile) return undefined;
    throw error;
  });
  const value = bytes && parseObject(bytes);
  return value?.schema === 'lightwell-album' ? checkAlbumFile(value) : undefined;
}

interface AlbumToFind {
  name: string;
  parentId: number | null;
  /** Creation time from the export, which distinguishes albums with the same name. */
  createTime: number | undefined;
  /** True to find a smart album, and false to find an ordinary one, which folders with files need. */
  isSmart: boolean;
}

async function findAlbum({ db }: Deps, userId: number, { name, parentId, createTime, isSmart }: AlbumToFind) {
  return db.kysely
    .selectFrom('albums')
    .select(['id', 'rule'])
    .where('user_id', '=', userId)
    .where('parent_id', parentId === null ? 'is' : '=', parentId)
    .where('name', '=', name)
    .where('rule', isSmart ? 'is not' : 'is', null)
    .$if(createTime !== undefined, (query) => query.where('create_time', '=', createTime!))
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
}

/**
 * Sets the cover of an album. If the cover photo is missing or not in the album, the album keeps its newest photo as
 * the cover.
 */
async function setCover(deps: Deps, viewer: Viewer, id: number, sha256: string): Promise<void> {
  const cover = await findDuplicatePhoto(deps, viewer.id, sha256);
  if (!cover) return;
  await updateAlbum(deps, viewer, id, { cover_id: cover.id }).catch((error: unknown) => {
    if (!(error instanceof ApiError) || error.status >= 500) throw error;
  });
}
