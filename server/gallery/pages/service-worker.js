/**
 * Service worker of the web gallery. Shows a page while the browser is offline, and stores files that another app
 * shares until a signed-in page uploads them. Stores no pages, API responses or images of the gallery.
 */
const offlineCache = 'lightwell-offline';
/** `web/shared-files.ts` reads and deletes this cache. */
const sharedCache = 'lightwell-shared';
const maxSharedFiles = 200;
const offlinePage = `/offline${self.location.search}`;

self.addEventListener('install', (event) => {
  event.waitUntil(install(event));
  self.skipWaiting();
});

/**
 * Lets only navigations and shared files pass through the worker. Other requests would end with their page, and a
 * change that is saved as the page closes would be lost. Navigations do not wait until the worker has started. The
 * installation fails in browsers without such routes, which have no share targets.
 */
async function install(event) {
  await event.addRoutes([
    { condition: { urlPattern: '/share-target' }, source: 'fetch-event' },
    { condition: { requestMode: 'navigate' }, source: 'race-network-and-fetch-handler' },
    { condition: { urlPattern: '/*' }, source: 'network' },
  ]);
  await storeOfflinePage();
}

self.addEventListener('fetch', (event) => {
  const { method, mode, url } = event.request;
  if (method === 'POST' && new URL(url).pathname === '/share-target') {
    event.respondWith(storeSharedFiles(event.request));
  } else if (mode === 'navigate' && !self.navigator.onLine) {
    event.respondWith(openOfflinePage());
  }
});

async function storeOfflinePage() {
  await caches.delete(offlineCache);
  const cache = await caches.open(offlineCache);
  await cache.add(offlinePage);
}

async function openOfflinePage() {
  return (await caches.match(offlinePage)) ?? Response.error();
}

/** Stores the files of the form and opens the home page, which uploads them. Without storage, the page says so. */
async function storeSharedFiles(request) {
  try {
    const form = await request.formData();
    const files = form.getAll('files').filter((value) => value instanceof File);
    await caches.delete(sharedCache);
    const cache = await caches.open(sharedCache);
    for (const [index, file] of files.slice(0, maxSharedFiles).entries()) {
      const headers = { 'Content-Type': file.type, 'X-Name': encodeURIComponent(file.name) };
      await cache.put(`/shared/${index}`, new Response(file, { headers }));
    }
  } catch {
    await caches.delete(sharedCache);
  }
  return Response.redirect('/?shared', 303);
}
