/** Theme of a page: the user's choice. Without a choice, the page follows the system. */
import type { FastifyRequest } from 'fastify';

export type Theme = 'light' | 'dark';

/** Cookie that `web/ui/theme.ts` sets when the user chooses a theme. */
const themeCookiePattern = /(?:^|;\s*)lightwell_theme=(light|dark)(?:;|$)/;

export function chosenTheme({ headers }: Pick<FastifyRequest, 'headers'>): Theme | undefined {
  return themeCookiePattern.exec(headers.cookie ?? '')?.[1] as Theme | undefined;
}

/** Returns CSS rules that set custom properties for each theme, in a syntax for older browsers too. */
export function renderThemeRules(light: string, dark: string): string {
  return `:root{${light}}@media (prefers-color-scheme:dark){:root:not([data-theme="light"]){${dark}}}:root[data-theme="dark"],.always-dark{${dark}}`;
}
