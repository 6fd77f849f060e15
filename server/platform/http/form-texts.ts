/**
 * Checks that names, file names and values of a multipart form are valid UTF-8 while its bytes stream. The form parser
 * silently replaces invalid bytes with U+FFFD.
 */
import { isAscii, isUtf8 } from 'node:buffer';

export interface FormTextBounds {
  /** Maximum bytes of a part's header. The parser rejects longer headers and values. */
  maxHeaderBytes: number;
  maxValueBytes: number;
}

/**
 * Returns a function that checks each chunk of a form's body before the form parser reads the chunk. `onBroken` is
 * called with the name of each field whose name, file name or value is invalid UTF-8.
 */
export function watchFormTexts(
  contentType: string,
  { maxHeaderBytes, maxValueBytes }: FormTextBounds,
  onBroken: (field: string) => void,
): (chunk: Buffer) => void {
  const [, quoted, plain] = boundaryPattern.exec(contentType) ?? [];
  const boundary = quoted ?? plain;
  if (boundary === undefined) return () => {};
  const delimiter = Buffer.from(`\r\n--${boundary}`, 'latin1');
  /** Bytes that may begin a delimiter, or an incomplete header. */
  let held: Buffer = Buffer.from('\r\n');
  let isInHeader = false;
  let isOver = false;
  let value: Value | undefined;

  /**
   * Reads a part's header. Returns the bytes after the header, or undefined until more bytes arrive. `readValue` works
   * the same way.
   */
  function readHeader(bytes: Buffer): Buffer | undefined {
    const end = bytes.indexOf('\r\n\r\n');
    isOver = bytes.toString('latin1', 0, 2) === '--' || (end < 0 && bytes.length > maxHeaderBytes);
    if (isOver || end < 0) return holdBytes(bytes);
    const part = readPart(bytes.subarray(0, end));
    if (part.isBroken) onBroken(part.name);
    value = part.isWhole && { name: part.name, isWhole: part.isWhole, chunks: [], length: 0 };
    isInHeader = false;
    return bytes.subarray(end + 4);
  }

  function readValue(bytes: Buffer): Buffer | undefined {
    const end = bytes.indexOf(delimiter);
    const length = end < 0 ? Math.max(0, bytes.length - delimiter.length + 1) : end;
    if (value) {
      value.length += length;
      if (value.length <= maxValueBytes) value.chunks.push(bytes.subarray(0, length));
    }
    if (end < 0) return holdBytes(bytes.subarray(length));
    const isShort = value && value.length <= maxValueBytes;
    if (isShort && !value!.isWhole(Buffer.concat(value!.chunks))) onBroken(value!.name);
    value = undefined;
    isInHeader = true;
    return bytes.subarray(end + delimiter.length);
  }

  function holdBytes(bytes: Buffer): undefined {
    held = bytes;
  }

  /** Prepends the bytes held back. Most chunks lie within a file and are not copied. */
  function joinHeld(chunk: Buffer): Buffer {
    const isInFile = !isInHeader && value === undefined && chunk.length > delimiter.length;
    const seam = Buffer.concat([held, chunk.subarray(0, delimiter.length)]);
    return isInFile && !seam.includes(delimiter) ? chunk : Buffer.concat([held, chunk]);
  }

  return (chunk) => {
    let bytes: Buffer | undefined = joinHeld(chunk);
    held = emptyBuffer;
    while (bytes && !isOver) bytes = isInHeader ? readHeader(bytes) : readValue(bytes);
  };
}

const boundaryPattern = /;\s*boundary=(?:"([^"]+)"|([^\s;]+))/i;
const emptyBuffer = Buffer.alloc(0);

interface Value {
  name: string;
  isWhole(bytes: Buffer): boolean;
  chunks: Buffer[];
  length: number;
}

function readPart(header: Buffer) {
  const text = header.toString('latin1');
  const name = /[;\s]name="?([^";\r\n]*)/i.exec(header.toString())?.[1] || 'form';
  const [, charset = 'utf-8'] = /^content-type:.*;\s*charset="?([^\s";]+)/im.exec(text) ?? [];
  const isWhole = checkByCharset[charset.toLowerCase()];
  // The form parser distinguishes files from fields in the same way.
  const isFile = /[;\s]filename\*?=/i.test(text) || /^content-type:\s*application\/octet-stream/im.test(text);
  const isEncoded = /^content-transfer-encoding:\s*(base64|quoted-printable)/im.test(text);
  return {
    name,
    isBroken: !isUtf8(header) || hasBrokenParameter(text) || (!isFile && (isEncoded || !isWhole)),
    /** Function that checks the encoding of a field's value. Undefined for a file. */
    isWhole: isFile ? undefined : isWhole,
  };
}

/** Checks by charset. The parser does not decode any other charset correctly. */
const checkByCharset: Record<string, (bytes: Buffer) => boolean> = {
  'utf-8': isUtf8,
  utf8: isUtf8,
  ascii: isAscii,
  'us-ascii': isAscii,
  'iso-8859-1': () => true,
  latin1: () => true,
};

/** Finds invalid parameters in the syntax of RFC 5987, such as `filename*=UTF-8''%ff`. */
function hasBrokenParameter(header: string): boolean {
  for (const [, charset, encoded] of header.matchAll(/\*=\s*"?([\w-]*)'[^']*'([^\s";]*)/g)) {
    if (!/^utf-?8$/i.test(charset!) || !isDecodable(encoded!)) return true;
  }
  return false;
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}
