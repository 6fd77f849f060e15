/** Writes an ICC profile for colors that are declared by numbers, so that libvips converts them like any profile. */
import type { DeclaredColor } from '../../structure/color.ts';
import { computeLight } from './light.ts';

/** Number of values of a curve. With fewer, dark parts of HDR pictures would have steps. */
const curveValues = 4096;
/** Largest number that a profile can hold. Odd chromaticities lead to larger ones. */
const maxXyz = 32_767;
const headBytes = 128;
const entryBytes = 12;

type Vector = [number, number, number];
type Matrix = [Vector, Vector, Vector];

/** White of the space in which profiles describe colors: D50. */
const profileWhite: Vector = [0.9642, 1, 0.8249];
/** Bradford's matrix from XYZ to the responses of the eye's cones. */
const cones: Matrix = [
  [0.8951, 0.2664, -0.1614],
  [-0.7502, 1.7135, 0.0367],
  [0.0389, -0.0685, 1.0296],
];

export function createColorProfile({ chromaticities, curve }: DeclaredColor): Buffer {
  const [red, green, blue] = computeColorants(chromaticities);
  const values = createCurve((value) => computeLight(curve, value));
  const tags: [name: string, data: Buffer][] = [
    ['wtpt', createXyz(profileWhite)],
    ['rXYZ', createXyz(red)],
    ['gXYZ', createXyz(green)],
    ['bXYZ', createXyz(blue)],
    ['rTRC', values],
    ['gTRC', values],
    ['bTRC', values],
  ];
  return writeProfile(tags);
}

/** Returns the XYZ values of red, green and blue, which add up to the white of profiles. */
function computeColorants(chromaticities: number[]): Matrix {
  const [rx = 0, ry = 0, gx = 0, gy = 0, bx = 0, by = 0, wx = 0, wy = 0] = chromaticities;
  const primaries: Matrix = [toXyz(rx, ry), toXyz(gx, gy), toXyz(bx, by)];
  const white = toXyz(wx, wy);
  const amounts = multiply(invert(transpose(primaries)), white);
  const from = multiply(cones, white);
  const to = multiply(cones, profileWhite);
  return primaries.map((primary, index) => {
    const seen = multiply(cones, primary.map((value) => value * amounts[index]!) as Vector);
    const adapted = seen.map((value, cone) => (value * to[cone]!) / from[cone]!) as Vector;
    return multiply(invert(cones), adapted);
  }) as Matrix;
}

const toXyz = (x: number, y: number): Vector => [x / y, 1, (1 - x - y) / y];

const multiply = (matrix: Matrix, vector: Vector): Vector =>
  matrix.map((row) => row[0] * vector[0] + row[1] * vector[1] + row[2] * vector[2]) as Vector;

const transpose = (matrix: Matrix): Matrix =>
  matrix.map((_, index) => matrix.map((row) => row[index]!)) as Matrix;

function invert([[a, b, c], [d, e, f], [g, h, i]]: Matrix): Matrix {
  const determinant = a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g);
  const cofactors: Matrix = [
    [e * i - f * h, c * h - b * i, b * f - c * e],
    [f * g - d * i, a * i - c * g, c * d - a * f],
    [d * h - e * g, b * g - a * h, a * e - b * d],
  ];
  return cofactors.map((row) => row.map((value) => value / determinant)) as Matrix;
}

function createXyz(values: Vector): Buffer {
  const data = Buffer.alloc(20);
  data.write('XYZ ', 'latin1');
  values.forEach((value, index) => {
    const bounded = Math.max(-maxXyz, Math.min(maxXyz, value));
    data.writeInt32BE(Math.round(bounded * 65_536), 8 + index * 4);
  });
  return data;
}

function createCurve(compute: (value: number) => number): Buffer {
  const data = Buffer.alloc(12 + curveValues * 2);
  data.write('curv', 'latin1');
  data.writeUInt32BE(curveValues, 8);
  for (let index = 0; index < curveValues; index++) {
    data.writeUInt16BE(Math.round(compute(index / (curveValues - 1)) * 65_535), 12 + index * 2);
  }
  return data;
}

/** Writes a profile of version 2.4 for RGB. Equal data is written once. */
function writeProfile(tags: [name: string, data: Buffer][]): Buffer {
  const head = Buffer.alloc(headBytes + 4 + tags.length * entryBytes);
  head.writeUInt32BE(0x02400000, 8);
  head.write('mntrRGB XYZ ', 12, 'latin1');
  head.write('acsp', 36, 'latin1');
  createXyz(profileWhite).copy(head, 68, 8);
  head.writeUInt32BE(tags.length, headBytes);
  const positions = new Map<Buffer, number>();
  let end = head.length;
  tags.forEach(([name, data], index) => {
    const position = positions.get(data) ?? end;
    if (!positions.has(data)) end += data.length;
    positions.set(data, position);
    const at = headBytes + 4 + index * entryBytes;
    head.write(name, at, 'latin1');
    head.writeUInt32BE(position, at + 4);
    head.writeUInt32BE(data.length, at + 8);
  });
  head.writeUInt32BE(end, 0);
  return Buffer.concat([head, ...positions.keys()]);
}
