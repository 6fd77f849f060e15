/** The one block that a start prints for the person who started it; everything after it is the log. */
import type { AddressInfo } from 'node:net';
import type { Config } from '../../config.ts';
import { postgresPlace } from '../db/place.ts';
import { describePlace, parseStorageUrl } from '../storage/s3/url.ts';

/** Writes to standard output where the gallery listens, where its data lies, and what to do next. */
export function printWelcome(config: Config, addresses: (AddressInfo | string)[]): void {
  const url = config.baseUrl ?? localUrl(addresses[0]!);
  const rows: [string, string][] = [
    ['Gallery', url],
    ['Documentation', `${url}/docs`],
    ...dataRows(config),
    ['Make an admin', 'npm run lightwell -- user create NAME EMAIL --admin'],
    ['', '(or set ADMIN_USERNAME, ADMIN_EMAIL and ADMIN_PASSWORD and start again)'],
  ];
  const width = Math.max(...rows.map(([label]) => label.length)) + 2;
  const lines = rows.map(([label, value]) => `  ${label.padEnd(width)}${value}`);
  process.stdout.write(`\n  Lightwell is ready\n\n${lines.join('\n')}\n\n`);
}

/** An address that a browser on this machine opens; "every address" is called localhost. */
function localUrl(listening: AddressInfo | string): string {
  if (typeof listening === 'string') return listening;
  const { address, port, family } = listening;
  const everywhere = ['0.0.0.0', '::', '127.0.0.1', '::1'].includes(address);
  const host = everywhere ? 'localhost' : family === 'IPv6' ? `[${address}]` : address;
  return `http://${host}:${port}`;
}

function dataRows({ dataDir, databaseUrl, storageUrl }: Config): [string, string][] {
  if (!databaseUrl && !storageUrl) return [['Data', `${dataDir} (database and photos)`]];
  return [
    ['Photos', storageUrl ? describePlace(parseStorageUrl(storageUrl)) : dataDir],
    ['Database', databaseUrl ? postgresPlace(databaseUrl) : dataDir],
  ];
}
