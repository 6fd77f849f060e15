/** Checks that modules hold no state that changes. State belongs in `Deps`, or where routes are created. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Allowed variables as `file name`, each with its reason. */
const allowed: Record<string, string> = {
  'platform/concurrency/fair-order.ts callers':
    'keeps nothing itself: its values belong to asynchronous contexts',
  'platform/imaging/pool/answers.ts validatorByJobKind': 'schemas once compiled, the same for all',
  'platform/imaging/pool/answers.ts validateFailure': 'the same',
  'platform/imaging/worker/main.ts heicDecoder': 'the program of a worker process',
  'platform/imaging/worker/main.ts inputLines': 'the same',
  'platform/imaging/worker/heic.ts libheif': 'the library of a worker process that ends with its decoder',
  'platform/http/time.ts formattedDays': 'remembers what a pure function gives, the same for all',
  'platform/http/time.ts written': 'the same',
};

/**
 * Types that a module-level constant may have. `isWritten` finds code in the same file that changes such a constant.
 */
const allowedTypes = /^(?:Map|Set|Intl\.\w+|TextDecoder|TextEncoder|Ajv|Command|URL|RegExp)$/;
/** Functions that return a function or value without state. */
const pure = /^create(?:SchemaCheck|FormCheck|PatternParser|Require|Hash)$/;

/** Returns one line for each module variable with state. */
export function stateFaults(root = 'server'): string[] {
  const files = globSync('**/*.{ts,js}', { cwd: root }).sort();
  return files.flatMap((file) => {
    const found = findModuleState(readFileSync(join(root, file), 'utf8'));
    return found
      .filter((name) => !(`${file} ${name}` in allowed))
      .map(
        (name) =>
          `${file}: "${name}" is state of the module; make it in Deps or with its routes (scripts/state.ts)`,
      );
  });
}

/**
 * Returns the variables at a module's top level that may change. The formatter indents all other variables.
 */
export function findModuleState(text: string): string[] {
  const variables = [...text.matchAll(/^(?:export )?(?:let|var) (\w+)/gm)].map(([, name]) => name!);
  const constants = text.matchAll(/^(?:export )?const (\w+)(?:: [^=]+?)? =\s+(?:await )?(new )?([\w.]*)/gm);
  const changing = [...constants].filter(
    ([, name, isNew, made]) =>
      (isNew && !allowedTypes.test(made!)) ||
      (/^create[A-Z]/.test(made!) && !pure.test(made!)) ||
      isWritten(text, name!),
  );
  return [...variables, ...changing.map(([, name]) => name!)];
}

function isWritten(text: string, name: string): boolean {
  const calls = `\\.(?:set|add|delete|clear|push|pop|shift|unshift|splice|sort|reverse|fill)\\(`;
  const assignment = `(?:\\.\\w+|\\[[^\\]]+\\])+(?: (?:[-+*/|&?]{0,2})= |\\+\\+|--)`;
  return new RegExp(`(?<![\\w.])${name}(?:${calls}|${assignment})`).test(text);
}
