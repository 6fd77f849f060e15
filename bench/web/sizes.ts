/** Measures the compressed kilobytes of scripts and styles that a browser loads for each page. */
import { statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { readBuiltAssets } from '../../server/gallery/pages/built-assets.ts';
import { listPageSources, pageRoutes } from '../../server/gallery/pages/pages.ts';
import { webBuildFolder } from '../../server/platform/http/web-build.ts';
import type { Figure } from './figures.ts';

const dist = resolve(import.meta.dirname, '../../dist/web');

const maxScript = 130;
const maxStyle = 12;
/**
 * Maximum kilobytes of scripts that each folder adds to `maxScript`, or loads on demand while a page is open.
 */
const maxAddedScript: Record<string, number> = { viewer: 28, editor: 20, upload: 45, import: 45, admin: 50 };

export async function sizes(): Promise<Figure[]> {
  const built = readBuiltAssets(webBuildFolder);
  if (!built) throw new Error('the pages are not built: npm run build:web');
  const sumSizes = (paths: string[]) =>
    paths.reduce((sum, path) => sum + statSync(join(dist, `${path}.br`)).size, 0) / 1000;
  const ofEditor = (base: string[]) => {
    const below = new Set(built.filesFor(base).modules);
    const { modules } = built.filesFor(['editor/editor.tsx', 'messages/en/editor.json']);
    return sumSizes(modules.filter((path) => !below.has(path)));
  };
  /** Returns the files of the upload tray, which are loaded on demand over the wall. */
  const ofUpload = () => {
    const below = new Set(built.filesFor(['photos/page-home.tsx']).modules);
    const { modules } = built.filesFor(['upload/upload-manager.tsx', 'messages/en/upload.json']);
    return sumSizes(modules.filter((path) => !below.has(path)));
  };
  const upload: Figure = {
    what: 'upload over the wall: scripts',
    value: ofUpload(),
    limit: maxAddedScript.upload!,
    unit: 'kB',
  };
  const editor: Figure = {
    what: 'editor over the viewer: scripts',
    value: ofEditor(['photos/page-home.tsx', 'viewer/page-viewer.tsx']),
    limit: maxAddedScript.editor!,
    unit: 'kB',
  };
  const pages = pageRoutes.flatMap((route): Figure[] => {
    const { modules, styles } = built.filesFor(listPageSources(route, 'en'));
    const folders = new Set(route.sources.map((source) => source.split('/')[0]!));
    const most = [...folders].reduce((sum, folder) => sum + (maxAddedScript[folder] ?? 0), maxScript);
    return [
      { what: `${route.path}: scripts`, value: sumSizes([built.entry, ...modules]), limit: most, unit: 'kB' },
      { what: `${route.path}: styles`, value: sumSizes(styles), limit: maxStyle, unit: 'kB' },
    ];
  });
  return [...pages, editor, upload];
}
