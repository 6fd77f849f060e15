/** Reads single settings from environment variables and from the files that such variables name. */
import { readFileSync } from 'node:fs';
import { findNearestName } from './platform/process/nearest-name.ts';
import type { ReadSetting } from './platform/process/settings.ts';

export type EnvironmentVariables = Record<string, string | undefined>;

/** Returns a warning for each variable that is no setting, but nearly has the name of one. */
export function findMisspelledSettings(env: EnvironmentVariables, names: Set<string>): string[] {
  return Object.keys(env).flatMap((name) => {
    const plain = name.toUpperCase().replace(/_FILE$/, '');
    if (names.has(name.replace(/_FILE$/, ''))) return [];
    const nearest = findNearestName(plain, names);
    return nearest ? [`${name} is no setting. Did you mean ${nearest}?`] : [];
  });
}

/** Returns the function that reads settings. It adds the name of each setting to `names`. */
export function createReader(env: EnvironmentVariables, names: Set<string>, mistakes: string[]): ReadSetting {
  return (name, parse, preset) => {
    names.add(name);
    try {
      const value = readVariable(env, name);
      return value === undefined ? preset : parse(value);
    } catch (error) {
      mistakes.push(`${name}: ${(error as Error).message}`);
      return preset;
    }
  };
}

/** Returns the value of a variable, or the content of the file that `NAME_FILE` names. Empty counts as unset. */
function readVariable(env: EnvironmentVariables, name: string): string | undefined {
  const file = env[`${name}_FILE`];
  if (!file) return env[name]?.trim() || undefined;
  if (env[name]) throw new Error(`set either ${name} or ${name}_FILE, not both`);
  try {
    return readFileSync(file, 'utf8').trim() || undefined;
  } catch {
    throw new Error(`cannot read the file named by ${name}_FILE`);
  }
}
