/**
 * Records of the ZIP format according to APPNOTE 6.3. Files are stored without compression, with names in UTF-8 and
 * sizes after the bytes. ZIP64 records are used if needed. Times are UTC, in the ZIP format and as Unix seconds, which
 * most programs prefer.
 */

/** Largest values of the classic records. Larger values need a ZIP64 record. */
const maxUint32 = 0xffff_ffff;
const maxUint16 = 0xffff;

export interface ZipRecord {
  name: Buffer;
  modified: Date;
  isFolder: boolean;
  /** Offset of the entry's local header in the archive, in bytes. */
  offset: number;
  size: number;
  crc: number;
}

type Header = Pick<ZipRecord, 'name' | 'modified' | 'isFolder'>;

const plainVersion = 20;
const zip64Version = 45;
const madeOnUnix = 3 << 8;
const hasUtf8Name = 0x0800;
const hasSizesBehind = 0x0008;
const fileMode = 0o100644;
const folderMode = 0o040755;
const folderAttribute = 0x10;

export function createZipLocalHeader({ name, modified, isFolder }: Header): Buffer {
  const header = Buffer.alloc(30);
  const time = unixTime(modified);
  header.writeUInt32LE(0x0403_4b50, 0);
  header.writeUInt16LE(plainVersion, 4);
  header.writeUInt16LE(generalFlags(isFolder), 6);
  dosTime(modified, header, 10);
  header.writeUInt16LE(name.length, 26);
  header.writeUInt16LE(time.length, 28);
  return Buffer.concat([header, name, time]);
}

/** Returns the record after a file's bytes, with its size and CRC. */
export function createZipDataDescriptor({ size, crc }: Pick<ZipRecord, 'size' | 'crc'>): Buffer {
  const descriptor = Buffer.alloc(16);
  descriptor.writeUInt32LE(0x0807_4b50, 0);
  descriptor.writeUInt32LE(crc, 4);
  descriptor.writeUInt32LE(size, 8);
  descriptor.writeUInt32LE(size, 12);
  return descriptor;
}

export function createZipCentralRecord({ name, modified, isFolder, offset, size, crc }: ZipRecord): Buffer {
  const needsZip64 = offset >= maxUint32;
  const extra = Buffer.concat([unixTime(modified), needsZip64 ? zip64Offset(offset) : Buffer.alloc(0)]);
  const header = Buffer.alloc(46);
  const version = needsZip64 ? zip64Version : plainVersion;
  header.writeUInt32LE(0x0201_4b50, 0);
  header.writeUInt16LE(madeOnUnix | version, 4);
  header.writeUInt16LE(version, 6);
  header.writeUInt16LE(generalFlags(isFolder), 8);
  dosTime(modified, header, 12);
  header.writeUInt32LE(crc, 16);
  header.writeUInt32LE(size, 20);
  header.writeUInt32LE(size, 24);
  header.writeUInt16LE(name.length, 28);
  header.writeUInt16LE(extra.length, 30);
  header.writeUInt32LE(
    (((isFolder ? folderMode : fileMode) << 16) | (isFolder ? folderAttribute : 0)) >>> 0,
    38,
  );
  header.writeUInt32LE(Math.min(offset, maxUint32), 42);
  return Buffer.concat([header, name, extra]);
}

/**
 * Returns the records at the archive's end. `size` and `offset` describe the central directory in bytes, `count` its
 * records.
 */
export function createZipEndRecords(count: number, size: number, offset: number): Buffer {
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x0605_4b50, 0);
  end.writeUInt16LE(Math.min(count, maxUint16), 8);
  end.writeUInt16LE(Math.min(count, maxUint16), 10);
  end.writeUInt32LE(Math.min(size, maxUint32), 12);
  end.writeUInt32LE(Math.min(offset, maxUint32), 16);
  const isSmall = count < maxUint16 && size < maxUint32 && offset < maxUint32;
  return isSmall ? end : Buffer.concat([zip64End(count, size, offset), end]);
}

function zip64End(count: number, size: number, offset: number): Buffer {
  const end = Buffer.alloc(76);
  end.writeUInt32LE(0x0606_4b50, 0);
  end.writeBigUInt64LE(44n, 4);
  end.writeUInt16LE(madeOnUnix | zip64Version, 12);
  end.writeUInt16LE(zip64Version, 14);
  end.writeBigUInt64LE(BigInt(count), 24);
  end.writeBigUInt64LE(BigInt(count), 32);
  end.writeBigUInt64LE(BigInt(size), 40);
  end.writeBigUInt64LE(BigInt(offset), 48);
  // Locator record, which holds the position of the ZIP64 end record.
  end.writeUInt32LE(0x0706_4b50, 56);
  end.writeBigUInt64LE(BigInt(offset + size), 64);
  end.writeUInt32LE(1, 72);
  return end;
}

function zip64Offset(offset: number): Buffer {
  const field = Buffer.alloc(12);
  field.writeUInt16LE(0x0001, 0);
  field.writeUInt16LE(8, 2);
  field.writeBigUInt64LE(BigInt(offset), 4);
  return field;
}

function generalFlags(isFolder: boolean): number {
  return isFolder ? hasUtf8Name : hasUtf8Name | hasSizesBehind;
}

/** Writes a DOS date and time, in steps of two seconds from 1980 to 2107. */
function dosTime(date: Date, target: Buffer, offset: number): void {
  const year = Math.min(Math.max(date.getUTCFullYear(), 1980), 2107);
  const day = (year - 1980) * 512 + (date.getUTCMonth() + 1) * 32 + date.getUTCDate();
  const time = date.getUTCHours() * 2048 + date.getUTCMinutes() * 32 + Math.floor(date.getUTCSeconds() / 2);
  target.writeUInt16LE(time, offset);
  target.writeUInt16LE(day, offset + 2);
}

/** Returns the "extended timestamp" field, or an empty buffer if the time does not fit into 32 bits. */
function unixTime(date: Date): Buffer {
  const seconds = Math.floor(date.getTime() / 1000);
  if (seconds !== (seconds | 0)) return Buffer.alloc(0);
  const field = Buffer.alloc(9);
  field.writeUInt16LE(0x5455, 0);
  field.writeUInt16LE(5, 2);
  field.writeUInt8(1, 4);
  field.writeInt32LE(seconds, 5);
  return field;
}
