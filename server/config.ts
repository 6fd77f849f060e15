/**
 * Reads the settings from environment variables once. No other module reads `process.env`. All mistakes are collected,
 * so that the operator sees every one at the first start.
 */
import { resolve } from 'node:path';
import { readDatabaseLimits, readRateLimits } from './config-limits.ts';
import { type OidcSettings, readOidc } from './config-oidc.ts';
import { createReader, type EnvironmentVariables, findMisspelledSettings } from './config-reader.ts';
import type { PostgresLimits } from './platform/db/postgres/postgres.ts';
import { Level, type LevelName } from './platform/db/states.ts';
import { defaultMegapixels } from './platform/imaging/limits.ts';
import {
  createPatternParser,
  createZeroOrParser,
  findAnyAddress,
  parseChoice,
  parseDatabaseUrl,
  parseFlag,
  parseInteger,
  parseMegabytes,
  parseOrigins,
  parseRedisUrl,
  parseSecret,
  parseSender,
  parseSiteUrl,
  parseSmtpUrl,
  parseTextSetting,
  parseTrustProxy,
  type ReadSetting,
  type SettingParser,
  type TrustProxy,
} from './platform/process/settings.ts';
import type { S3Keys } from './platform/storage/s3/client.ts';
import { parseStorageUrl } from './platform/storage/s3/url.ts';

/** Cost parameters of a password hash by Argon2id: memory in KiB, number of passes, number of lanes. */
export interface PasswordCosts {
  memory: number;
  passes: number;
  parallelism: number;
}

export const owaspCosts: PasswordCosts = { memory: 19_456, passes: 2, parallelism: 1 };

export interface Config {
  port: number;
  host: string;
  dataDir: string;
  /** Database URL, `postgres://…`. Undefined selects SQLite in `dataDir`. */
  databaseUrl: string | undefined;
  databaseLimits: PostgresLimits;
  /** Milliseconds that a start waits for a database or a bucket that cannot be reached yet. */
  startTimeoutMs: number;
  /** Milliseconds that the server serves after SIGTERM while it is not ready for more traffic. */
  stopDelayMs: number;
  /** Storage URL, `s3://…`. Undefined selects files in `dataDir`. */
  storageUrl: string | undefined;
  /** Access keys for S3. Undefined lets the AWS SDK search its usual places, such as its configuration files. */
  storageKeys: S3Keys | undefined;
  /** Whether browsers fetch image bytes directly from the S3 bucket by a signed URL. */
  storageRedirect: boolean;
  /** Redis URL, `redis://…` or `rediss://…`. Undefined means that each process counts rate limits in its own memory. */
  redisUrl: string | undefined;
  /** Public base URL of the gallery, without a trailing slash. Undefined means that each request's host is used. */
  baseUrl: string | undefined;
  /**
   * Name of the gallery as its pages and mails show it. Undefined means that the stored setting applies
   * (`gallery/identity/site-settings.ts`), as for `defaultLevel`, `registration` and `defaultQuotaBytes`.
   */
  siteName: string | undefined;
  /** Maximum requests per minute for one user or one IP address. 0 turns the limit off. */
  rateLimit: number;
  /**
   * Maximum calls and pages per minute for all browser sessions of one account together. 0 turns the limit off.
   */
  webRateLimit: number;
  /** Maximum calls of resumable uploads per minute for one user or one IP address. 0 turns the limit off. */
  uploadRateLimit: number;
  /** Lifetime of a session token in seconds. */
  tokenTtl: number;
  /**
   * Seconds after which an unused session expires, at least 60; 0: never. Reading an open page does not count as use.
   */
  sessionIdle: number;
  /** Days for which the audit log stores sign-in attempts and refused calls. */
  attemptDays: number;
  maxUploadBytes: number;
  /** Level of uploads and albums whose request names none. */
  defaultLevel: Level | undefined;
  /** Maximum size of one frame of a picture in megapixels. */
  maxMegapixels: number;
  /** OpenID Connect provider that users can sign in with. Undefined means that there is none. */
  oidc: OidcSettings | undefined;
  /** Whether users can sign in with a password. */
  passwordLogin: boolean;
  /** Rules that new passwords of accounts must follow. */
  passwordRules: PasswordRuleSet;
  /** Viewers of the gallery. Undefined: the database has the choice (`gallery/identity/members-only.ts`). */
  access: SiteAccess | undefined;
  /** Group that can register accounts: anyone, holders of an invite, or nobody. */
  registration: RegistrationMode | undefined;
  /** Mail server (`smtp://` or `smtps://`) and sender. Undefined turns off mail and every feature that needs mail. */
  mail: { url: string; from: string } | undefined;
  /** Storage quota of a new account in bytes. Null means no limit. */
  defaultQuotaBytes: number | null | undefined;
  /** Bytes of memory for decoding pictures, for all workers together. The default depends on the machine's memory. */
  imagingBytes: number | undefined;
  sitemap: boolean;
  /** Whether JSON responses are compressed for clients that accept compression. */
  compression: boolean;
  /** Origins whose pages may call the API from a browser. `'*'` allows all origins. */
  corsOrigins: '*' | string[];
  trustProxy: TrustProxy;
  /** Secret that signs image paths. Undefined selects a random secret that is created once and stored as a setting. */
  secret: string | undefined;
  admin: { username: string; email: string; password: string } | undefined;
  /** Cost of new password hashes. No environment variable changes the cost; only tests use another one. */
  passwordCosts: PasswordCosts;
  logLevel: string;
  webhookAllowPrivate: boolean;
  workers: number;
  /** Sentences about variables that look like misspelled settings. */
  warnings: string[];
}

