/** Reloads a tab once after an update of the gallery, when the tab requests scripts that no longer exist. */
const reloadTimeKey = 'lightwell-reloaded';
const minReloadIntervalMs = 60_000;

export function reloadOnMissingScript(): void {
  window.addEventListener('vite:preloadError', (event) => {
    // Stops the router's own reload, which would happen for each script and also while offline.
    sessionStorage.setItem(`tanstack_router_reload:${event.payload.message}`, '1');
    const last = Number(sessionStorage.getItem(reloadTimeKey) ?? 0);
    // The page cannot be loaded again while the browser is offline.
    if (!navigator.onLine || Date.now() - last < minReloadIntervalMs) return;
    event.preventDefault();
    sessionStorage.setItem(reloadTimeKey, String(Date.now()));
    location.reload();
  });
}
