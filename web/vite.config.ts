/** How the pages are built (`npm run build:web`), and served while one works on them (`npm run dev:web`). */
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** Where `npm run dev:web` finds the API. */
const gallery = process.env.GALLERY ?? 'http://localhost:3000';

/** What every wall is made of, as one file: in pieces it compresses worse, and each is a request. */
const core =
  /node_modules\/(?:react|react-dom|scheduler|@tanstack|use-sync-external-store|thumbhash)\/|\/web\/(?:api\/|photos\/(?:wall\/|queries))/;

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react()],
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
      output: { codeSplitting: { groups: [{ name: 'core', test: core }] } },
    },
  },
});
