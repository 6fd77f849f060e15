import type { ByteWindow } from '../clean/byte-window.ts';
import { structureBounds } from './bounds.ts';
import { createAmountLimit } from './refusals.ts';

const tooLargeReason = 'its color profile is too large';
const profileMarker = 'ICC_PROFILE\0';

/** Checks the size of a JPEG's color profile, which is split into segments of up to 64 KB. */
export function createColorProfileCheck() {
  const countBytes = createAmountLimit(structureBounds.profileBytes, tooLargeReason);
  const copies = new Map<number, () => void>();
  return {
    /** Counts the content of an APP2 segment, without its length. Throws ImageError ('too-large'). */
    async checkSegment(segment: ByteWindow): Promise<void> {
      const head = await segment.from(0, profileMarker.length + 1);
      if (head.toString('latin1', 0, profileMarker.length) !== profileMarker) return;
      countBytes(segment.size);
      const part = head[profileMarker.length] ?? 0;
      const count =
        copies.get(part) ??
        createAmountLimit(structureBounds.profileCopies, 'it has too many color profiles');
      copies.set(part, count);
      count();
    },
  };
}

/** Checks the total bytes of color profiles in a file that stores them unsplit. Throws ImageError ('too-large'). */
export function checkColorProfileBytes(bytes: number): void {
  createAmountLimit(structureBounds.profileBytes, tooLargeReason)(bytes);
}
