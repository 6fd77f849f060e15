/** Parsers for the text of settings. A parser throws an Error whose message describes a valid value. */
import { isIP } from 'node:net';
import { networkInterfaces } from 'node:os';
import { compile } from '@fastify/proxy-addr';

export type SettingParser<Value> = (text: string) => Value;

/** Reads one setting. Returns the preset for a setting that is absent or invalid. */
export type ReadSetting = <Value, Default>(
  name: string,
  parse: SettingParser<Value>,
  preset: Default,
) => Value | Default;

export const parseTextSetting: SettingParser<string> = (value) => value;

export const parseFlag: SettingParser<boolean> = (value) => {
  if (!['0', '1', 'true', 'false'].includes(value)) throw new Error(`must be 1 or 0, not "${value}"`);
  return value === '1' || value === 'true';
};

/** Returns the address at which a server accepts connections of both IPv6 and IPv4, if the machine has IPv6. */
export function findAnyAddress(): string {
  const addresses = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
  return addresses.some(({ family }) => family === 'IPv6') ? '::' : '0.0.0.0';
}

export function parseInteger(min: number, max: number): SettingParser<number> {
  return (value) => {
    const number = Number(value);
    if (!/^\d+$/.test(value) || number < min || number > max) {
      throw new Error(`must be a whole number from ${min} to ${max}, not "${value}"`);
    }
    return number;
  };
}

/** Accepts 0, which turns the feature off, or a value that `parse` accepts. */
export function createZeroOrParser(parse: SettingParser<number>): SettingParser<number> {
  return (value) => {
    if (value === '0') return 0;
    try {
      return parse(value);
    } catch (error) {
      throw new Error((error as Error).message.replace('must be ', 'must be 0 or '));
    }
  };
}

/** Parses a setting in megabytes and returns bytes. */
export function parseMegabytes(min: number, max: number): SettingParser<number> {
  return (value) => parseInteger(min, max)(value) * 1024 * 1024;
}

export function parseChoice<const Value extends string>(values: readonly Value[]): SettingParser<Value> {
  return (value) => {
    const found = values.find((one) => one === value);
    if (found === undefined) throw new Error(`must be one of ${values.join(', ')}, not "${value}"`);
    return found;
  };
}

export function createPatternParser(pattern: RegExp, what: string): SettingParser<string> {
  return (value) => {
    if (!pattern.test(value)) throw new Error(`must be ${what}`);
    return value;
  };
}

function address(pattern: RegExp, says: string): SettingParser<string> {
  return (value) => {
    if (!pattern.test(value) || !URL.canParse(value)) throw new Error(`must be ${says}`);
    return value;
  };
}

export const parseDatabaseUrl = address(
  /^postgres(ql)?:\/\//,
  'postgres://user:password@host:port/database (or unset for SQLite)',
);

export const parseRedisUrl = address(
  /^rediss?:\/\//,
  'redis://user:password@host:port, or rediss:// with TLS',
);

export const parseSmtpUrl = address(/^smtps?:\/\//, 'smtp://user:password@host:port, or smtps:// with TLS');

export const parseSender = createPatternParser(
  /^(?:[^\p{Cc}<>]{1,100} )?<?[^\s@<>]+@[^\s@<>]+>?$/u,
  'an address, or a name and an address: Gallery <gallery@example.org>',
);

export const parseBaseUrl: SettingParser<string> = (value) => {
  const url = address(/^https?:\/\//, `an http or https address, not "${value}"`)(value);
  return url.replace(/(?<!\/)\/+$/, '');
};

/** Parses the public address of the gallery. The gallery's paths start at the root of a host. */
export const parseSiteUrl: SettingParser<string> = (value) => {
  const url = parseBaseUrl(value);
  const { origin, pathname, username, password, search, hash } = new URL(url);
  if (pathname !== '/')
    throw new Error(`must have no path, because the gallery needs a host name of its own: set ${origin}`);
  if (username || password || search || hash || /[?#]$/.test(url))
    throw new Error(`must be only a scheme and a host: set ${origin}`);
  return url;
};

export const parseOrigins: SettingParser<'*' | string[]> = (value) => {
  const list = value.split(',').map((origin) => origin.trim().replace(/\/$/, ''));
  if (list.includes('*')) return '*';
  for (const origin of list) {
    if (!URL.canParse(origin) || new URL(origin).origin !== origin) {
      throw new Error(`"${origin}" is not an origin such as https://example.org`);
    }
  }
  return list;
};

/**
 * Proxies to trust: true, false, a number of hops, or a list of IP addresses and networks. The type of Fastify's
 * `trustProxy` option.
 */
export type TrustProxy = boolean | number | string[];

export const parseTrustProxy: SettingParser<TrustProxy> = (value) => {
  if (value === 'true' || value === 'false') return value === 'true';
  if (/^\d+$/.test(value)) return Number(value);
  const list = value.split(',').map((item) => item.trim());
  const names = ['loopback', 'linklocal', 'uniquelocal'];
  for (const item of list) {
    if (names.includes(item)) continue;
    const address = item.split('/', 1)[0]!;
    if (!isIP(address)) {
      throw new Error(`"${item}" is neither true, false, a number of hops nor an address or network`);
    }
    if (!createNetworkTest(item)(address))
      throw new Error(`"${item}" is not a valid network; write an IPv4 network as 10.0.0.0/8`);
  }
  return list;
};

/**
 * Returns a test for members of a network, with the library that Fastify uses to decide which IP addresses are trusted.
 */
function createNetworkTest(network: string): (address: string) => boolean {
  try {
    const isMember = compile([network]);
    return (address) => isMember(address, 0);
  } catch (error) {
    throw new Error(`"${network}" is not a network: ${(error as Error).message}`);
  }
}

export const parseSecret: SettingParser<string> = (value) => {
  if (value.length < 16) throw new Error('must have at least 16 characters');
  return value;
};
