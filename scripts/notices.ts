/**
 * `npm run notices`: writes the licenses of all runtime packages from package-lock.json to
 * THIRD_PARTY_NOTICES.md. `--check` only compares the committed file with the expected text.
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

/** Maps each license to the packages that are installed without development dependencies, on any platform. */
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

Lightwell itself is under the [MIT license](LICENSE). Lightwell runs on the packages below. \`npm ci\` installs them, and
the container image contains them, unchanged, in \`node_modules\`. Each package has its own license and copyright notice
there. \`npm run notices\` writes this file from \`package-lock.json\`, which also has the versions.

## Libraries under the LGPL and the MPL

- **libvips** and the libraries that are built with it are under the GNU Lesser General Public License 3 or later:
  [LGPL-3.0](licenses/LGPL-3.0.txt), which adds to [GPL-3.0](licenses/GPL-3.0.txt). Their packages are
  \`@img/sharp-libvips-…\`, and \`@img/sharp-…\` on Windows and WebAssembly. Source and build instructions:
  <https://github.com/lovell/sharp-libvips>. These shared libraries are loaded at run time. You can replace them in
  \`node_modules\` by another build with the same interface, or build sharp against a libvips of the system
  (<https://sharp.pixelplumbing.com/install>).
- **libheif-js** (libheif and libde265 as WebAssembly) is under the [LGPL-3.0](licenses/LGPL-3.0.txt). Source and build
  instructions: <https://github.com/catdad-experiments/libheif-js>. This separate module is loaded at run time, only to
  decode a HEIC. You can replace it in \`node_modules/libheif-js\` by another build.
- **exifreader** is under the [MPL-2.0](licenses/MPL-2.0.txt). Source: <https://github.com/mattiasw/ExifReader>.
  Lightwell uses the package unchanged.

## Typeface

- **Inter** is under the SIL Open Font License 1.1, which each font file contains. The pages of the build contain the
  font files of \`@fontsource-variable/inter\`, unchanged. Source: <https://github.com/rsms/inter>.

Lightwell's terms allow you to change these libraries for your own use, and to reverse engineer to debug such changes.

Most other packages under Apache-2.0 refer to [this license text](licenses/Apache-2.0.txt).

## All packages

${lists.join('\n')}`;
}
