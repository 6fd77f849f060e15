/** Where a database is, for messages: never with a password, which may also stand in a parameter. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';

export const sqliteFile = (dataDir: string): string => join(dataDir, 'lightwell.db');

export function hasSqlite(dataDir: string): boolean {
  return existsSync(sqliteFile(dataDir));
}

/** `postgres://user@host:5432/name` */
export function postgresPlace(url: string): string {
  if (!URL.canParse(url)) return 'the database of DATABASE_URL';
  const { protocol, username, host, pathname, searchParams } = new URL(url);
  const server = host || (searchParams.get('host') ?? '');
  return `${protocol}//${username && `${username}@`}${server}${pathname}`;
}

export function databasePlace({ dataDir, url }: { dataDir: string; url: string | undefined }): string {
  return url ? postgresPlace(url) : sqliteFile(dataDir);
}