/** `contract` follows the password rules of the API's first version, `strict` the rules of OWASP ASVS 5.0. */
export const passwordRuleSets = ['contract', 'strict'] as const;
export type PasswordRuleSet = (typeof passwordRuleSets)[number];

const levelNames = ['private', 'members', 'public'] as const satisfies LevelName[];

export const siteAccessChoices = ['public', 'members'] as const;
export type SiteAccess = (typeof siteAccessChoices)[number];

export const registrationModes = ['open', 'invite', 'closed'] as const;
export type RegistrationMode = (typeof registrationModes)[number];

export class ConfigError extends Error {
  readonly mistakes: string[];

  constructor(mistakes: string[]) {
    super(`Some settings are invalid:\n${mistakes.map((mistake) => `  - ${mistake}`).join('\n')}`);
    this.name = 'ConfigError';
    this.mistakes = mistakes;
  }
}

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'];

/** Reads and checks all settings. Throws a ConfigError that lists every mistake. */
export function readConfig(env: EnvironmentVariables = process.env): Config {
  const mistakes: string[] = [];
  const names = new Set(['NODE_ENV']);
  const read = createReader(env, names, mistakes);
  const production = env.NODE_ENV === 'production';

  const config: Config = {
    port: read('PORT', parseInteger(0, 65535), 3000),
    host: read('HOST', parseTextSetting, findAnyAddress()),
    dataDir: resolve(read('DATA_DIR', parseTextSetting, './data')),
    databaseUrl: read('DATABASE_URL', parseDatabaseUrl, undefined),
    databaseLimits: readDatabaseLimits(read),
    startTimeoutMs: read('START_TIMEOUT', parseInteger(0, 3600), 60) * 1000,
    stopDelayMs: read('STOP_DELAY', parseInteger(0, 300), 0) * 1000,
    storageUrl: read('STORAGE_URL', storageUrl, undefined),
    storageKeys: undefined,
    storageRedirect: read('STORAGE_REDIRECT', parseFlag, false),
    redisUrl: read('REDIS_URL', parseRedisUrl, undefined),
    baseUrl: read('BASE_URL', parseSiteUrl, undefined),
    siteName: read(
      'SITE_NAME',
      createPatternParser(/^[^\p{Cc}]{1,100}$/u, 'at most 100 characters'),
      undefined,
    ),
    ...readRateLimits(read),
    tokenTtl: read('TOKEN_TTL', parseInteger(1, 3_153_600_000), 604_800),
    sessionIdle: read('SESSION_IDLE', createZeroOrParser(parseInteger(60, 3_153_600_000)), 0),
    attemptDays: read('ATTEMPT_DAYS', parseInteger(1, 3650), 90),
    maxUploadBytes: read('MAX_UPLOAD_MB', parseMegabytes(1, 4096), 100 * 1024 * 1024),
    passwordRules: read('PASSWORD_RULES', parseChoice(passwordRuleSets), 'contract'),
    access: read('ACCESS', parseChoice(siteAccessChoices), undefined),
    registration: read('REGISTRATION', parseChoice(registrationModes), undefined),
    defaultLevel: readLevel(read),
    defaultQuotaBytes: read('DEFAULT_QUOTA_MB', parseMegabytes(0, 1_000_000_000), undefined),
    maxMegapixels: read('MAX_MEGAPIXELS', parseInteger(1, 1000), defaultMegapixels),
    imagingBytes: read('IMAGING_MEMORY_MB', parseMegabytes(64, 1_000_000), undefined),
    sitemap: read('SITEMAP', parseFlag, true),
    compression: read('COMPRESSION', parseFlag, true),
    corsOrigins: read('CORS_ORIGINS', parseOrigins, production ? [] : '*'),
    trustProxy: read('TRUST_PROXY', parseTrustProxy, false),
    secret: read('SECRET', parseSecret, undefined),
    mail: undefined,
    oidc: readOidc(read, mistakes),
    passwordLogin: read('PASSWORD_LOGIN', parseFlag, true),
    admin: readAdmin(read, mistakes),
    passwordCosts: owaspCosts,
    logLevel: read('LOG_LEVEL', parseChoice(logLevels), 'info'),
    webhookAllowPrivate: read('WEBHOOK_ALLOW_PRIVATE', parseFlag, false),
    workers: read('WORKERS', parseInteger(1, 256), 1),
    warnings: [],
  };
  // Commands such as `move` can name a bucket as an argument, so the S3 keys are read also without STORAGE_URL. Without
  // STORAGE_URL, one key without the other is no mistake.
  config.storageKeys = readKeys(read, config.storageUrl ? mistakes : []);
  config.mail = readMail(read, config.baseUrl, mistakes);
  if (!config.passwordLogin && !config.oidc) mistakes.push('PASSWORD_LOGIN can be 0 only with OIDC_ISSUER');
  if (config.storageRedirect && !config.storageUrl) {
    mistakes.push('STORAGE_REDIRECT needs STORAGE_URL');
  }

  config.warnings = findMisspelledSettings(env, names);
  if (mistakes.length > 0) throw new ConfigError([...mistakes, ...config.warnings]);
  return config;
}

