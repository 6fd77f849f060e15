/** Checks that imports go one way: a layer imports itself and the layers below it, and nothing imports in a circle. */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * The lowest layer comes first. A file imports its own layer and the layers before it, types included. `platform` knows
 * no noun of a gallery, `gallery` has one folder for each noun, `tools` work on a whole gallery.
 */
const layers = [
  'platform/errors',
  'platform/schema',
  'platform/concurrency',
  'platform/process',
  'platform/db',
  'platform/outbox',
  'platform/storage',
  'platform/ownership',
  'platform/imaging',
  'config.ts',
  'platform/zip',
  'platform/redis',
  'platform/connections',
  'platform/http',
  'platform/operations',
  'platform/cluster',
  'deps.ts',
  // The library needs the viewer, and nothing else of accounts.
  'gallery/accounts/viewer.ts',
  'gallery/library',
  // Accounts write the creation of the first admin to the audit log.
  'gallery/moderation/audit.ts',
  'gallery/mail',
  'gallery/accounts',
  'gallery/moderation',
  'gallery/delivery',
  'gallery/webhooks',
  'gallery/notifications',
  'gallery/comments',
  'gallery/photos',
  'gallery/uploads',
  'gallery/albums',
  'gallery/reports',
  'gallery/users',
  'gallery/search',
  'gallery/shares',
  'gallery/admin',
  'gallery/site',
  'gallery/pages',
  'tools/upkeep',
  'tools/check',
  'tools/transfer',
  'tools/exchange',
  'app.ts',
  'serve.ts',
  'start.ts',
  'tools/commands',
  'main.js',
  'cli.ts',
];

/** Maps each file to the files of this repository that it imports. Paths begin below `server`. */
export type Imports = Map<string, string[]>;

export function readImports(root = 'server'): Imports {
  const imports: Imports = new Map();
  for (const file of globSync('**/*.{ts,js}', { cwd: root }).sort()) {
    const text = readFileSync(join(root, file), 'utf8');
    const named = [...text.matchAll(/(?:\bfrom|\bimport|\bnew URL)\s*\(?\s*'(\.[^']+\.[tj]s)'/g)];
    const targets = named.map(([, path]) => join(dirname(file), path!));
    imports.set(
      file,
      [...new Set(targets)].filter((target) => existsSync(join(root, target))),
    );
  }
  return imports;
}

/** Returns one line for each fault. */
export function layerFaults(imports: Imports): string[] {
  const inFolders = nestedFolders(imports).flatMap((folder) => circles(partsIn(folder, imports)));
  return [...new Set([...unplaced(imports), ...upwards(imports), ...inFolders, ...circles(imports)])];
}

function unplaced(imports: Imports): string[] {
  return [...imports.keys()]
    .filter((file) => layerOf(file) < 0)
    .map((file) => `${file} is in no layer of scripts/layers.ts`);
}

function upwards(imports: Imports): string[] {
  return [...imports].flatMap(([file, targets]) =>
    targets
      .filter((target) => layerOf(target) > layerOf(file))
      .map((target) => `${file} imports ${target}, which is in a higher layer (scripts/layers.ts)`),
  );
}

/** Returns the index of the file's layer, or -1. An entry for the file itself comes before the entry of its folder. */
function layerOf(file: string): number {
  const own = layers.indexOf(file);
  return own >= 0 ? own : layers.findIndex((layer) => file.startsWith(`${layer}/`));
}

/** Returns the folders that are a layer or inside one, like `gallery/photos` and `gallery/photos/list`. */
function nestedFolders(imports: Imports): string[] {
  const folders = [...imports.keys()].flatMap((file) => {
    const names = dirname(file).split('/');
    return names.slice(1).map((_, index) => names.slice(0, index + 2).join('/'));
  });
  return [...new Set(folders)];
}

/** Returns the files and subfolders of a folder, each with the siblings that it imports. */
function partsIn(folder: string, imports: Imports): Imports {
  const depth = folder.split('/').length + 1;
  const partOf = (file: string) =>
    file.startsWith(`${folder}/`) ? file.split('/', depth).join('/') : undefined;
  const parts: Imports = new Map();
  for (const [file, targets] of imports) {
    const part = partOf(file);
    if (part === undefined) continue;
    const others = targets.map(partOf).filter((other) => other !== undefined && other !== part);
    parts.set(part, [...(parts.get(part) ?? []), ...(others as string[])]);
  }
  return parts;
}

/** Finds circles by a depth-first search, at least one of each knot. */
function circles(imports: Imports): string[] {
  const found: string[] = [];
  const done = new Set<string>();
  const path: string[] = [];
  function visit(file: string): void {
    if (done.has(file)) return;
    const start = path.indexOf(file);
    if (start >= 0) {
      found.push(`a circle: ${[...path.slice(start), file].join(' → ')}`);
      return;
    }
    path.push(file);
    for (const target of imports.get(file) ?? []) visit(target);
    path.pop();
    done.add(file);
  }
  for (const file of imports.keys()) visit(file);
  return found;
}
