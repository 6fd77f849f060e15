/** Creates QR codes for links. */
import { crc32, deflateSync } from 'node:zlib';

/** White margin around the code in modules. The standard requires four modules, and cameras need the margin. */
const quietZone = 4;
/** Pixels per module in each direction. At one bit per pixel, one module fills a byte of a row. */
const pixelsPerModule = 8;

/** Returns a PNG as a data URI. Medium error correction allows a seventh of the code to be dirty. */
export async function renderQrCode(text: string): Promise<string> {
  const { encodeQR } = await import('qr');
  const modules = encodeQR(text, 'raw', { ecc: 'medium', border: quietZone });
  const rows = modules.flatMap((row) => {
    const pixels = Buffer.from([noFilter, ...row.map((isDark) => (isDark ? 0 : 255))]);
    return Array<Buffer>(pixelsPerModule).fill(pixels);
  });
  const png = blackAndWhite(modules.length * pixelsPerModule, Buffer.concat(rows));
  return `data:image/png;base64,${png.toString('base64')}`;
}

const noFilter = 0;
const pngSignature = Buffer.from('89504e470d0a1a0a', 'hex');

/** Returns a square PNG with one bit per pixel. Each row begins with its filter byte. */
function blackAndWhite(side: number, rows: Buffer): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(side, 0);
  header.writeUInt32BE(side, 4);
  header[8] = 1;
  return Buffer.concat([
    pngSignature,
    writePngChunk('IHDR', header),
    writePngChunk('IDAT', deflateSync(rows)),
    writePngChunk('IEND', Buffer.alloc(0)),
  ]);
}

function writePngChunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}
