/** What `npm run build:web` made: the files that pages load, read once, and which of them a page needs. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Of Vite's manifest. */
interface Chunk {
  file: string;
  isEntry?: boolean;
  imports?: string[];
  css?: string[];
}

/** What is compressed is not kept plain as well: next to nobody asks for it so. */
export type Asset = { type: string } & ({ plain: Buffer } | { br: Buffer; gzip: Buffer });

/** Drawn by scripts/build-icons.js. `touch`: for home screens that know no manifest. */
export interface Icon {
  path: string;
  purpose: 'any' | 'maskable' | 'touch';
  /** Width and height. */
  size: number;
}

export interface Built {
  /** By name, without the folder: names hold a hash of the content. */
  assets: Map<string, Asset>;
  icons: Icon[];
  /** The module that a page begins with. */
  entry: string;
  /** The modules and styles that it needs besides, and those of the given sources; paths from `/`. */
  filesFor(sources: string[]): { modules: string[]; styles: string[] };
}

export const builtFolder = fileURLToPath(new URL('../../../dist/web/', import.meta.url));
const entrySource = 'main.tsx';

const types: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.webp': 'image/webp',
  '.png': 'image/png',
  '.md': 'text/plain; charset=utf-8',
};

/** Undefined where the pages were not built. One file is read after the other: all at once leave megabytes behind. */
export function readBuilt(folder: string): Built | undefined {
  const file = join(folder, '.vite/manifest.json');
  if (!existsSync(file)) return undefined;
  const manifest = JSON.parse(readFileSync(file, 'utf8')) as Record<string, Chunk>;
  const assets = readAssets(join(folder, 'assets'));
  return {
    assets,
    icons: [...assets.keys()].flatMap(iconOf),
    entry: `/${manifest[entrySource]!.file}`,
    filesFor: (sources) => filesOf(manifest, [entrySource, ...sources]),
  };
}

function readAssets(folder: string): Map<string, Asset> {
  const names = new Set(readdirSync(folder));
  const read = (name: string) => readFileSync(join(folder, name));
  const assets = new Map<string, Asset>();
  for (const name of names) {
    const type = types[extname(name)];
    if (type === undefined) continue;
    const isPacked = names.has(`${name}.gz`);
    const content = isPacked ? { br: read(`${name}.br`), gzip: read(`${name}.gz`) } : { plain: read(name) };
    assets.set(name, { type, ...content });
  }
  return assets;
}

function iconOf(name: string): Icon[] {
  const [, purpose, size] = /^icon-(any|maskable|touch)-(\d+)-[\w-]+\.png$/.exec(name) ?? [];
  return purpose
    ? [{ path: `/assets/${name}`, purpose: purpose as Icon['purpose'], size: Number(size) }]
    : [];
}

function filesOf(manifest: Record<string, Chunk>, sources: string[]) {
  const chunks = new Set<Chunk>();
  const add = (name: string): void => {
    const chunk = manifest[name];
    if (!chunk || chunks.has(chunk)) return;
    chunk.imports?.forEach(add);
    chunks.add(chunk);
  };
  sources.forEach(add);
  const path = (file: string) => `/${file}`;
  return {
    modules: [...chunks].filter(({ isEntry }) => !isEntry).map(({ file }) => path(file)),
    styles: [...new Set([...chunks].flatMap(({ css = [] }) => css))].map(path),
  };
}
