/** Creates the albums of an import when their first photo needs them. An existing album of the same name is reused. */
import type { Deps } from '../../../deps.ts';
import { createAlbum } from '../../../gallery/albums/create.ts';
import { updateAlbum } from '../../../gallery/albums/update.ts';
import type { Viewer } from '../../../gallery/identity/viewer.ts';
import { findDuplicatePhoto } from '../../../gallery/photos/upload/same-original.ts';
import { createSchemaCheck } from '../../../platform/http/validation.ts';
import type { ImportPlan, PlannedAlbum } from '../plan/plan.ts';
import type { ReadSmallFile } from '../plan/source-file.ts';
import { parseJsonObject } from '../plan/takeout-json.ts';
import { chooseAlbumName } from '../plan/text.ts';
import { AlbumJson, parseExportTime } from '../schema.ts';
import { createReferenceImporter } from './references.ts';
import { ignoreRefusal } from './refusals.ts';
import { createRuleImporter } from './rules.ts';

const checkAlbumFile = createSchemaCheck(AlbumJson);

export interface ImportAlbumOptions {
  plan: ImportPlan;
  read: ReadSmallFile;
  /** Names of the albums that contain all imported albums, from the top. */
  above: string[];
  /** Whether everything is private, also photos and albums of an export that were not. */
  isPrivate: boolean;
  /** Whether photos and albums of other programs are public. */
  isPublic: boolean;
  isDryRun: boolean;
}

export type AlbumImporter = ReturnType<typeof createAlbumImporter>;

export function createAlbumImporter(deps: Deps, viewer: Viewer, options: ImportAlbumOptions) {
  const { plan, above } = options;
  const known = new Map<number, Promise<number>>();
  const covers = new Map<number, string>();
  /** Ids of imported albums by the albums' ids in the export. */
  const idsByExported = new Map<number, number>();
  const rules = createRuleImporter(deps, viewer, idsByExported);
  const references = createReferenceImporter(deps, viewer);
  const defaultLevel = options.isPublic && !options.isPrivate ? ('public' as const) : ('private' as const);
  let made = 0;

  return {
    get made() {
      return made;
    },
    getId,
    /** Returns the id of the album that contains all imported photos, or undefined if there is none. */
    getIdAbove: () => (above.length === 0 ? Promise.resolve(undefined) : getId(-above.length)),
    references,
    /** Sets the references, the rules and the covers of albums, after all photos and albums exist. */
    async finish(): Promise<void> {
      await references.set(idsByExported);
      await rules.set();
      for (const [id, sha256] of covers) await setCover(deps, viewer, id, sha256);
    },
  };

  /**
   * Returns the id of an album of the plan. Negative indexes are the albums above: the last one of them is
   * `-above.length`. Throws invalid if `album.json` does not match the schema.
   */
  function getId(index: number): Promise<number> {
    const before = known.get(index);
    if (before) return before;
    const album = findOrMake(index);
    known.set(index, album);
    // After a failure, the next caller tries to create the album again.
    album.catch(() => known.delete(index));
    return album;
  }

  async function findOrMake(index: number): Promise<number> {
    const planned = plan.albums[index] ?? createAbove(-index - 1);
    const parent = planned.parent ?? (index >= 0 && above.length > 0 ? -above.length : undefined);
    const parentId = parent === undefined ? null : await getId(parent);
    const told = planned.json && (await readAlbumFile(planned.json, options.read));
    const name = told?.name ?? planned.name;
    const createTime = told && parseExportTime(told.create_time);
    const rule = told?.rule ? rules.atFirst(told.rule) : undefined;
    const wanted = { name, parentId, createTime, isSmart: rule !== undefined };
    const found = await findAlbum(deps, viewer.id, wanted);
    if (found && told?.id !== undefined) idsByExported.set(told.id, found.id);
    if (found && told) rules.add(told, found.id, found.rule);
    if (found) return found.id;
    const description = told?.description ?? planned.description;
    const album = { name, description, parent_id: parentId, visibility: chooseLevel(told), rule };
    const id = await createAlbum(deps, viewer, album, createTime);
    made++;
    if (told?.id !== undefined) idsByExported.set(told.id, id);
    if (told) rules.add(told, id, rule ?? null);
    if (told?.cover_sha256) covers.set(id, told.cover_sha256);
    return id;
  }

  function createAbove(at: number): PlannedAlbum {
    const parent = at === 0 ? undefined : -at;
    return { name: chooseAlbumName(above[at]!), description: '', parent, json: undefined, photos: 0 };
  }

  function chooseLevel(told: AlbumJson | undefined) {
    if (!told || options.isPrivate) return defaultLevel;
    return told.visibility ?? (told.is_public === 0 ? 'private' : 'public');
  }
}

/** Returns undefined if another program wrote the file. */
async function readAlbumFile(
  file: NonNullable<PlannedAlbum['json']>,
  read: ReadSmallFile,
): Promise<AlbumJson | undefined> {
  const value = parseJsonObject(await read(file));
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
  if (cover) await updateAlbum(deps, viewer, id, { cover_id: cover.id }).catch(ignoreRefusal);
}
