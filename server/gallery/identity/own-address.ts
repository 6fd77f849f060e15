/**
 * Base URL for links that programs of strangers read, such as previews in chats. A client can write any text into the
 * header Host. A host therefore counts only if an admin has signed in there, or if the host is this machine.
 */
import type { FastifyRequest } from 'fastify';
import type { Deps } from '../../deps.ts';
import { findJsonSetting, setSetting } from '../../platform/db/settings.ts';
import { getBaseUrl, isOwnHost } from '../../platform/http/base-url.ts';
import { getOwnOrigin } from './cookie.ts';

const originsSetting = 'origins';
/** Maximum number of stored origins. A gallery has few: at home, on the internet, before and after a move. */
const maxOrigins = 8;

type AddressDeps = Pick<Deps, 'db' | 'config'>;

/** Returns the gallery's base URL without a trailing slash, or undefined if the request's host is not known. */
export async function findOwnBaseUrl(
  deps: AddressDeps,
  request: FastifyRequest,
): Promise<string | undefined> {
  if (deps.config.baseUrl !== undefined || isOwnHost(request)) return getBaseUrl(request, deps.config);
  return (await readOrigins(deps)).find((origin) => new URL(origin).host === request.host);
}

/** Stores the address at which an admin has signed in with a browser, unless BASE_URL names the address. */
export async function saveOwnOrigin(
  deps: AddressDeps,
  { is_admin }: { is_admin: number },
  request: FastifyRequest,
): Promise<void> {
  if (is_admin === 0 || deps.config.baseUrl !== undefined || isOwnHost(request)) return;
  const origin = getOwnOrigin(request, deps.config);
  const known = await readOrigins(deps);
  if (known[0] === origin) return;
  const { host } = new URL(origin);
  const others = known.filter((one) => new URL(one).host !== host);
  await setSetting(deps.db, originsSetting, JSON.stringify([origin, ...others].slice(0, maxOrigins)));
}

async function readOrigins({ db }: AddressDeps): Promise<string[]> {
  return (await findJsonSetting<string[]>(db, originsSetting)) ?? [];
}
