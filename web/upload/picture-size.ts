/** Reads the size of a picture from the start of its file, so that a picture that is too large is not sent. */

/** Bytes to read. Cameras write Exif data and a thumbnail before the size, at most 64 kB each. */
const headBytes = 256 * 1024;
const pngSignature = 0x89504e47;
const jpegStart = 0xffd8;

/** Returns the megapixels of a JPEG or PNG, or undefined if the start of the file does not tell. */
export async function readMegapixels(file: Blob): Promise<number | undefined> {
  const head = new DataView(await file.slice(0, headBytes).arrayBuffer());
  if (head.byteLength < 24) return undefined;
  if (head.getUint32(0) === pngSignature) return (head.getUint32(16) * head.getUint32(20)) / 1e6;
  return head.getUint16(0) === jpegStart ? readJpegMegapixels(head) : undefined;
}

function readJpegMegapixels(head: DataView): number | undefined {
  for (let at = 2; at + 9 < head.byteLength; at += 2 + head.getUint16(at + 2)) {
    const marker = head.getUint16(at);
    if (isFrameStart(marker)) return (head.getUint16(at + 5) * head.getUint16(at + 7)) / 1e6;
    if (marker < 0xffc0 || head.getUint16(at + 2) < 2) return undefined;
  }
  return undefined;
}

/** SOF0 to SOF15 begin a frame, except the tables DHT, JPG and DAC. */
function isFrameStart(marker: number): boolean {
  return marker >= 0xffc0 && marker <= 0xffcf && ![0xffc4, 0xffc8, 0xffcc].includes(marker);
}
