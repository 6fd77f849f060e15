/** Creates ZIPs byte by byte, so that they can contain false values. */
import { crc32, deflateRawSync } from 'node:zlib';

export interface HostileEntry {
  name: string;
  content?: Buffer | string;
  isDeflated?: boolean;
  /** A false size in the central directory. */
  size?: number;
  crc?: number;
  /** Unix file mode in the central directory, including the file type. */
  mode?: number;
  isEncrypted?: boolean;
  /** Index of an entry whose bytes this entry shares. */
  bytesOf?: number;
}

/** Creates a ZIP. `count` is the number of entries that the ZIP claims to have. */
export function createHostileZip(entries: HostileEntry[], count = entries.length): Buffer {
  const parts: Buffer[] = [];
  const list: Buffer[] = [];
  const offsets: number[] = [];
  let offset = 0;
  for (const entry of entries) {
    const { name, content = '', isDeflated = false, mode = 0, isEncrypted = false, bytesOf } = entry;
    const bytes = Buffer.from(content);
    const packed = isDeflated ? deflateRawSync(bytes) : bytes;
    const fields = Buffer.alloc(26);
    fields.writeUInt16LE(20, 0);
    fields.writeUInt16LE(0x800 | (isEncrypted ? 1 : 0), 2);
    fields.writeUInt16LE(isDeflated ? 8 : 0, 4);
    fields.writeUInt16LE(0x5821, 8);
    fields.writeUInt32LE(entry.crc ?? crc32(bytes), 10);
    fields.writeUInt32LE(packed.length, 14);
    fields.writeUInt32LE(entry.size ?? bytes.length, 18);
    fields.writeUInt16LE(Buffer.byteLength(name), 22);
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), fields, Buffer.from(name), packed]);
    offsets.push(bytesOf === undefined ? offset : offsets[bytesOf]!);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE((mode << 16) >>> 0, 6);
    tail.writeUInt32LE(offsets.at(-1)!, 10);
    list.push(Buffer.from('PK\x01\x02'), Buffer.from([20, 3]), fields, tail, Buffer.from(name));
    if (bytesOf !== undefined) continue;
    parts.push(local);
    offset += local.length;
  }
  const size = list.reduce((sum, { length }) => sum + length, 0);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(count, 8);
  end.writeUInt16LE(count, 10);
  end.writeUInt32LE(size, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...parts, ...list, end]);
}
