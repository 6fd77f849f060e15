import type { ByteWindow } from '../../clean/byte-window.ts';
import { type DeclaredColor, lookUpColors, readColorNumbers, readPngColors } from '../color.ts';

/** Chunks that declare colors, with their bytes. A chunk of another length is ignored. */
const colorChunks: Record<string, number> = { cICP: 4, cHRM: 32, gAMA: 4 };
/** Chunks that count before chromaticities and gamma. */
const nearerChunks = ['iCCP', 'sRGB'];

/**
 * Creates a record of the color chunks of a PNG. The standard gives the order in which they count: `cICP`, a profile or
 * `sRGB`, then `cHRM` and `gAMA`. Only chunks before the pixels count.
 */
export function createPngColorRecord() {
  const found = new Map<string, Buffer>();
  let isNearer = false;
  let hasProfile = false;
  let isAfterPixels = false;
  return {
    async add(type: string, data: ByteWindow): Promise<void> {
      isAfterPixels ||= type === 'IDAT';
      if (isAfterPixels) return;
      isNearer ||= nearerChunks.includes(type);
      hasProfile ||= type === 'iCCP';
      const bytes = Object.hasOwn(colorChunks, type) ? colorChunks[type]! : 0;
      if (bytes === 0 || data.size !== bytes || found.has(type)) return;
      found.set(type, Buffer.from((await data.from(0, bytes)).subarray(0, bytes)));
    },
    read(): DeclaredColor | undefined {
      const numbers = found.get('cICP');
      // Decoders would apply the profile, so its picture is converted even if the numbers mean sRGB.
      if (numbers) return (hasProfile ? lookUpColors : readColorNumbers)(numbers[0]!, numbers[1]!);
      return isNearer ? undefined : readPngColors(found.get('cHRM'), found.get('gAMA'));
    },
  };
}
