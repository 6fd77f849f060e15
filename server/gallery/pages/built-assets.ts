/** Reads the output of `npm run build:web` once, and finds the files that each page loads. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';

/** An entry of Vite's manifest: an output file with its imports and styles. */
interface ManifestChunk {
  file: string;
  isEntry?: boolean;
  imports?: string[];
  css?: string[];
}

/**
 * Content of a file of the build. Compressed files have no plain copy in memory, because nearly every browser accepts
 * compression.
 */
export type BuiltAsset = { type: string } & ({ plain: Buffer } | { br: Buffer; gzip: Buffer });

/**
 * An icon drawn by scripts/build-icons.js. Devices that do not support manifests use the `touch` icon on their home
 * screen.
 */
export interface BuiltIcon {
  path: string;
  purpose: 'any' | 'maskable' | 'touch';
  /** Width and height of the square icon in pixels. */
  size: number;
}

export interface BuiltAssets {
  /** Files by name, without the folder. Each name contains a hash of the content. */
  assets: Map<string, BuiltAsset>;
  icons: BuiltIcon[];
  /** Path of the module that every page starts with. */
  entry: string;
  /** Returns the other modules and styles that the entry module and the given sources need, as paths from `/`. */
  filesFor(sources: string[]): { modules: string[]; styles: string[] };
}

const entrySource = 'main.tsx';

const mimeByExtension: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.webp': 'image/webp',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
  '.md': 'text/plain; charset=utf-8',
};

/**
 * Reads the build, or returns undefined if the pages are not built. Files are read one after the other, because reading
 * all at once leaves megabytes of garbage.
 */
export function readBuiltAssets(folder: string): BuiltAssets | undefined {
  const file = join(folder, '.vite/manifest.json');
  if (!existsSync(file)) return undefined;
  const manifest = JSON.parse(readFileSync(file, 'utf8')) as Record<string, ManifestChunk>;
  const assets = readAssets(join(folder, 'assets'));
  return {
    assets,
    icons: [...assets.keys()].flatMap(parseIcon),
    entry: `/${manifest[entrySource]!.file}`,
    filesFor: (sources) => collectFiles(manifest, [entrySource, ...sources]),
  };
}

function readAssets(folder: string): Map<string, BuiltAsset> {
  const names = new Set(readdirSync(folder));
  const read = (name: string) => readFileSync(join(folder, name));
  const assets = new Map<string, BuiltAsset>();
  for (const name of names) {
    const type = mimeByExtension[extname(name)];
    if (type === undefined) continue;
    const isPacked = names.has(`${name}.gz`);
    const content = isPacked ? { br: read(`${name}.br`), gzip: read(`${name}.gz`) } : { plain: read(name) };
    assets.set(name, { type, ...content });
  }
  return assets;
}

function parseIcon(name: string): BuiltIcon[] {
  const [, purpose, size] = /^icon-(any|maskable|touch)-(\d+)-[\w-]+\.png$/.exec(name) ?? [];
  return purpose
    ? [{ path: `/assets/${name}`, purpose: purpose as BuiltIcon['purpose'], size: Number(size) }]
    : [];
}

function collectFiles(manifest: Record<string, ManifestChunk>, sources: string[]) {
  const chunks = new Set<ManifestChunk>();
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
