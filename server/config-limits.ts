/** Reads the settings that limit calls of the API and statements of the database. */
import type { PostgresLimits } from './platform/db/postgres/postgres.ts';
import { parseFlag, parseInteger, type ReadSetting } from './platform/process/settings.ts';

const parseRateLimit = parseInteger(0, 1_000_000_000);

export function readRateLimits(read: ReadSetting) {
  const rateLimit = read('RATE_LIMIT', parseRateLimit, 60);
  return {
    rateLimit,
    webRateLimit: read('WEB_RATE_LIMIT', parseRateLimit, chooseWebRateLimit(rateLimit)),
    uploadRateLimit: read('UPLOAD_RATE_LIMIT', parseRateLimit, 600),
  };
}

/** Returns the default of WEB_RATE_LIMIT. A browser needs more calls than a program, so it never gets fewer. */
function chooseWebRateLimit(rateLimit: number): number {
  return rateLimit === 0 ? 0 : Math.max(600, rateLimit);
}

export function readDatabaseLimits(read: ReadSetting): PostgresLimits {
  const readMs = (name: string, least: number, preset: number) =>
    read(name, parseInteger(least, 3600), preset) * 1000;
  return {
    pool: read('DATABASE_POOL', parseInteger(1, 1000), 10),
    connectTimeoutMs: readMs('DATABASE_CONNECT_TIMEOUT', 1, 5),
    statementTimeoutMs: readMs('DATABASE_STATEMENT_TIMEOUT', 0, 15),
    lockTimeoutMs: readMs('DATABASE_LOCK_TIMEOUT', 0, 5),
    prepares: read('DATABASE_PREPARE', parseFlag, true),
  };
}
