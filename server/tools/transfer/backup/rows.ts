/** Yields the rows of an entry in batches of a few megabytes, so that entries can have any size. */
import type { ColumnValue } from '../../../platform/db/bulk.ts';
import { damagedArchiveError, maxBackupEntryBytes } from './format.ts';
import type { BackupEntry } from './reader.ts';

/** Maximum rows and bytes of a batch. A larger single row is a batch of its own. */
const batchRows = 2000;
const batchBytes = 4 * 1024 * 1024;

const newlineByte = 10;

export async function* readBackupRows({ path, bytes }: BackupEntry): AsyncGenerator<ColumnValue[][]> {
  let rows: ColumnValue[][] = [];
  let size = 0;
  for await (const line of readLines(path, bytes)) {
    rows.push(parseRow(path, line));
    size += line.length;
    if (rows.length < batchRows && size < batchBytes) continue;
    yield rows;
    rows = [];
    size = 0;
  }
  if (rows.length > 0) yield rows;
}

async function* readLines(path: string, bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let pieces: Buffer[] = [];
  let size = 0;
  const addPiece = (piece: Buffer) => {
    size += piece.length;
    if (size > maxBackupEntryBytes.row)
      throw damagedArchiveError(`a row in ${path} is larger than ${maxBackupEntryBytes.row} bytes`);
    pieces.push(piece);
  };
  for await (const chunk of bytes) {
    let start = 0;
    for (let end = chunk.indexOf(newlineByte); end !== -1; end = chunk.indexOf(newlineByte, start)) {
      addPiece(chunk.subarray(start, end));
      yield Buffer.concat(pieces);
      pieces = [];
      size = 0;
      start = end + 1;
    }
    addPiece(chunk.subarray(start));
  }
  if (size > 0) yield Buffer.concat(pieces);
}

function parseRow(path: string, line: Buffer): ColumnValue[] {
  let row: unknown;
  try {
    row = JSON.parse(line.toString());
  } catch {
    // Invalid JSON is handled below, like a row that is not an array.
  }
  if (!Array.isArray(row)) throw damagedArchiveError(`a line in ${path} is not a row`);
  return row;
}
