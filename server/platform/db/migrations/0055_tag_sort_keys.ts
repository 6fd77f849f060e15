/** Sorts tags as people count: 2 before 10. The index by use gets the sort key, too. */
import { fillTagSortKeys } from '../tag-sort-keys.ts';
import { runAll, type Up } from './up.ts';

export const up: Up = async ({ name }, kysely) => {
  const sortedText = name === 'postgres' ? 'text COLLATE "C"' : 'text';
  await runAll(kysely, [
    `ALTER TABLE tag_totals ADD COLUMN sort_key ${sortedText} NOT NULL DEFAULT ''`,
    `CREATE INDEX tag_totals_without_sort_key ON tag_totals (name_key) WHERE sort_key = ''`,
  ]);
  while ((await fillTagSortKeys(kysely)) > 0);
  await runAll(kysely, [
    'DROP INDEX tag_totals_by_n',
    'CREATE INDEX tag_totals_by_n ON tag_totals (user_id, visibility, n DESC, sort_key)',
  ]);
};
