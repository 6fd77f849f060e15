/**
 * `npm run notices`: writes THIRD_PARTY_NOTICES.md, what the packages that a gallery runs on are licensed under, from
 * package-lock.json. `--check` says whether the committed file is what it would write.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';

process.chdir(resolve(import.meta.dirname, '..'));

interface Locked {
  dev?: boolean;
  devOptional?: boolean;
  license?: string;
}

const file = 'THIRD_PARTY_NOTICES.md';
const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
  packages: Record<string, Locked>;
};
const text = notices(licences(packages));

if (process.argv.includes('--check')) {
  if (readFileSync(file, 'utf8') !== text) {
    console.error(`${file} is not what package-lock.json says: run npm run notices`);
    process.exitCode = 1;
  }
} else {
  writeFileSync(file, text);
}

/** Licence → names of the packages that are installed without development dependencies, on any platform. */
function licences(packages: Record<string, Locked>): Map<string, string[]> {
  const byLicence = new Map<string, Set<string>>();
  for (const [path, { dev, devOptional, license }] of Object.entries(packages)) {
    if (path === '' || dev || devOptional) continue;
    const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
    if (!license) throw new Error(`${name} names no licence: look at it, it may not be shipped`);
    byLicence.set(license, (byLicence.get(license) ?? new Set()).add(name));
  }
  return new Map([...byLicence].sort().map(([licence, names]) => [licence, [...names].sort()]));
}

function notices(byLicence: Map<string, string[]>): string {
  const lists = [...byLicence].map(
    ([licence, names]) => `### ${licence}\n\n${names.map((name) => `- ${name}`).join('\n')}\n`,
  );
  return `# Third-party notices

Lightwell itself is under the [MIT licence](LICENSE). It runs on the packages below, which \`npm ci\` installs and the
container image holds, unchanged, in \`node_modules\`; each carries its own licence and copyright notice there. This
file is written by \`npm run notices\` from \`package-lock.json\`, which also has the versions.

## Libraries under the LGPL and the MPL

- **libvips** and the libraries that are built with it (\`@img/sharp-libvips-…\`, on Windows and WebAssembly within
  \`@img/sharp-…\`) are under the GNU Lesser General Public License 3 or later:
  [LGPL-3.0](licenses/LGPL-3.0.txt), which adds to [GPL-3.0](licenses/GPL-3.0.txt). Source and build instructions:
  <https://github.com/lovell/sharp-libvips>. They are shared libraries, loaded at run time: another build of the same
  interface takes their place in \`node_modules\`, or sharp is built against a libvips of the system
  (<https://sharp.pixelplumbing.com/install>).
- **libheif-js** (libheif and libde265 as WebAssembly) is under the [LGPL-3.0](licenses/LGPL-3.0.txt). Source and build
  instructions: <https://github.com/catdad-experiments/libheif-js>. It is a module of its own, loaded at run time only when a
  HEIC is decoded: another build takes its place in \`node_modules/libheif-js\`.
- **exifreader** is under the [MPL-2.0](licenses/MPL-2.0.txt). Source: <https://github.com/mattiasw/ExifReader>. It is used
  unchanged.

Lightwell's terms do not restrict changing these libraries for one's own use, or reverse engineering to debug such changes.

The licence that most of the others under Apache-2.0 name is [here](licenses/Apache-2.0.txt).

## All packages

${lists.join('\n')}`;
}