function readLevel(read: ReadSetting): Level | undefined {
  const name = read('DEFAULT_VISIBILITY', parseChoice(levelNames), undefined);
  return name && Level[name];
}

function readAdmin(read: ReadSetting, mistakes: string[]): Config['admin'] {
  const username = read(
    'ADMIN_USERNAME',
    createPatternParser(
      /^(?![0-9]+$)[A-Za-z0-9_-]{3,20}$/,
      '3 to 20 letters A to Z, digits, _ or -, not only digits',
    ),
    '',
  );
  const email = read(
    'ADMIN_EMAIL',
    createPatternParser(/^[^\s@]+@[^\s@]+\.[^\s@]+$/, 'an email address'),
    '',
  );
  const password = read('ADMIN_PASSWORD', createPatternParser(/^.{6,128}$/su, '6 to 128 characters'), '');
  if (!username && !email && !password) return undefined;
  if (!(username && email && password)) {
    mistakes.push('set all three of ADMIN_USERNAME, ADMIN_EMAIL and ADMIN_PASSWORD, or none');
    return undefined;
  }
  return { username, email, password };
}

/** Reads the mail settings. Links in mail need BASE_URL, because the sender of a request could forge its host. */
function readMail(read: ReadSetting, baseUrl: string | undefined, mistakes: string[]): Config['mail'] {
  const url = read('SMTP_URL', parseSmtpUrl, undefined);
  const from = read('MAIL_FROM', parseSender, undefined);
  if (!url) return undefined;
  if (!from) mistakes.push('SMTP_URL needs MAIL_FROM');
  if (!baseUrl) mistakes.push('SMTP_URL needs BASE_URL, because the links in mail start with BASE_URL');
  return { url, from: from ?? '' };
}

/** Reads the S3 keys by their usual names, because the S3 client itself could not read keys from `…_FILE` files. */
function readKeys(read: ReadSetting, mistakes: string[]): S3Keys | undefined {
  const accessKeyId = read('AWS_ACCESS_KEY_ID', parseTextSetting, '');
  const secretAccessKey = read('AWS_SECRET_ACCESS_KEY', parseTextSetting, '');
  const sessionToken = read('AWS_SESSION_TOKEN', parseTextSetting, undefined);
  if (accessKeyId && secretAccessKey) {
    return { accessKeyId, secretAccessKey, ...(sessionToken && { sessionToken }) };
  }
  if (accessKeyId || secretAccessKey) {
    mistakes.push('set both of AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or none');
  }
  return undefined;
}

const storageUrl: SettingParser<string> = (value) => {
  parseStorageUrl(value);
  return value;
};
