/** Style rules for the accent color of the gallery. */
import { lightenForDark, pageBackgrounds } from '../schema/color.ts';

/** Returns the rules that replace the standard accent color, or '' without a color. No layer can override the rules. */
export function renderAccentStyle(color: string): string {
  if (color === '') return '';
  const dark = lightenForDark(color, pageBackgrounds.dark);
  return `:root,.always-dark{--accent:light-dark(${color},${dark});--on-accent:light-dark(#fff,${pageBackgrounds.dark})}`;
}
