/**
 * The plan of an import: what becomes of each file of the sources. The command line and the browser make the same plan,
 * so no module of this folder uses an interface of Node. Names alone decide most of the plan; only JSON and CSV files
 * are read. Takeout, Immich, Lychee, Piwigo, iCloud and exports of Lightwell are recognized by their folders.
 *
 * 1. List all files of all sources, also hidden ones, as `SourceFile[]`.
 * 2. `planImport(files, read)` returns photos, albums and all other files. Each file is in the plan exactly once.
 * 3. For each photo, `readPhotoFacts(photo, read)` reads what its sidecars say.
 * 4. `createReceipt(plan)` collects what became of each file, and checks that the sums add up.
 */

import { createPlanBuilder } from './build.ts';
import type { FolderRules } from './folder-rules.ts';
import { readICloudTables } from './icloud.ts';
import { type FolderFindings, inspectFolder } from './inspect-folder.ts';
import { isSystemName } from './kinds.ts';
import type { ImportPlan } from './planned.ts';
import { assignRoles } from './roles.ts';
import {
  buildFolderTree,
  listFolders,
  type ReadSmallFile,
  type SourceFile,
  type SourceFolder,
} from './source-file.ts';
import { assignTakeoutRules, mergeTakeouts, shareTakeoutJson } from './takeout/rules.ts';

export type {
  AlbumPlace,
  ImportPlan,
  OtherOutcome,
  PlannedAlbum,
  PlannedFile,
  PlannedPhoto,
} from './planned.ts';

export interface PlanOptions {
  /** Maximum depth of albums. The photos of deeper folders are in the deepest album. */
  maxDepth?: number;
}

/** Default of `maxDepth`, the depth that the API accepts. */
const maxAlbumDepth = 8;

export async function planImport(
  files: SourceFile[],
  read: ReadSmallFile,
  { maxDepth = maxAlbumDepth }: PlanOptions = {},
): Promise<ImportPlan> {
  const top = buildFolderTree(files);
  const takeouts = mergeTakeouts(top);
  const findings = new Map<SourceFolder, FolderFindings>();
  for (const folder of listFolders(top)) {
    if (!isSystemName(folder.name)) findings.set(folder, await inspectFolder(folder, read));
  }
  for (const takeout of takeouts) shareTakeoutJson(takeout, findings);
  const icloud = await readICloudTables(top, read);
  const rules: FolderRules = new Map();
  await assignTakeoutRules({ top, takeouts, findings, rules, read });
  for (const folder of icloud.photoFolders) rules.set(folder, { kind: 'top' });
  const roles = assignRoles(top, rules, findings);
  const builder = createPlanBuilder({ maxDepth, icloud, findings });
  for (const folder of listFolders(top)) builder.addFolder(folder, roles.get(folder)!);
  return builder.finish(files.length);
}
