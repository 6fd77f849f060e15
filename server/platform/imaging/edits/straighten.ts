/** Sizes of an image that is turned by any angle up to 45 degrees. The editor of the web gallery uses this file too. */
interface Size {
  width: number;
  height: number;
}

/** Pixels at each edge of the inner rectangle that can contain a trace of the empty corners. */
const blendedEdge = 1;

/** Returns the size of the canvas that contains the whole turned image. */
export function computeTurnedSize({ width, height }: Size, angle: number): Size {
  const { sin, cos } = computeSides(angle);
  return {
    width: Math.max(1, Math.round(width * cos + height * sin)),
    height: Math.max(1, Math.round(width * sin + height * cos)),
  };
}

/** Returns the size of the largest upright rectangle that lies inside the turned image. */
export function computeStraightenedSize({ width, height }: Size, angle: number): Size {
  if (angle === 0) return { width, height };
  const { sin, cos } = computeSides(angle);
  const inner = computeInnerRectangle({ width, height }, sin, cos);
  return { width: shrinkSide(inner.width), height: shrinkSide(inner.height) };
}

function computeSides(angle: number): { sin: number; cos: number } {
  const radians = (Math.abs(angle) * Math.PI) / 180;
  return { sin: Math.sin(radians), cos: Math.cos(radians) };
}

function computeInnerRectangle({ width, height }: Size, sin: number, cos: number): Size {
  const [long, short] = width >= height ? [width, height] : [height, width];
  const doubleCos = cos * cos - sin * sin;
  if (short > 2 * sin * cos * long && doubleCos > 1e-9) {
    return {
      width: (width * cos - height * sin) / doubleCos,
      height: (height * cos - width * sin) / doubleCos,
    };
  }
  // A long image touches the rectangle with its two long edges only, at two opposite corners.
  const half = short / 2;
  return width >= height
    ? { width: half / sin, height: half / cos }
    : { width: half / cos, height: half / sin };
}

function shrinkSide(side: number): number {
  return Math.max(1, Math.floor(side) - 2 * blendedEdge);
}
