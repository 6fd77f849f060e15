/** Checks the rules of `web/` that a program can verify. */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

const languages = ['en', 'zh-CN'];
/** Server files and folders that may run in the browser. From all others, `web/` may import only types. */
const shared = [
  ...['sections', 'rows', 'measure', 'navigation-entries', 'new-user', 'stage-picture'].map(
    (name) => `server/gallery/pages/${name}.ts`,
  ),
  'server/gallery/photos/tile-ratio.ts',
  'server/platform/schema/color.ts',
  ...['curves', 'straighten'].map((name) => `server/platform/imaging/edits/${name}.ts`),
  'server/platform/zip/reader/',
  'server/tools/exchange/plan/',
];

/** Returns one line for each violated rule of `web/`. */
export function webFaults(root = 'web'): string[] {
  const files = globSync('**/*.{ts,tsx}', { cwd: root }).sort();
  return [
    ...files.flatMap((file) => importFaults(file, readFileSync(join(root, file), 'utf8'))),
    ...messageFaults(root, files),
  ];
}

function importFaults(file: string, text: string): string[] {
  const name = basename(file);
  return findImports(text).flatMap(({ path, isType }) => {
    const target = path.startsWith('.') ? join('web', dirname(file), path) : path;
    const says = (what: string) => [`web/${file}: imports ${path}; ${what}`];
    if (
      target === 'web/api/client.ts' &&
      /\bcall\b/.test(findImportClause(text, path)) &&
      name !== 'queries.ts'
    ) {
      return says('only queries.ts calls the API');
    }
    if (basename(target).startsWith('page-') && file !== 'routes.tsx') {
      return says('pages are loaded by routes.tsx alone, when they are needed');
    }
    if (target.startsWith('server/') && !isType && !shared.some((one) => target.startsWith(one))) {
      return says('only types come from the server');
    }
    if (path === 'photoswipe' && !file.startsWith('viewer/')) return says('only viewer/ knows PhotoSwipe');
    return [];
  });
}

function findImports(text: string): { path: string; isType: boolean }[] {
  const statements = text.matchAll(/^(import|export) (type )?[^;]*?from '([^']+)';/gm);
  const lazy = text.matchAll(/\bimport\('([^']+)'\)/g);
  return [
    ...[...statements].map(([, , type, path]) => ({ path: path!, isType: type !== undefined })),
    ...[...lazy].map(([, path]) => ({ path: path!, isType: false })),
  ];
}

function findImportClause(text: string, path: string): string {
  const start = text.indexOf(`from '${path}'`);
  return text.slice(text.lastIndexOf('import', start), start);
}

function messageFaults(root: string, files: string[]): string[] {
  const areas = globSync('messages/en/*.json', { cwd: root }).map((file) => basename(file, '.json'));
  const code = files.map((file) => ({ file, text: readFileSync(join(root, file), 'utf8') }));
  const areaOf = new Map<string, string>();
  const faults = areas.flatMap((area) => {
    const texts = languages.map((language) => readMessages(root, language, area));
    const keys = [...new Set(texts.flatMap((all) => Object.keys(all)))];
    return keys.flatMap((key) => {
      const says = (what: string) => `web/messages, ${area}.json: "${key}" ${what}`;
      const isTwice = areaOf.has(key);
      areaOf.set(key, area);
      const [one, ...others] = texts.map((all) => listPlaceholders(all[key]));
      return [
        ...(isTwice ? [says(`stands in another area, too`)] : []),
        ...languages
          .filter((_, at) => !(key in texts[at]!))
          .map((language) => says(`is missing in ${language}`)),
        ...(code.some(({ text }) => text.includes(`'${key}'`)) ? [] : [says('is used nowhere')]),
        ...(others.every((other) => other === one) ? [] : [says('has other {values} in one language')]),
      ];
    });
  });
  return [...faults, ...code.flatMap(({ file, text }) => strayFaults(file, text, areaOf))];
}

/** Finds texts from the area of another folder, which are not loaded with this folder. */
function strayFaults(file: string, text: string, areaOf: Map<string, string>): string[] {
  const folder = file.split('/')[0]!;
  return [...text.matchAll(/\bt\(\s*'(\w+)'/g)]
    .map(([, key]) => ({ key, area: areaOf.get(key!) ?? folder }))
    .filter(({ area }) => area !== 'common' && area !== folder)
    .map(({ key, area }) => `web/${file}: "${key}" is of ${area}.json; what two folders show is common`);
}

function readMessages(root: string, language: string, area: string): Record<string, unknown> {
  const file = join(root, `messages/${language}/${area}.json`);
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
}

function listPlaceholders(text: unknown): string {
  const found = new Set(JSON.stringify(text ?? '').match(/\{\w+\}/g));
  return [...found].sort().join(' ');
}
