/**
 * Configuration for the build of the pages (`npm run build:web`) and the development server (`npm run
 * dev:web`).
 */
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** URL of the API server for `npm run dev:web`. */
const galleryUrl = process.env.GALLERY ?? 'http://localhost:3000';

/**
 * Modules of libraries that only some pages need: icons, the question before leaving a page, infinite lists.
 */
const ofFewPages = /\/(?:lucide-react\.mjs|useBlocker\.js|infiniteQueryObserver\.js)$/;

/**
 * Returns whether a module belongs to the core file, which holds the code of all pages and walls. Several
 * files compress worse, and each is one more request. `main.tsx` is excluded, because it awaits a page that
 * needs the core file.
 */
function isOfCore(id: string, graph: ModuleGraph, seen = new Set<string>()): boolean {
  if (/\/web\/photos\/(?:wall\/|queries)|\/node_modules\/thumbhash\//.test(id)) return true;
  // A library's index exports everything, which does not make every part necessary.
  if (seen.has(id) || ofFewPages.test(id)) return false;
  seen.add(id);
  const importers = graph.getModuleInfo(id)?.importers ?? [];
  return importers.some((one) => one.endsWith('/web/main.tsx') || isOfCore(one, graph, seen));
}

interface ModuleGraph {
  getModuleInfo(id: string): { importers: string[] } | null;
}

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react()],
  // React has this hook since version 18, so the replacement package is not needed.
  resolve: {
    alias: { 'use-sync-external-store/shim/with-selector': 'use-sync-external-store/with-selector' },
  },
  server: {
    port: 5173,
    proxy: Object.fromEntries(
      ['/api', '/storage', '/s/', '/docs', '/icon.svg', '/openapi.json'].map((path) => [path, galleryUrl]),
    ),
  },
  build: {
    outDir: '../dist/web',
    emptyOutDir: true,
    // server/gallery/pages/old-browser.ts asks for the functions of these versions.
    target: ['chrome114', 'firefox125', 'safari17.0'],
    manifest: true,
    // Bundled libraries require that their licenses are included.
    license: { fileName: 'assets/licenses.md' },
    assetsInlineLimit: 0,
    // The server writes the HTML (server/gallery/pages/document.ts); index.html serves `npm run dev:web`
    // only.
    rolldownOptions: {
      input: `${import.meta.dirname}/main.tsx`,
      output: {
        codeSplitting: {
          groups: [{ debugName: 'core', name: (id, graph) => (isOfCore(id, graph) ? 'core' : null) }],
        },
      },
    },
  },
});
