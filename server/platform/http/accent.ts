/** Style rules for the accent color of the gallery. */
import { lightenForDark, pageBackgrounds } from '../schema/color.ts';
import { renderThemeRules } from './theme.ts';

/** Returns the rules that replace the standard accent color, or '' without a color. No layer can override the rules. */
export function renderAccentStyle(color: string): string {
  if (color === '') return '';
  const dark = lightenForDark(color, pageBackgrounds.dark);
  return renderThemeRules(
    `--accent:${color};--on-accent:#fff`,
    `--accent:${dark};--on-accent:${pageBackgrounds.dark}`,
  );
}
