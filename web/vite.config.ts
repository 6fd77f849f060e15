/** How the pages are built (`npm run build:web`), and served while one works on them (`npm run dev:web`). */
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** Where `npm run dev:web` finds the API. */
const gallery = process.env.GALLERY ?? 'http://localhost:3000';

/** Of libraries that every page has: icons, the question before one leaves, lists that grow. */
const ofFewPages = /\/(?:lucide-react\.mjs|useBlocker\.js|infiniteQueryObserver\.js)$/;

/**
 * What every page begins with, and what every wall is made of, as one file: in pieces it compresses worse, and each is
 * a request. Without `main.tsx`, which waits for a page that needs this file.
 */
function isOfCore(id: string, graph: ModuleGraph, seen = new Set<string>()): boolean {
  if (/\/web\/photos\/(?:wall\/|queries)|\/node_modules\/thumbhash\//.test(id)) return true;
  // The list of all that a library has is no reason to have each.
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
  // React has this hook of its own since 18: no page needs the one in its place.
  resolve: {
    alias: { 'use-sync-external-store/shim/with-selector': 'use-sync-external-store/with-selector' },
  },
  server: {
    port: 5173,
    proxy: Object.fromEntries(
      ['/api', '/storage', '/s/', '/docs', '/icon.svg', '/openapi.json'].map((path) => [path, gallery]),
    ),
  },
  build: {
    outDir: '../dist/web',
    emptyOutDir: true,
    target: ['chrome123', 'firefox121', 'safari17.5'],
    manifest: true,
    // The licences of what is inside, as they ask for it.
    license: { fileName: 'assets/licenses.md' },
    assetsInlineLimit: 0,
    // The server writes the HTML (server/gallery/pages/document.ts): index.html is for `npm run dev:web` alone.
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
