/** Checks the titles of commits. Older commits stay as they are. */
import { spawnSync } from 'node:child_process';

const maxCharacters = 72;
/** The last commit before the rule. Its descendants are checked. */
const firstChecked = 'fc44cb535c16dfaf925ddf1720860bdbe60825d4';

/** Returns the titles after `base` that are too long. A checkout without that commit has nothing to check. */
export function findLongTitles(base: string = firstChecked): string[] {
  const { status, stdout } = spawnSync('git', ['log', '--no-merges', '--format=%s', `${base}..HEAD`], {
    encoding: 'utf8',
  });
  if (status !== 0) return [];
  return selectLong(stdout.split('\n'));
}

export function selectLong(titles: string[]): string[] {
  return titles.filter((title) => [...title].length > maxCharacters);
}
