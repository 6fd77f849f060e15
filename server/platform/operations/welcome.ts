/** Prints a block of text for the person who starts the server. Everything after the block is the log. */
import type { AddressInfo } from 'node:net';
import { describePostgres } from '../db/database-location.ts';
import { describeS3Location, parseStorageUrl } from '../storage/s3/url.ts';

/** Address of the gallery and locations of its data. A URL is undefined if its setting is unset. */
export interface GalleryPaths {
  baseUrl: string | undefined;
  dataDir: string;
  databaseUrl: string | undefined;
  storageUrl: string | undefined;
}

/**
 * Prints the gallery's URL, the locations of its data and the next step. `setup` is the code of the link that
 * creates the first admin, if there is no admin. The code is printed only here, never in the log. The code stands after
 * the `#`, so browsers do not send it in the URL and proxies do not log it.
 */
export function printWelcome(
  places: GalleryPaths,
  addresses: (AddressInfo | string)[],
  setup?: string,
): void {
  const url = places.baseUrl ?? localUrl(addresses[0]!);
  const rows: [string, string][] = [
    ['Gallery', url],
    ['Documentation', `${url}/docs`],
    ...dataRows(places),
    ...(setup === undefined ? [] : setupRows(url, setup)),
  ];
  const width = Math.max(...rows.map(([label]) => label.length)) + 2;
  const lines = rows.map(([label, value]) => `  ${label.padEnd(width)}${value}`);
  process.stdout.write(`\n  Lightwell is ready\n\n${lines.join('\n')}\n\n`);
}

function setupRows(url: string, code: string): [string, string][] {
  return [
    ['Create admin account', `${url}/first-run#${code}`],
    ['', '(open this link within an hour; it works once. Without a browser:'],
    ['', ' npm run lightwell -- user create NAME EMAIL --admin)'],
  ];
}

/**
 * Returns a URL that a browser on this machine can open. A server that listens on every IP address is reached as
 * localhost.
 */
function localUrl(listening: AddressInfo | string): string {
  if (typeof listening === 'string') return listening;
  const { address, port, family } = listening;
  const everywhere = ['0.0.0.0', '::', '127.0.0.1', '::1'].includes(address);
  const host = everywhere ? 'localhost' : family === 'IPv6' ? `[${address}]` : address;
  return `http://${host}:${port}`;
}

function dataRows({ dataDir, databaseUrl, storageUrl }: GalleryPaths): [string, string][] {
  if (!databaseUrl && !storageUrl) return [['Data', `${dataDir} (database and photos)`]];
  return [
    ['Photos', storageUrl ? describeS3Location(parseStorageUrl(storageUrl)) : dataDir],
    ['Database', databaseUrl ? describePostgres(databaseUrl) : dataDir],
  ];
}
