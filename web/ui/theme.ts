/** The theme of the pages. A cookie keeps the choice, so that the server's document has it before the first paint. */

/** Available themes with the keys of their names. */
export const themes = { system: 'themeSystem', light: 'themeLight', dark: 'themeDark' } as const;
export type Theme = keyof typeof themes;

const changeEvent = 'theme-change';
const yearSeconds = 31_536_000;
const root = document.documentElement;

export const getTheme = (): Theme => (root.dataset.theme as Theme | undefined) ?? 'system';

export function chooseTheme(theme: Theme): void {
  const maxAge = theme === 'system' ? 0 : yearSeconds;
  // biome-ignore lint/suspicious/noDocumentCookie: not every browser supports the Cookie Store API
  document.cookie = `lightwell_theme=${theme}; Path=/; Max-Age=${maxAge}; SameSite=Lax`;
  if (theme === 'system') delete root.dataset.theme;
  else root.dataset.theme = theme;
  colorWindow(theme);
  window.dispatchEvent(new Event(changeEvent));
}

/** Colors the browser's window. The server renders the same elements (server/platform/http/page.ts). */
function colorWindow(theme: Theme): void {
  const scheme = document.querySelector<HTMLMetaElement>('meta[name="color-scheme"]');
  if (scheme) scheme.content = theme === 'system' ? 'light dark' : theme;
  for (const color of document.querySelectorAll<HTMLMetaElement>('meta[name="theme-color"]')) {
    const own = color.dataset.scheme;
    if (theme === 'system') color.media = `(prefers-color-scheme: ${own})`;
    else color.media = theme === own ? 'all' : 'not all';
  }
}

/** Calls `listener` when the page's colors change, by the user's choice or by the system. Returns how to stop. */
export function followColors(listener: () => void): () => void {
  const dark = matchMedia('(prefers-color-scheme: dark)');
  dark.addEventListener('change', listener);
  window.addEventListener(changeEvent, listener);
  return () => {
    dark.removeEventListener('change', listener);
    window.removeEventListener(changeEvent, listener);
  };
}
