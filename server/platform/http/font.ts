/** The typeface of the web gallery, for share pages. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { webBuildFolder } from './web-build.ts';

/**
 * Returns the rule that loads the Latin letters of the typeface, or '' if the web gallery is not built. Other letters
 * are shown in a typeface of the system. The URL is relative to a share page.
 */
export function readFontRule(folder = join(webBuildFolder, 'assets')): string {
  const names = existsSync(folder) ? readdirSync(folder) : [];
  const file = names.find((name) => /^inter-latin-wght-normal-[\w-]+\.woff2$/.test(name));
  return file
    ? `@font-face{font-family:"Inter Variable";font-weight:100 900;font-display:swap;src:url(../assets/${file}) format("woff2")}`
    : '';
}
