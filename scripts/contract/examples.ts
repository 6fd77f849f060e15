/** Builds examples from the `examples` of each schema's fields, so that examples cannot become outdated. */
import { type Contract, eachOperation, type Media, mapped, type PathItem, type Schema } from './types.ts';

/** Adds an example to every JSON request and response. */
export function withExamples(contract: Contract): Contract {
  const schemas = contract.components.schemas as Record<string, Schema>;
  const resolve = (reference: string) => schemas[reference.split('/').at(-1)!]!;
  const exemplified = <Part extends { content?: Record<string, Media> }>(part: Part): Part =>
    part.content ? { ...part, content: mapped(part.content, (media) => withExample(media, resolve)) } : part;
  const inItem = (item: PathItem) =>
    eachOperation(item, (operation) => ({
      ...operation,
      ...(operation.requestBody && { requestBody: exemplified(operation.requestBody) }),
      responses: mapped(operation.responses, exemplified),
    }));
  return { ...contract, paths: mapped(contract.paths, inItem), webhooks: mapped(contract.webhooks, inItem) };
}

function withExample(media: Media, resolve: Resolve): Media {
  const { schema, example, examples } = media;
  if (!schema || example !== undefined || examples || schema.format === 'binary') return media;
  return { ...media, example: createExample(schema, resolve) };
}

type Resolve = (reference: string) => Schema;

/** Returns a value that matches the schema. `resolve` returns the schema of a reference. */
function createExample(schema: Schema, resolve: Resolve): unknown {
  const { $ref, examples, oneOf, anyOf, properties, items, ...rest } = schema as Schema & {
    $ref?: string;
    examples?: unknown[];
    oneOf?: Schema[];
    anyOf?: Schema[];
    properties?: Record<string, Schema>;
    items?: Schema;
  };
  if (examples) return examples[0];
  if ($ref) return createExample(resolve($ref), resolve);
  for (const known of ['const', 'default'] as const) if (known in rest) return rest[known];
  const first = (rest.enum as unknown[] | undefined)?.[0] ?? undefined;
  if (first !== undefined) return first;
  const branch = oneOf?.[0] ?? anyOf?.[0];
  if (branch) return createExample(branch, resolve);
  if (properties) {
    const entries = Object.entries(properties).map(([name, part]) => [name, createExample(part, resolve)]);
    return Object.fromEntries(entries);
  }
  if (items) return [createExample(items, resolve)];
  return plainExample(rest);
}

function plainExample({ type, minimum = 0, maximum = Number.MAX_SAFE_INTEGER, format }: Schema): unknown {
  switch ([type].flat()[0]) {
    case 'integer':
    case 'number':
      return Math.min(Math.max(7, minimum as number), maximum as number);
    case 'boolean':
      return false;
    case 'object':
      return {};
    case 'string':
      return format === 'date' ? '2026-03-01' : 'text';
    default:
      return null;
  }
}
