/** The rules of `web/` that a program can see. */
import { globSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

const languages = ['en', 'zh-CN'];
/** What of the server may run in the browser; of all else, types alone. */
const shared = 'server/gallery/pages/sections.ts';

/** What is wrong, a line each. */
export function webFaults(root = 'web'): string[] {
  const files = globSync('**/*.{ts,tsx}', { cwd: root }).sort();
  return [
    ...files.flatMap((file) => importFaults(file, readFileSync(join(root, file), 'utf8'))),
    ...messageFaults(root, files),
  ];
}

function importFaults(file: string, text: string): string[] {
  const name = basename(file);
  return importsOf(text).flatMap(({ path, isType }) => {
    const target = path.startsWith('.') ? join('web', dirname(file), path) : path;
    const says = (what: string) => [`web/${file}: imports ${path}; ${what}`];
    if (target === 'web/api/client.ts' && /\bcall\b/.test(namesOf(text, path)) && name !== 'queries.ts') {
      return says('only queries.ts calls the API');
    }
    if (basename(target).startsWith('page-') && file !== 'routes.tsx') {
      return says('pages are loaded by routes.tsx alone, when they are needed');
    }
    if (target.startsWith('server/') && !isType && target !== shared) {
      return says('only types come from the server');
    }
    if (path.startsWith('@base-ui/') && !file.startsWith('ui/')) return says('only ui/ knows Base UI');
    if (path === 'photoswipe' && !file.startsWith('viewer/')) return says('only viewer/ knows PhotoSwipe');
    return [];
  });
}

function importsOf(text: string): { path: string; isType: boolean }[] {
  const statements = text.matchAll(/^(import|export) (type )?[^;]*?from '([^']+)';/gm);
  const lazy = text.matchAll(/\bimport\('([^']+)'\)/g);
  return [
    ...[...statements].map(([, , type, path]) => ({ path: path!, isType: type !== undefined })),
    ...[...lazy].map(([, path]) => ({ path: path!, isType: false })),
  ];
}

function namesOf(text: string, path: string): string {
  const start = text.indexOf(`from '${path}'`);
  return text.slice(text.lastIndexOf('import', start), start);
}

function messageFaults(root: string, files: string[]): string[] {
  const texts = languages.map((language) => ({ language, all: readMessages(root, language) }));
  const keys = new Set(texts.flatMap(({ all }) => Object.keys(all)));
  const code = files.map((file) => readFileSync(join(root, file), 'utf8')).join('\n');
  const missing = texts.flatMap(({ language, all }) =>
    [...keys]
      .filter((key) => !(key in all))
      .map((key) => `web/messages/${language}.json: "${key}" is missing`),
  );
  const unused = [...keys]
    .filter((key) => !code.includes(`'${key}'`))
    .map((key) => `web/messages: "${key}" is used nowhere`);
  const different = [...keys].filter((key) => {
    const [one, ...others] = texts.map(({ all }) => placeholdersOf(all[key]));
    return others.some((other) => other !== one);
  });
  return [
    ...missing,
    ...unused,
    ...different.map((key) => `web/messages: "${key}" has other {values} in one language than in another`),
  ];
}

function readMessages(root: string, language: string): Record<string, unknown> {
  return JSON.parse(readFileSync(join(root, `messages/${language}.json`), 'utf8'));
}

function placeholdersOf(text: unknown): string {
  const found = new Set(JSON.stringify(text ?? '').match(/\{\w+\}/g));
  return [...found].sort().join(' ');
}
