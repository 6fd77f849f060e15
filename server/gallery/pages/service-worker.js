/**
 * Service worker of the web gallery. Shows a page if the gallery cannot be reached, and stores files that another app
 * shares until a signed-in page uploads them. Stores no pages, API responses or images of the gallery.
 */
const offlineCache = 'lightwell-offline';
/** `web/shared-files.ts` reads and deletes this cache. */
const sharedCache = 'lightwell-shared';
const maxSharedFiles = 200;
const offlinePage = `/offline${self.location.search}`;

self.addEventListener('install', (event) => {
  event.waitUntil(storeOfflinePage());
  // Requests that pass through a worker end with their page. A change that is saved as the page closes would be lost.
  event.addRoutes?.(
    ['/api/*', '/storage/*', '/assets/*'].map((urlPattern) => ({
      condition: { urlPattern },
      source: 'network',
    })),
  );
  self.skipWaiting();
});

self.addEventListener('activate', (event) => {
  event.waitUntil(self.registration.navigationPreload?.enable());
});

self.addEventListener('fetch', (event) => {
  const { request } = event;
  const { pathname } = new URL(request.url);
  if (request.method === 'POST' && pathname === '/share-target') {
    event.respondWith(storeSharedFiles(request));
  } else if (
    request.mode === 'navigate' &&
    request.method === 'GET' &&
    !/^\/(?:api|storage)\//.test(pathname)
  ) {
    event.respondWith(openPage(event));
  }
});

async function storeOfflinePage() {
  await caches.delete(offlineCache);
  const cache = await caches.open(offlineCache);
  await cache.add(offlinePage);
}

async function openPage({ request, preloadResponse }) {
  try {
    return (await preloadResponse) ?? (await fetch(request));
  } catch {
    return (await caches.match(offlinePage)) ?? Response.error();
  }
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
