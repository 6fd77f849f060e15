/** What was just made, to be used in the next requests; and what was just deleted, to be used once more. */
import type { Outcome } from '../../test/contract/generated/exchange.ts';
import {
  type GeneratedRequest,
  type Operation,
  readOperations,
  type World,
} from '../../test/contract/generated/requests.ts';

/** The latest of them, beside those that were there at first. */
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

/** Everything that can be asked of what a request has deleted. */
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
