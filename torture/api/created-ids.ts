/**
 * Remembers ids and names from earlier responses for later requests, also of things that were just deleted.
 */
import type { Outcome } from '../../test/contract/generated/exchange.ts';
import {
  type GeneratedRequest,
  type Operation,
  readOperations,
  type World,
} from '../../test/contract/generated/requests.ts';

/** Maximum number of latest ids that are remembered, in addition to the initial ones. */
const maxIds = 60;
const maxNames = 20;
const createdIds = 4;

export function rememberCreated(world: World, { headers, bytes }: Outcome): void {
  const made = headers.get('location')?.split('/').at(-1);
  if (made) add(world.names, made, maxNames);
  if (!headers.get('content-type')?.startsWith('application/json')) return;
  const { data } = JSON.parse(bytes.toString());
  if (Number.isSafeInteger(data?.id)) add(world.ids, data.id, maxIds);
  if (typeof data?.url === 'string') add(world.names, data.url.split('/').at(-1), maxNames);
}

function add<Item>(items: Item[], item: Item, max: number): void {
  if (items.includes(item)) return;
  items.push(item);
  if (items.length > max) items.splice(createdIds, 1);
}

const operations = readOperations();

/** Returns requests for a deleted resource, one for every operation that accepts its id. */
export function afterDeletion({ method, path }: Operation, request: GeneratedRequest): GeneratedRequest[] {
  if (method !== 'DELETE' || !path.endsWith('}')) return [];
  const plain = request.path.split('?', 1)[0]!;
  return operations
    .filter((other) => other.path === path || other.path.startsWith(`${path}/`))
    .map((other) => ({
      method: other.method,
      path: plain + other.path.slice(path.length),
      headers: {},
      body: undefined,
    }));
}
