/**
 * The environment, read once. The only module that looks at `process.env`.
 * Every mistake is collected, so that a person sees all of them at the first start.
 */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { PostgresLimits } from './platform/db/postgres/postgres.ts';
import { defaultMegapixels } from './platform/imaging/limits.ts';
import {
  baseUrl,
  databaseUrl,
  flag,
  integer,
  matching,
  megabytes,
  oneOf,
  origins,
  type Parser,
  redisUrl,
  secret,
  sender,
  smtpUrl,
  type TrustProxy,
  text,
  trustProxy,
  zeroOr,
} from './platform/process/settings.ts';
import type { S3Keys } from './platform/storage/s3/client.ts';
import { parseStorageUrl } from './platform/storage/s3/url.ts';

/** What a hash by Argon2id costs: KiB of memory, passes over it, lanes. */
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
  /** `postgres://…`, or undefined for SQLite in `dataDir`. */
  databaseUrl: string | undefined;
  databaseLimits: PostgresLimits;
  /** How long a start waits for a database or a bucket that is not there yet. */
  startTimeoutMs: number;
  /** `s3://…`, or undefined for files in `dataDir`. */
  storageUrl: string | undefined;
  /** Undefined: found as Amazon's tools find them. */
  storageKeys: S3Keys | undefined;
  /** Image bytes are fetched from the store itself, by a signed address. */
  storageRedirect: boolean;
  /** `redis://…` or `rediss://…`; undefined: limits are counted in memory. */
  redisUrl: string | undefined;
  /** Without a trailing slash; undefined: taken from the request. */
  baseUrl: string | undefined;
  /** What the gallery calls itself. */
  siteName: string;
  /** Requests a minute for one user or address; 0 for no limit. */
  rateLimit: number;
  /** The same of the calls of resumable uploads, which have a limit of their own. */
  uploadRateLimit: number;
  /** Seconds. */
  tokenTtl: number;
  /** Seconds after which a session that is not used ends, a minute at least: who reads a page uses none; 0: none does. */
  sessionIdle: number;
  /** Days that attempts at the doors of accounts stay in the audit log. */
  attemptDays: number;
  maxUploadBytes: number;
  /** Of one frame of a picture. */
  maxMegapixels: number;
  /** Where else people sign in; undefined: nowhere. */
  oidc: OidcSettings | undefined;
  /** Whether passwords sign in. */
  passwordLogin: boolean;
  /** Of new passwords of accounts. */
  passwordRules: PasswordRules;
  /** Who may make an account. */
  registration: Registration;
  /** Undefined: no mail is sent, and nothing is offered that needs it. `url`: `smtp://` or `smtps://`. */
  mail: { url: string; from: string } | undefined;
  /** What a new account may store; null: no limit. */
  defaultQuotaBytes: number | null;
  /** Bytes for pictures that are being worked on, of all workers; undefined: a part of what the machine allows. */
  imagingBytes: number | undefined;
  /** Answers in JSON are compressed for clients that ask. */
  compression: boolean;
  /** Origins that may call the API from a browser; `'*'` for all of them. */
  corsOrigins: '*' | string[];
  trustProxy: TrustProxy;
  /** Signs image paths; undefined: made once and kept with the data. */
  secret: string | undefined;
  admin: { username: string; email: string; password: string } | undefined;
  /** Of new hashes. No setting changes them: only tests have others. */
  passwordCosts: PasswordCosts;
  logLevel: string;
  webhookAllowPrivate: boolean;
  workers: number;
}

/** What the API promised from its first version, or what OWASP ASVS 5.0 asks for. */
export const passwordRules = ['contract', 'strict'] as const;
export type PasswordRules = (typeof passwordRules)[number];

export const registrations = ['open', 'invite', 'closed'] as const;
export type Registration = (typeof registrations)[number];

export interface OidcSettings {
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** What people call it. */
  name: string;
  /** The claim that makes an admin, and what it holds or is; without a value it is `true`. */
  adminClaim: { name: string; value?: string } | undefined;
}

export type Environment = Record<string, string | undefined>;

export class ConfigError extends Error {
  readonly mistakes: string[];

  constructor(mistakes: string[]) {
    super(`The settings are wrong:\n${mistakes.map((mistake) => `  - ${mistake}`).join('\n')}`);
    this.name = 'ConfigError';
    this.mistakes = mistakes;
  }
}

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'];

