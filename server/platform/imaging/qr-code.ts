/** A link as a QR code. */
import { sharp } from './sharp.ts';

/** Modules of white around the code: the standard asks for four, and cameras need them. */
const quietZone = 4;
const pixelsPerModule = 8;

/** A PNG as a data URI, with medium error correction: a seventh of the code may be dirty. */
export async function qrCodeOf(text: string): Promise<string> {
  const { encodeQR } = await import('qr');
  const modules = encodeQR(text, 'raw', { ecc: 'medium', border: quietZone });
  const side = modules.length;
  const pixels = Buffer.from(modules.flatMap((row) => row.map((isDark) => (isDark ? 0 : 255))));
  const png = await sharp(pixels, { raw: { width: side, height: side, channels: 1 } })
    .resize(side * pixelsPerModule, side * pixelsPerModule, { kernel: 'nearest' })
    .toColourspace('b-w')
    .png()
    .toBuffer();
  return `data:image/png;base64,${png.toString('base64')}`;
}
