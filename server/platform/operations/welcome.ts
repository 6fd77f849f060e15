/** The one block that a start prints for the person who started it; everything after it is the log. */
import type { AddressInfo } from 'node:net';
import { postgresPlace } from '../db/place.ts';
import { describePlace, parseStorageUrl } from '../storage/s3/url.ts';

/** The address of the gallery and the places of its data. A URL is undefined if its setting is. */
export interface GalleryPlaces {
  baseUrl: string | undefined;
  dataDir: string;
  databaseUrl: string | undefined;
  storageUrl: string | undefined;
}

/**
 * Writes to standard output where the gallery listens, where its data lies, and what to do next. `setup`: the code of
 * the link that makes the first admin, where there is none. It stands here alone, never in the log; after the `#`, so
 * that no browser sends it anywhere but in a body, and no proxy writes it down.
 */
export function printWelcome(
  places: GalleryPlaces,
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
    ['Make the admin', `${url}/first-run#${code}`],
    ['', '(open it within an hour, it works once; or, without a browser:'],
    ['', ' npm run lightwell -- user create NAME EMAIL --admin)'],
  ];
}

/** An address that a browser on this machine opens; "every address" is called localhost. */
function localUrl(listening: AddressInfo | string): string {
  if (typeof listening === 'string') return listening;
  const { address, port, family } = listening;
  const everywhere = ['0.0.0.0', '::', '127.0.0.1', '::1'].includes(address);
  const host = everywhere ? 'localhost' : family === 'IPv6' ? `[${address}]` : address;
  return `http://${host}:${port}`;
}

function dataRows({ dataDir, databaseUrl, storageUrl }: GalleryPlaces): [string, string][] {
  if (!databaseUrl && !storageUrl) return [['Data', `${dataDir} (database and photos)`]];
  return [
    ['Photos', storageUrl ? describePlace(parseStorageUrl(storageUrl)) : dataDir],
    ['Database', databaseUrl ? postgresPlace(databaseUrl) : dataDir],
  ];
}
