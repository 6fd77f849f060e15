/** Moves parameters and responses that several operations share to `components`. */
import { isDeepStrictEqual } from 'node:util';
import { type Contract, eachOperation, mapped, type Parameter, type Response } from './types.ts';

export function shareParts(contract: Contract): Contract {
  const parameters = createShelf('parameters', nameParameter);
  const responses = createShelf('responses', nameResponse);
  for (const item of Object.values(contract.paths)) {
    for (const operation of Object.values(item)) {
      operation.parameters?.forEach(parameters.note);
      Object.values(operation.responses).forEach(responses.note);
    }
  }
  const paths = mapped(contract.paths, (item) =>
    eachOperation(item, (operation) => ({
      ...operation,
      ...(operation.parameters && { parameters: operation.parameters.map(parameters.take) }),
      responses: mapped(operation.responses, responses.take),
    })),
  );
  const components = { ...contract.components, parameters: parameters.all(), responses: responses.all() };
  return { ...contract, paths, components };
}

/**
 * Collects parts by name. If two different parts have the same name, the first gets the name and the other
 * stays in place.
 */
function createShelf<Part extends object>(place: string, nameOf: (part: Part) => string | undefined) {
  const noted = new Map<string, { part: Part; uses: number }>();

  function find(part: Part) {
    const name = nameOf(part);
    const known = name === undefined ? undefined : noted.get(name);
    return known && isDeepStrictEqual(known.part, part) ? { name, known } : undefined;
  }

  return {
    note(part: Part): void {
      const name = nameOf(part);
      if (name !== undefined && !noted.has(name)) noted.set(name, { part, uses: 0 });
      const found = find(part);
      if (found) found.known.uses++;
    },
    /**
     * Returns a reference if the part is used more than once. Call this function after all parts are noted.
     */
    take(part: Part): Part {
      const found = find(part);
      if (!found || found.known.uses === 1) return part;
      return { $ref: `#/components/${place}/${found.name}` } as object as Part;
    },
    all(): Record<string, Part> {
      const shared = [...noted].filter(([, { uses }]) => uses > 1).sort(([a], [b]) => (a < b ? -1 : 1));
      return Object.fromEntries(shared.map(([name, { part }]) => [name, part]));
    },
  };
}

/** Returns `PhotoId` for the description "Id of the photo", or otherwise the parameter's name. */
function nameParameter({ name, description = '' }: Parameter): string {
  const [, what] = /^Id of the ([\w ]+)$/.exec(description) ?? [];
  return capitals(what ? `${what} id` : name);
}

/** Returns the name of the response's schema, or of its error codes, such as `UnauthenticatedOrBadToken`. */
function nameResponse({ content = {}, headers = {} }: Response): string | undefined {
  const { schema, examples } = content['application/json'] ?? {};
  if (!examples) return (schema?.$ref as string | undefined)?.split('/').at(-1);
  const name = Object.keys(examples).map(capitals).join('Or');
  if ('text/html' in content) return `${name}Page`;
  return 'X-RateLimit-Limit' in headers ? name : `${name}Unlimited`;
}

function capitals(words: string): string {
  return words.replace(/(?:^|[ _])(\w)/g, (_, letter: string) => letter.toUpperCase());
}
