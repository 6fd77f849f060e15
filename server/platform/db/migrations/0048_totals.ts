/**
 * Drops the last triggers that count. `gallery/library/tags.ts` now updates the totals of tags, and notifications are
 * counted when read.
 */
import { runAll, type Up } from './up.ts';

const triggers = {
  photo_tags: { sqlite: ['added', 'removed', 'shown', 'hidden'], postgres: ['added', 'removed', 'changed'] },
  notifications: { sqlite: ['added', 'removed', 'read'], postgres: ['added', 'removed', 'read'] },
};

export const up: Up = async ({ name }, kysely) => {
  for (const [table, events] of Object.entries(triggers)) {
    for (const event of events[name]) {
      const trigger = `${table}_${event}`;
      // Dropping a trigger function also drops its trigger.
      await runAll(kysely, [
        name === 'sqlite' ? `DROP TRIGGER ${trigger}` : `DROP FUNCTION ${trigger} CASCADE`,
      ]);
    }
  }
  await runAll(kysely, [`DROP TABLE notification_totals`]);
  if (name === 'sqlite') await runAll(kysely, [`DROP TABLE tag_moves`]);
};