/** Reads and checks all settings. Throws a ConfigError that lists every mistake. */
export function readConfig(env: Environment = process.env): Config {
  const mistakes: string[] = [];
  const read = createReader(env, mistakes);
  const production = env.NODE_ENV === 'production';

  const config: Config = {
    port: read('PORT', integer(0, 65535), 3000),
    host: read('HOST', text, '0.0.0.0'),
    dataDir: resolve(read('DATA_DIR', text, './data')),
    databaseUrl: read('DATABASE_URL', databaseUrl, undefined),
    databaseLimits: readDatabaseLimits(read),
    startTimeoutMs: read('START_TIMEOUT', integer(0, 3600), 60) * 1000,
    storageUrl: read('STORAGE_URL', storageUrl, undefined),
    storageKeys: undefined,
    storageRedirect: read('STORAGE_REDIRECT', flag, false),
    redisUrl: read('REDIS_URL', redisUrl, undefined),
    baseUrl: read('BASE_URL', baseUrl, undefined),
    siteName: read('SITE_NAME', matching(/^[^\p{Cc}]{1,100}$/u, 'at most 100 characters'), 'Lightwell'),
    rateLimit: read('RATE_LIMIT', integer(0, 1_000_000_000), 60),
    uploadRateLimit: read('UPLOAD_RATE_LIMIT', integer(0, 1_000_000_000), 600),
    tokenTtl: read('TOKEN_TTL', integer(1, 3_153_600_000), 604_800),
    sessionIdle: read('SESSION_IDLE', zeroOr(integer(60, 3_153_600_000)), 0),
    attemptDays: read('ATTEMPT_DAYS', integer(1, 3650), 90),
    maxUploadBytes: read('MAX_UPLOAD_MB', megabytes(1, 4096), 50 * 1024 * 1024),
    passwordRules: read('PASSWORD_RULES', oneOf(passwordRules), 'contract'),
    registration: read('REGISTRATION', oneOf(registrations), 'open'),
    defaultQuotaBytes: read('DEFAULT_QUOTA_MB', megabytes(0, 1_000_000_000), null),
    maxMegapixels: read('MAX_MEGAPIXELS', integer(1, 1000), defaultMegapixels),
    imagingBytes: read('IMAGING_MEMORY_MB', megabytes(64, 1_000_000), undefined),
    compression: read('COMPRESSION', flag, true),
    corsOrigins: read('CORS_ORIGINS', origins, production ? [] : '*'),
    trustProxy: read('TRUST_PROXY', trustProxy, false),
    secret: read('SECRET', secret, undefined),
    mail: undefined,
    oidc: readOidc(read, mistakes),
    passwordLogin: read('PASSWORD_LOGIN', flag, true),
    admin: readAdmin(read, mistakes),
    passwordCosts: owaspCosts,
    logLevel: read('LOG_LEVEL', oneOf(logLevels), 'info'),
    webhookAllowPrivate: read('WEBHOOK_ALLOW_PRIVATE', flag, false),
    workers: read('WORKERS', integer(1, 256), 1),
  };
  // Also without STORAGE_URL, for commands that are given a bucket; half of a pair then belongs to another program.
  config.storageKeys = readKeys(read, config.storageUrl ? mistakes : []);
  config.mail = readMail(read, config.baseUrl, mistakes);
  if (!config.passwordLogin && !config.oidc) mistakes.push('PASSWORD_LOGIN: can be 0 only with OIDC_ISSUER');
  if (config.storageRedirect && !config.storageUrl) {
    mistakes.push('STORAGE_REDIRECT: needs STORAGE_URL');
  }

  if (mistakes.length > 0) throw new ConfigError(mistakes);
  return config;
}

type Read = <Value, Default>(name: string, parse: Parser<Value>, preset: Default) => Value | Default;

function createReader(env: Environment, mistakes: string[]): Read {
  return (name, parse, preset) => {
    try {
      const value = settingOf(env, name);
      return value === undefined ? preset : parse(value);
    } catch (error) {
      mistakes.push(`${name}: ${(error as Error).message}`);
      return preset;
    }
  };
}

/** The variable itself, or the content of the file that `NAME_FILE` names. Empty counts as unset. */
function settingOf(env: Environment, name: string): string | undefined {
  const file = env[`${name}_FILE`];
  if (!file) return env[name]?.trim() || undefined;
  if (env[name]) throw new Error(`set either ${name} or ${name}_FILE, not both`);
  try {
    return readFileSync(file, 'utf8').trim() || undefined;
  } catch {
    throw new Error(`the file that ${name}_FILE names cannot be read`);
  }
}

