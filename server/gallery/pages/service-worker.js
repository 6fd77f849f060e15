/**
 * Service worker of the web gallery. Stores files that another app shares until a signed-in page uploads them. Its scope
 * is the share target, so the worker sees no pages, API calls or images.
 */

/** `web/shared-files.ts` reads and deletes this cache. */
const cacheName = 'lightwell-shared';
const maxFiles = 200;

self.addEventListener('install', () => self.skipWaiting());

self.addEventListener('fetch', (event) => {
  if (event.request.method === 'POST') event.respondWith(storeSharedFiles(event.request));
});

/** Stores the files of the form and opens the home page, which uploads them. Without storage, the page says so. */
async function storeSharedFiles(request) {
  try {
    const form = await request.formData();
    const files = form.getAll('files').filter((value) => value instanceof File);
    await caches.delete(cacheName);
    const cache = await caches.open(cacheName);
    for (const [index, file] of files.slice(0, maxFiles).entries()) {
      const headers = { 'Content-Type': file.type, 'X-Name': encodeURIComponent(file.name) };
      await cache.put(`/shared/${index}`, new Response(file, { headers }));
    }
  } catch {
    await caches.delete(cacheName);
  }
  return Response.redirect('/?shared', 303);
}
