/**
 * Describes the location of a database for messages. Passwords, which may also stand in a URL parameter, are left out.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';

export const sqliteFile = (dataDir: string): string => join(dataDir, 'lightwell.db');

export function hasSqlite(dataDir: string): boolean {
  return existsSync(sqliteFile(dataDir));
}

/** Returns `postgres://user@host:5432/name`, without the password. */
export function describePostgres(url: string): string {
  if (!URL.canParse(url)) return 'the database of DATABASE_URL';
  const { protocol, username, host, pathname, searchParams } = new URL(url);
  const server = host || (searchParams.get('host') ?? '');
  return `${protocol}//${username && `${username}@`}${server}${pathname}`;
}

export function describeDatabase({ dataDir, url }: { dataDir: string; url: string | undefined }): string {
  return url ? describePostgres(url) : sqliteFile(dataDir);
}
