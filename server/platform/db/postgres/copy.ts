/** COPY … FROM STDIN: rows into PostgreSQL in a fraction of the time that INSERT takes. */
import pg from 'pg';
import type { Value } from '../bulk.ts';

/** The two of pg's methods that COPY needs; its types leave them out. */
interface CopyConnection {
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
}

/** Adds the rows. `into`: the quoted table with its columns. */
export async function copyInto(client: pg.Client, into: string, rows: Value[][]): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const query = new pg.Query(`COPY ${into} FROM STDIN`);
  Object.assign(query, {
    callback: (error: Error | null) => (error ? reject(error) : resolve()),
    handleCopyInResponse(connection: CopyConnection) {
      connection.sendCopyFromChunk(Buffer.from(rows.map(lineOf).join('')));
      connection.endCopyFrom();
    },
  });
  client.query(query);
  await promise;
}

function lineOf(row: Value[]): string {
  return `${row.map(fieldOf).join('\t')}\n`;
}

const special: Record<string, string> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };

function fieldOf(value: Value): string {
  if (value === null) return '\\N';
  if (typeof value === 'string') return value.replace(/[\\\t\n\r]/g, (character) => special[character]!);
  if (typeof value === 'object') return `\\\\x${Buffer.from(value.base64, 'base64').toString('hex')}`;
  return String(value);
}
