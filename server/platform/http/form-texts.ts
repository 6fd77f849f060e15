/**
 * Looks at the bytes of a multipart form as they pass, and says which of its texts are not UTF-8. The form's parser
 * decodes names, file names and values by itself, and puts U+FFFD where it cannot.
 */
import { isAscii, isUtf8 } from 'node:buffer';

export interface TextBounds {
  /** Longer headers and values are the parser's to refuse: these are not looked at. */
  maxHeaderBytes: number;
  maxValueBytes: number;
}

/** Returns what is given each chunk of the form, before the parser is. `onBroken` is told the field's name. */
export function watchFormTexts(
  contentType: string,
  { maxHeaderBytes, maxValueBytes }: TextBounds,
  onBroken: (field: string) => void,
): (chunk: Buffer) => void {
  const [, quoted, plain] = boundaryOf.exec(contentType) ?? [];
  const boundary = quoted ?? plain;
  if (boundary === undefined) return () => {};
  const delimiter = Buffer.from(`\r\n--${boundary}`, 'latin1');
  /** What may be the beginning of a delimiter, or of a header. */
  let held: Buffer = Buffer.from('\r\n');
  let isInHeader = false;
  let isOver = false;
  let value: Value | undefined;

  /** Both return what comes after, undefined where more has to come. */
  function readHeader(bytes: Buffer): Buffer | undefined {
    const end = bytes.indexOf('\r\n\r\n');
    isOver = bytes.toString('latin1', 0, 2) === '--' || (end < 0 && bytes.length > maxHeaderBytes);
    if (isOver || end < 0) return hold(bytes);
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
    if (end < 0) return hold(bytes.subarray(length));
    const isShort = value && value.length <= maxValueBytes;
    if (isShort && !value!.isWhole(Buffer.concat(value!.chunks))) onBroken(value!.name);
    value = undefined;
    isInHeader = true;
    return bytes.subarray(end + delimiter.length);
  }

  function hold(bytes: Buffer): undefined {
    held = bytes;
  }

  return (chunk) => {
    let bytes: Buffer | undefined = Buffer.concat([held, chunk]);
    held = nothing;
    while (bytes && !isOver) bytes = isInHeader ? readHeader(bytes) : readValue(bytes);
  };
}

const boundaryOf = /;\s*boundary=(?:"([^"]+)"|([^\s;]+))/i;
const nothing = Buffer.alloc(0);

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
  const isWhole = checks[charset.toLowerCase()];
  // As the parser tells files from fields.
  const isFile = /[;\s]filename\*?=/i.test(text) || /^content-type:\s*application\/octet-stream/im.test(text);
  const isEncoded = /^content-transfer-encoding:\s*(base64|quoted-printable)/im.test(text);
  return {
    name,
    isBroken: !isUtf8(header) || hasBrokenParameter(text) || (!isFile && (isEncoded || !isWhole)),
    /** Of a file undefined. */
    isWhole: isFile ? undefined : isWhole,
  };
}

/** What the parser decodes as it was meant; it takes texts of any other name for UTF-8, or for something else. */
const checks: Record<string, (bytes: Buffer) => boolean> = {
  'utf-8': isUtf8,
  utf8: isUtf8,
  ascii: isAscii,
  'us-ascii': isAscii,
  'iso-8859-1': () => true,
  latin1: () => true,
};

/** `filename*=UTF-8''%ff`, as RFC 5987 has it. */
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
