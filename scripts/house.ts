/** The plan of the house: which room may import which, and that nothing goes in a circle. Types count, too. */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * From the ground up: a room imports itself and what stands before it, never what stands after it. Three wings:
 * `platform` knows no noun of a gallery, `gallery` is one folder for each noun, `tools` work on a whole gallery.
 */
const rooms = [
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
  // The kernel asks who looks, and nothing else of accounts: these stand on it.
  'gallery/accounts/viewer.ts',
  'gallery/library',
  // Making the first admin is written down, too.
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

/** File → the files of ours that it imports. Paths below `server`. */
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

/** What is wrong, a line each. */
export function faultsOf(imports: Imports): string[] {
  const inFolders = foldersOf(imports).flatMap(insideOf(imports));
  return [...new Set([...roomless(imports), ...upwards(imports), ...inFolders, ...circles(imports)])];
}

function roomless(imports: Imports): string[] {
  return [...imports.keys()]
    .filter((file) => floorOf(file) < 0)
    .map((file) => `${file} stands in no room of scripts/house.ts`);
}

function upwards(imports: Imports): string[] {
  return [...imports].flatMap(([file, targets]) =>
    targets
      .filter((target) => floorOf(target) > floorOf(file))
      .map((target) => `${file} imports ${target}, which stands above it (scripts/house.ts)`),
  );
}

/** Where the file stands, from 0; -1: nowhere. A file that is named itself stands there, wherever its folder does. */
function floorOf(file: string): number {
  const own = rooms.indexOf(file);
  return own >= 0 ? own : rooms.findIndex((room) => file.startsWith(`${room}/`));
}

/** The folders that are rooms or stand in one: `gallery/photos`, `gallery/photos/list`. */
function foldersOf(imports: Imports): string[] {
  const folders = [...imports.keys()].flatMap((file) => {
    const names = dirname(file).split('/');
    return names.slice(1).map((_, index) => names.slice(0, index + 2).join('/'));
  });
  return [...new Set(folders)];
}

/** What stands in a folder, its files and its folders as a whole, makes no circle either. */
function insideOf(imports: Imports): (folder: string) => string[] {
  return (folder) => {
    const partOf = (file: string) =>
      file.startsWith(`${folder}/`) ? file.split('/', folder.split('/').length + 1).join('/') : undefined;
    const parts: Imports = new Map();
    for (const [file, targets] of imports) {
      const part = partOf(file);
      if (part === undefined) continue;
      const others = targets.map(partOf).filter((other) => other !== undefined && other !== part);
      parts.set(part, [...(parts.get(part) ?? []), ...(others as string[])]);
    }
    return circles(parts);
  };
}

/** One of each circle, found by going through all in depth. */
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
