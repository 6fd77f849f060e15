/**
 * Requests with wrong credentials for every operation: no token, an invalid token, or a user's token on an
 * admin endpoint.
 */
import type { GeneratedRequest, Operation, World } from '../../test/contract/generated/requests.ts';
import { contract } from '../../test/support/contract.ts';
import type { Random } from '../../test/support/random.ts';

export interface Knock {
  request: GeneratedRequest;
  by: 'nobody' | 'user' | 'bad token';
  /** Status that the response to the request must have. */
  status: number;
}

/** Security requirements of an operation. An empty entry (`{}`) allows requests without a token. */
type Security = Record<string, unknown>[];

export function knocksAt(random: Random, operation: Operation, world: World): Knock[] {
  const { method, path } = operation;
  const declared = contract.paths[path]![method.toLowerCase()] as unknown as { security: Security };
  const isOptional = declared.security.some((one) => Object.keys(one).length === 0);
  const filled = path.replace(/\{\w+\}/g, () => String(random.pick(world.ids)));
  const request = { method, path: filled, headers: {}, body: undefined };
  const wrong = { ...request, headers: { authorization: `Bearer ${badToken(random)}` } };
  if (declared.security.length === 0) return [];
  if (isOptional) return path.startsWith('/api/') ? [{ request: wrong, by: 'bad token', status: 401 }] : [];
  return [
    { request, by: 'nobody', status: 401 },
    { request: wrong, by: 'bad token', status: 401 },
    ...(path.startsWith('/api/admin/') ? [{ request, by: 'user' as const, status: 403 }] : []),
  ];
}

function badToken(random: Random): string {
  const letters = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_';
  const length = random.pick([1, 42, 43, 44, 300]);
  return Array.from({ length }, () => random.pick([...letters])).join('');
}
