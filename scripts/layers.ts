/**
 * Checks that imports go one way: no file imports from a higher layer, and no files or folders form an import
 * cycle.
 */
import { dirname, join, matchesGlob } from 'node:path';
import type { Imports } from './imports.ts';
import { layers } from './layer-order.ts';

const list = 'scripts/layer-order.ts';

/** Returns one line for each forbidden import or import cycle. */
export function layerFaults(imports: Imports): string[] {
  const roots = Object.keys(layers);
  const inRoots = roots.flatMap((root) => [...unplaced(root, imports), ...upward(root, imports)]);
  const inFolders = closedFolders(imports).flatMap((folder) => circles(partsIn(folder, imports)));
  return [...new Set([...inRoots, ...inFolders, ...circles(imports)])];
}

/** Returns one line for each entry of the list that no file matches. */
export function emptyLayers(imports: Imports): string[] {
  return Object.entries(layers).flatMap(([root, entries]) => {
    const files = [...imports.keys()].filter((file) => isIn(root, file));
    const used = new Set(files.map((file) => layerIndex(root, file)));
    return entries
      .filter((_, index) => !used.has(index))
      .map((entry) => `${root}: no file is in the layer ${entry} (${list})`);
  });
}

function unplaced(root: string, imports: Imports): string[] {
  return [...imports.keys()]
    .filter((file) => isIn(root, file) && layerIndex(root, file) < 0)
    .map((file) => `${file} is in no layer of ${root} (${list})`);
}

function upward(root: string, imports: Imports): string[] {
  return [...imports].flatMap(([file, targets]) =>
    targets
      .filter((target) => isIn(root, file) && isIn(root, target))
      .filter((target) => layerIndex(root, target) > layerIndex(root, file))
      .map((target) => `${file} imports ${target}, which is in a higher layer (${list})`),
  );
}

function isIn(root: string, file: string): boolean {
  return root === '.' || file.startsWith(`${root}/`);
}

/**
 * Returns the index of a file's layer, or -1. The most specific entry counts: the file, a pattern, its
 * folder.
 */
function layerIndex(root: string, file: string): number {
  const entries = layers[root]!;
  const path = root === '.' ? file : file.slice(root.length + 1);
  const own = entries.indexOf(path);
  if (own >= 0) return own;
  const pattern = entries.findIndex((entry) => /[*{]/.test(entry) && matchesGlob(path, entry));
  if (pattern >= 0) return pattern;
  for (let folder = dirname(path); folder !== '.'; folder = dirname(folder)) {
    if (entries.includes(folder)) return entries.indexOf(folder);
  }
  return -1;
}

/**
 * Returns the folders that are a layer or lie inside one. No list orders their parts, so they are checked for
 * cycles.
 */
function closedFolders(imports: Imports): string[] {
  const folders = [...new Set([...imports.keys()].flatMap(foldersAbove))];
  return folders.filter((folder) => {
    const [top] = folder.split('/');
    const root = top! in layers ? top! : '.';
    return layers[root]!.some((entry) => `${folder}/`.startsWith(`${join(root, entry)}/`));
  });
}

function foldersAbove(file: string): string[] {
  const names = dirname(file).split('/');
  return names.map((_, index) => names.slice(0, index + 1).join('/'));
}

/** Returns the files and subfolders of a folder, each with the siblings that it imports. */
function partsIn(folder: string, imports: Imports): Imports {
  const depth = folder.split('/').length + 1;
  const toPart = (file: string) =>
    file.startsWith(`${folder}/`) ? file.split('/', depth).join('/') : undefined;
  const parts: Imports = new Map();
  for (const [file, targets] of imports) {
    const part = toPart(file);
    if (part === undefined) continue;
    const others = targets.map(toPart).filter((other) => other !== undefined && other !== part);
    parts.set(part, [...(parts.get(part) ?? []), ...(others as string[])]);
  }
  return parts;
}

/** Finds import cycles by a depth-first search, at least one in each group of connected files. */
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
