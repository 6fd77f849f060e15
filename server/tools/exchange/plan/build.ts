/** Decides what becomes of each file of a folder. Each file gets exactly one place in the plan. */
import { createAlbumCollector } from './albums.ts';
import { listReplacedFiles } from './gallery-folders.ts';
import type { ICloudTables } from './icloud.ts';
import type { FolderFindings } from './inspect-folder.ts';
import { isSystemName, isVideoName, refuseByName } from './kinds.ts';
import { avatarFileName, unreadExportFiles } from './lightwell.ts';
import { append } from './match-json.ts';
import type { ImportPlan, OtherOutcome, PlannedPhoto } from './planned.ts';
import type { FolderRole } from './roles.ts';
import { foldName, getFileName, type SourceFile, type SourceFolder, splitExtension } from './source-file.ts';

interface PlanBuilderOptions {
  maxDepth: number;
  icloud: ICloudTables;
  findings: Map<SourceFolder, FolderFindings>;
}

export function createPlanBuilder({ maxDepth, icloud, findings }: PlanBuilderOptions) {
  const collector = createAlbumCollector(maxDepth, findings);
  const plan: ImportPlan = {
    photos: [],
    albums: collector.albums,
    others: [],
    apart: [],
    account: undefined,
    avatar: undefined,
  };
  /** Photos of iCloud by their names, which its albums list. */
  const photosByName = new Map<string, PlannedPhoto[]>();

  return {
    addFolder(folder: SourceFolder, role: FolderRole): void {
      const found = role.ignored === undefined ? findings.get(folder) : undefined;
      for (const file of folder.files) addUnreadable(file, role, found);
      if (!found) return;
      addLightwellFiles(found);
      addMedia(folder, role, found);
      addSidecars(found);
      if (found.lightwell.has('album')) collector.findOrAddFolder(role.albums);
    },
    /** Adds the albums of iCloud. Throws if a file of the sources is missing from the plan, or is in it twice. */
    finish(fileCount: number): ImportPlan {
      for (const { name, names } of icloud.albums) addICloudAlbum(name, names);
      const planned = plan.photos.length + plan.others.length;
      if (planned !== fileCount) throw new Error(`The plan has ${planned} of ${fileCount} files`);
      return plan;
    },
  };

  function addOther(file: SourceFile, outcome: OtherOutcome, reason: string, describes?: SourceFile): void {
    plan.others.push({ file, outcome, reason, ...(describes && { describes }) });
  }

  /** Adds files that no other part of the plan looks at. */
  function addUnreadable(file: SourceFile, role: FolderRole, found: FolderFindings | undefined): void {
    if (role.ignored) addOther(file, 'ignored', role.ignored);
    else if (isSystemName(getFileName(file))) addOther(file, 'ignored', 'A file of the system');
    else if (file.obstacle) addOther(file, file.obstacle.outcome, file.obstacle.reason);
    else if (!found) addOther(file, 'ignored', 'A folder of the system');
  }

  function addLightwellFiles({ lightwell }: FolderFindings): void {
    plan.account ??= lightwell.get('account');
    for (const [kind, file] of lightwell) {
      addOther(file, kind === 'album' ? 'album' : 'sidecar', `Describes the ${kind}`);
    }
  }

  function addMedia(folder: SourceFolder, role: FolderRole, found: FolderFindings): void {
    const isExport = found.lightwell.has('account') || found.lightwell.has('export');
    const replaced = new Set(listReplacedFiles(folder));
    for (const file of found.media) {
      const name = getFileName(file);
      if (icloud.files.has(file)) addOther(file, 'sidecar', 'Describes the photos or an album of iCloud');
      else if (icloud.memories.has(file)) addOther(file, 'ignored', 'A memory that iCloud created');
      else if (isExport && unreadExportFiles.test(name))
        addOther(file, 'ignored', 'An import does not read this list');
      else if (name === avatarFileName) addAvatar(file);
      else if (replaced.has(file)) addOther(file, 'ignored', 'A smaller copy of the file in pwg_high');
      else addPhotoOrRefusal(file, role, found, folder);
    }
  }

  function addAvatar(file: SourceFile): void {
    plan.avatar ??= file;
    addOther(file, 'sidecar', 'The picture of the account');
  }

  function addPhotoOrRefusal(
    file: SourceFile,
    role: FolderRole,
    found: FolderFindings,
    folder: SourceFolder,
  ): void {
    const name = getFileName(file);
    const photo = isVideoName(name) ? findLivePhoto(file, found) : undefined;
    const refusal = refuseByName(name);
    if (photo) addOther(file, 'ignored', 'The film of a live photo', photo);
    else if (/\.aae$/i.test(name)) addOther(file, 'ignored', 'Edits that only Apple Photos can apply');
    else if (/^archive_browser\.html$/i.test(name))
      addOther(file, 'ignored', 'The page of contents of Takeout');
    else if (refusal) addOther(file, 'refused', refusal);
    else addPhoto(file, role, found, folder);
  }

  function addPhoto(file: SourceFile, role: FolderRole, found: FolderFindings, folder: SourceFolder): void {
    const album = collector.findOrAddFolder(role.albums);
    const match = found.json.byMedia.get(file);
    const name = foldName(getFileName(file));
    const facts = icloud.facts.get(folder)?.get(name);
    const photo: PlannedPhoto = {
      file,
      albums: album === undefined ? [] : [collector.addPhoto(album)],
      json: match?.json,
      isJsonOfOriginal: match?.isOfOriginal ?? false,
      xmp: found.xmp.byMedia.get(file),
      icloud: facts,
      isTrashed: role.isTrash,
    };
    plan.photos.push(photo);
    if (icloud.albums.length > 0) append(photosByName, name, photo);
  }

  function addSidecars(found: FolderFindings): void {
    const described = new Map<SourceFile, SourceFile>();
    for (const [file, match] of found.json.byMedia) if (!match.isOfOriginal) described.set(match.json, file);
    for (const [file, xmp] of found.xmp.byMedia) described.set(xmp, file);
    const unmatched = new Set([...found.json.unmatched, ...found.xmp.unmatched]);
    for (const file of found.sidecars) {
      const photo = described.get(file);
      const version = found.xmp.versions.get(file);
      if (photo) addOther(file, 'sidecar', '', photo);
      else if (file === found.takeoutAlbum?.file) addOther(file, 'album', 'Describes the album');
      else if (version) addOther(file, 'ignored', 'A further version of the photo in darktable', version);
      else if (unmatched.has(file)) addOther(file, 'ignored', 'Describes no photo of the source');
      else addOther(file, 'ignored', 'Another file describes the same');
      if (found.apart.has(file)) plan.apart.push(plan.others.at(-1)!);
    }
  }

  function addICloudAlbum(name: string, names: string[]): void {
    const photos = names.flatMap((each) => photosByName.get(each) ?? []);
    if (photos.length === 0) return;
    const album = collector.findOrAddNamed(name);
    for (const photo of photos) photo.albums.push(collector.addPhoto(album));
  }
}

/** Returns the photo that a film belongs to: `IMG_1.HEIC` of `IMG_1.MOV`, `IMG_1.MP.jpg` of `IMG_1.MP`. */
function findLivePhoto(video: SourceFile, { index }: FolderFindings): SourceFile | undefined {
  const name = foldName(getFileName(video));
  const near = [...(index.byStem.get(splitExtension(name).stem) ?? []), ...(index.byStem.get(name) ?? [])];
  return near.find((file) => file !== video && !refuseByName(getFileName(file)));
}
