/**
 * Unites paths that differ only in parameter names, such as `/api/shares/{id}` and `/api/shares/{token}`, as
 * OpenAPI requires. The united path is `/api/shares/{share}`; each method describes its own parameter: an id
 * or a token.
 */
import type { Operation, PathItem } from './types.ts';

/** Returns the path with empty braces instead of parameter names. */
export function removeParameterNames(path: string): string {
  return path.replace(/\{\w+\}/g, '{}');
}

export function uniteSamePaths(paths: Record<string, PathItem>): Record<string, PathItem> {
  const groups = Object.groupBy(Object.keys(paths), removeParameterNames);
  const entries = Object.values(groups).map((same) => {
    if (same!.length === 1) return [same![0]!, paths[same![0]!]!];
    const names = unitedNames(same!);
    const united = removeParameterNames(same![0]!).replace(/\{\}/g, () => `{${names.shift()}}`);
    return [united, Object.assign({}, ...same!.map((path) => renamed(paths[path]!, path, united)))];
  });
  return Object.fromEntries(entries);
}

const namesIn = (path: string) => [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]!);

/**
 * Returns one name for each parameter of the united path: the common name, or the resource's name if they
 * differ.
 */
function unitedNames(paths: string[]): string[] {
  const all = paths.map(namesIn);
  const nouns = [...paths[0]!.matchAll(/(\w+?)s?\/\{/g)].map((match) => match[1]!);
  return all[0]!.map((name, place) => (all.every((names) => names[place] === name) ? name : nouns[place]!));
}

function renamed(item: PathItem, path: string, united: string): PathItem {
  const from = namesIn(path);
  const to = namesIn(united);
  const rename = (operation: Operation): Operation => ({
    ...operation,
    parameters: operation.parameters?.map((parameter) =>
      parameter.in === 'path' ? { ...parameter, name: to[from.indexOf(parameter.name)]! } : parameter,
    ),
  });
  return Object.fromEntries(Object.entries(item).map(([method, operation]) => [method, rename(operation)]));
}
