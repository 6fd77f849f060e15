/**
 * `npm run build:web`: builds the pages from `web/` into `dist/web`, with a compressed copy beside each file.
 * `npm ci` runs this script last (`prepare`). Without the build tools the script says so, and the gallery
 * runs without pages. `--if-stale`, before `npm start`, builds only if pages are missing or older than
 * `web/`. `--watch` builds after every change. The script is JavaScript, so that any Node version that can
 * run `npm ci` can run the build.
 */
import { readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const source = join(root, 'web');
const output = join(root, 'dist/web');
/** Sources of the pages outside `web/`. */
const others = [
  'package-lock.json',
  'scripts/build-web.js',
  'scripts/build-icons.js',
  'server/gallery/pages/icon.svg',
  'server/gallery/pages/icon-maskable.svg',
  'server/gallery/pages/navigation-entries.ts',
  'server/gallery/pages/sections.ts',
  'server/platform/http/tokens.css',
];
const isCompressible = /\.(?:js|css|svg|json|webmanifest|md)$/;

const isWatching = process.argv.includes('--watch');
const isIfStale = process.argv.includes('--if-stale');
try {
  if (isWatching || !isIfStale || isStale()) await build();
} catch (error) {
  // The server starts with the existing pages, because the folder may be writable for its owner only.
  if (!isIfStale) throw error;
  console.error(
    `The pages of the gallery could not be built anew: ${error instanceof Error ? error.message : error}`,
  );
}

async function build() {
  const vite = await import('vite').catch(() => undefined);
  if (!vite) {
    console.log('The pages of the gallery are not built: Vite is not installed (npm ci without --omit=dev).');
    return;
  }
  // The build replaces the old pages in one step, so that a server started meanwhile finds complete pages.
  const built = `${output}-${process.pid}`;
  const started = performance.now();
  const options = { configFile: join(source, 'vite.config.ts'), logLevel: /** @type {const} */ ('warn') };
  if (isWatching) {
    await vite.build({ ...options, logLevel: 'info', build: { outDir: output, watch: {} } });
    return;
  }
  await vite.build({ ...options, build: { outDir: built } });
  const { buildIcons } = await import('./build-icons.js');
  await buildIcons(join(built, 'assets'));
  for (const file of filesIn(built)) compress(file);
  rmSync(output, { recursive: true, force: true });
  renameSync(built, output);
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(`The pages of the gallery are built (${seconds} s).`);
}

/** @param {string} file */
function compress(file) {
  if (!isCompressible.test(file)) return;
  const bytes = readFileSync(file);
  const params = { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
  writeFileSync(`${file}.br`, brotliCompressSync(bytes, { params }));
  writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }));
}

function isStale() {
  try {
    const made = statSync(join(output, '.vite/manifest.json')).mtimeMs;
    return [...filesIn(source), ...others.map((file) => join(root, file))].some(
      (file) => statSync(file).mtimeMs > made,
    );
  } catch {
    return true;
  }
}

/**
 * @param {string} folder
 * @returns {string[]}
 */
function filesIn(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? filesIn(path) : [path];
  });
}
