/**
 * The bytes of a ZIP archive, and the errors of its reader. The modules of this folder run in Node and in browsers, so
 * they use no interface that only Node has.
 */

/** An archive where it lies: a file on the disk, or a file that a user chose in a browser. */
export interface ZipSource {
  /** Bytes of the whole archive. */
  size: number;
  /** Reads exactly `length` bytes. Rejects if the file cannot be read or has become shorter. */
  read(offset: number, length: number): Promise<Uint8Array<ArrayBuffer>>;
}

/** Thrown if the whole archive is refused. The message is a sentence for the user. */
export class BadZip extends Error {
  override readonly name = 'BadZip';
}

/** Thrown if one file of an archive cannot be unpacked. The message is a sentence for the user. */
export class BadZipEntry extends Error {
  override readonly name = 'BadZipEntry';
}

export function viewBytes({ buffer, byteOffset, byteLength }: Uint8Array): DataView {
  return new DataView(buffer, byteOffset, byteLength);
}

/** Reads a number of eight bytes. Numbers above 2^53 lose digits, and no file is that large. */
export function readUint64(view: DataView, offset: number): number {
  return Number(view.getBigUint64(offset, true));
}
