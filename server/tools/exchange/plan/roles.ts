/** Decides what each folder of a source is: an album, a part of another program's store, or a folder of thumbnails. */
import type { FolderRules } from './folder-rules.ts';
import { assignGalleryRoles } from './gallery-folders.ts';
import type { FolderFindings } from './inspect-folder.ts';
import { isSystemName } from './kinds.ts';
import { trashFolderName } from './lightwell.ts';
import { listFolders, type SourceFolder } from './source-file.ts';

export interface FolderRole {
  /** Folders whose names form the albums of the photos in this folder, from the top. */
  albums: SourceFolder[];
  /** Reason why no file of this folder is imported, or undefined. */
  ignored: string | undefined;
  isTrash: boolean;
}

/** Returns the role of each folder. `rules` has the folders that another part of the plan has recognized. */
export function assignRoles(
  top: SourceFolder,
  rules: FolderRules,
  findings: Map<SourceFolder, FolderFindings>,
): Map<SourceFolder, FolderRole> {
  assignGalleryRoles(top, rules);
  assignExportRoles(rules, findings);
  const roles = new Map<SourceFolder, FolderRole>();
  for (const folder of listFolders(top)) roles.set(folder, createRole(folder, rules, roles));
  return roles;
}

/** The folders of an export of Lightwell are albums, whatever their names say. */
function assignExportRoles(rules: FolderRules, findings: Map<SourceFolder, FolderFindings>): void {
  for (const [folder, { lightwell }] of findings) {
    if (lightwell.has('album')) rules.delete(folder);
    const trash = lightwell.has('export') && folder.folders.get(trashFolderName);
    if (trash) rules.set(trash, { kind: 'no-album' });
  }
}

function createRole(
  folder: SourceFolder,
  rules: FolderRules,
  roles: Map<SourceFolder, FolderRole>,
): FolderRole {
  const above = folder.parent && roles.get(folder.parent);
  if (!above) return { albums: [], ignored: undefined, isTrash: false };
  if (above.ignored) return above;
  if (isSystemName(folder.name)) return { ...above, ignored: 'A folder of the system' };
  const rule = rules.get(folder);
  if (!rule) return { ...above, albums: [...above.albums, folder] };
  if (rule.kind === 'ignored') return { ...above, ignored: rule.reason };
  if (rule.kind === 'top') return { ...above, albums: [] };
  return { ...above, isTrash: above.isTrash || rule.kind === 'trash' };
}
