/** Colors of the pages: contrast by WCAG 2.2, and an accent color for dark pages. Colors are `#rrggbb`. */

/** Background colors of all pages, the same as in `platform/http/tokens.css`. */
export const pageBackgrounds = { light: '#f7f5f2', dark: '#161514' };

export const colorPattern = '^#[0-9a-fA-F]{6}$';

/** Minimum contrast of text by WCAG 2.2, level AA. */
export const minTextContrast = 4.5;

/** Returns the contrast of two colors, from 1 to 21. */
function computeContrast(one: string, other: string): number {
  const [light, dark] = [computeLuminance(one), computeLuminance(other)].sort((a, b) => b - a) as [
    number,
    number,
  ];
  return (light + 0.05) / (dark + 0.05);
}

/**
 * Returns the contrast of an accent color on light pages. The color is the background of white text on buttons,
 * and the color of links on the page.
 */
export function computeAccentContrast(color: string): number {
  return Math.min(computeContrast(color, '#ffffff'), computeContrast(color, pageBackgrounds.light));
}

/** Mixes a color with white in small steps until the text is readable on a dark background. */
export function lightenForDark(color: string, background: string): string {
  for (let share = 0; share < 1; share += 0.05) {
    const mixed = mixWithWhite(color, share);
    if (computeContrast(mixed, background) >= minTextContrast) return mixed;
  }
  return '#ffffff';
}

function mixWithWhite(color: string, share: number): string {
  const mixed = readChannels(color).map((value) => Math.round(value + (255 - value) * share));
  return `#${mixed.map((value) => value.toString(16).padStart(2, '0')).join('')}`;
}

function computeLuminance(color: string): number {
  const [red, green, blue] = readChannels(color).map((value) => {
    const share = value / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function readChannels(color: string): number[] {
  return [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));
}
