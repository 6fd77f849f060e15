/** A tab that is older than the gallery asks for scripts that are gone: it loads anew, once. */
const reloadTimeKey = 'lightwell-reloaded';
const minReloadIntervalMs = 60_000;

export function reloadOnceWhenStale(): void {
  window.addEventListener('vite:preloadError', (event) => {
    // The router would load anew by itself: once more for each script, and where nothing can be reached.
    sessionStorage.setItem(`tanstack_router_reload:${event.payload.message}`, '1');
    const last = Number(sessionStorage.getItem(reloadTimeKey) ?? 0);
    // Without a connection, what is here is all there is.
    if (!navigator.onLine || Date.now() - last < minReloadIntervalMs) return;
    event.preventDefault();
    sessionStorage.setItem(reloadTimeKey, String(Date.now()));
    location.reload();
  });
}