function readDatabaseLimits(read: Read): PostgresLimits {
  const ms = (name: string, least: number, preset: number) => read(name, integer(least, 3600), preset) * 1000;
  return {
    pool: read('DATABASE_POOL', integer(1, 1000), 10),
    connectTimeoutMs: ms('DATABASE_CONNECT_TIMEOUT', 1, 5),
    statementTimeoutMs: ms('DATABASE_STATEMENT_TIMEOUT', 0, 15),
    lockTimeoutMs: ms('DATABASE_LOCK_TIMEOUT', 0, 5),
    prepares: read('DATABASE_PREPARE', flag, true),
  };
}

function readAdmin(read: Read, mistakes: string[]): Config['admin'] {
  const username = read(
    'ADMIN_USERNAME',
    matching(/^(?![0-9]+$)[A-Za-z0-9_-]{3,20}$/, '3 to 20 letters, digits, _ or -, not digits alone'),
    '',
  );
  const email = read('ADMIN_EMAIL', matching(/^[^\s@]+@[^\s@]+\.[^\s@]+$/, 'an email address'), '');
  const password = read('ADMIN_PASSWORD', matching(/^.{6,128}$/su, '6 to 128 characters'), '');
  if (!username && !email && !password) return undefined;
  if (!(username && email && password)) {
    mistakes.push('ADMIN_USERNAME, ADMIN_EMAIL and ADMIN_PASSWORD: set all three, or none');
    return undefined;
  }
  return { username, email, password };
}

/** Links in mail begin with BASE_URL: what a request calls the gallery is its sender's to choose. */
function readMail(read: Read, baseUrl: string | undefined, mistakes: string[]): Config['mail'] {
  const url = read('SMTP_URL', smtpUrl, undefined);
  const from = read('MAIL_FROM', sender, undefined);
  if (!url) return undefined;
  if (!from) mistakes.push('SMTP_URL: needs MAIL_FROM');
  if (!baseUrl) mistakes.push('SMTP_URL: needs BASE_URL, which the links in mail begin with');
  return { url, from: from ?? '' };
}

/** One without the others is a mistake. */
function readOidc(read: Read, mistakes: string[]): OidcSettings | undefined {
  const issuer = read('OIDC_ISSUER', baseUrl, undefined);
  const clientId = read('OIDC_CLIENT_ID', text, '');
  const clientSecret = read('OIDC_CLIENT_SECRET', text, '');
  const name = read('OIDC_NAME', matching(/^[^\p{Cc}]{1,100}$/u, 'at most 100 characters'), 'OpenID');
  const claim = read('OIDC_ADMIN_CLAIM', text, undefined);
  if (!issuer) {
    if (clientId || clientSecret || claim)
      mistakes.push('OIDC_ISSUER: is needed by the other OIDC_ settings');
    return undefined;
  }
  if (!clientId || !clientSecret) mistakes.push('OIDC_ISSUER: needs OIDC_CLIENT_ID and OIDC_CLIENT_SECRET');
  return {
    issuer,
    clientId,
    clientSecret,
    name,
    adminClaim: claim === undefined ? undefined : claimOf(claim),
  };
}

/** `groups=admins`, or `is_admin` for one that is true. */
function claimOf(setting: string): { name: string; value?: string } {
  const at = setting.indexOf('=');
  return at === -1 ? { name: setting } : { name: setting.slice(0, at), value: setting.slice(at + 1) };
}

/** By their usual names. The S3 client would read them itself, but not from files. */
function readKeys(read: Read, mistakes: string[]): S3Keys | undefined {
  const accessKeyId = read('AWS_ACCESS_KEY_ID', text, '');
  const secretAccessKey = read('AWS_SECRET_ACCESS_KEY', text, '');
  const sessionToken = read('AWS_SESSION_TOKEN', text, undefined);
  if (accessKeyId && secretAccessKey) {
    return { accessKeyId, secretAccessKey, ...(sessionToken && { sessionToken }) };
  }
  if (accessKeyId || secretAccessKey) {
    mistakes.push('AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY: set both, or none');
  }
  return undefined;
}

const storageUrl: Parser<string> = (value) => {
  parseStorageUrl(value);
  return value;
};
