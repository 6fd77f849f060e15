/** Number of coefficients of a block. */
const blockCoefficients = 64;
const scanHead = 5;

/** Fields of a frame that determine which scans a complete picture has. */
interface FrameForScans {
  /** Ids of the color components. */
  componentIds: number[];
  isProgressive: boolean;
}

/**
 * Creates a record of the scans of a JPEG. The record shows whether the scans bring every coefficient of every color
 * component down to its last bit.
 */
export function createScanRecord() {
  /** By component id: the lowest bit of each coefficient that a scan has brought. */
  const lowestBits = new Map<number, (number | undefined)[]>();
  return {
    /** Adds a scan. `segment` is its header with marker and length. */
    add(segment: Buffer): void {
      const components = segment[4] ?? 0;
      const tail = scanHead + components * 2;
      if (segment.length < tail + 3) return;
      const [start, end, bits] = [segment[tail]!, segment[tail + 1]!, segment[tail + 2]!];
      for (let index = 0; index < components; index++) {
        const id = segment[scanHead + index * 2]!;
        const lowest = lowestBits.get(id) ?? [];
        for (let at = start; at <= end && at < blockCoefficients; at++) lowest[at] = bits & 15;
        lowestBits.set(id, lowest);
      }
    },
    isComplete({ componentIds, isProgressive }: FrameForScans): boolean {
      return componentIds.every((id) => {
        const lowest = lowestBits.get(id);
        if (!lowest || !isProgressive) return lowest !== undefined;
        return lowest.length === blockCoefficients && lowest.every((bit) => bit === 0);
      });
    },
  };
}
