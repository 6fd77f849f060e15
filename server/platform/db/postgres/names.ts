/** Names of prepared statements: PostgreSQL parses a named statement once per connection (docs/adr/0027). */
import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type pg from 'pg';

/** Texts that are remembered; the number of hot ones is far smaller. */
const maxTexts = 200;
/** Lists of ids have a text for each length: only what comes again gets a name. */
const timesUntilNamed = 3;
/** A prepared list takes 120 kB of PostgreSQL's backend; most statements take less. */
const maxNamesPerConnection = 300;

/** The connection does not know the name, or has it already: a pooler gives us another one each time. */
const lostName = /^(26000|42P05)$/;

export type StatementNames = ReturnType<typeof createStatementNames>;

/** `onUnusable` is called once, when the database turns out to keep no names; from then on there are none. */
export function createStatementNames(isWanted: boolean, onUnusable: () => void) {
  const texts = new LRUCache<string, { times: number; name: string }>({ max: maxTexts });
  const known = new WeakMap<pg.ClientBase, Set<string>>();
  let isUsable = isWanted;

  return {
    /** Returns undefined if the statement is to run without a name. */
    nameOf(client: pg.ClientBase, text: string): string | undefined {
      if (!isUsable) return undefined;
      // The name is a hash of the text: behind a pooler, no name may mean the text of another process or version.
      const { times, name } = texts.get(text) ?? {
        times: 0,
        name: `lw_${hash('sha256', text).slice(0, 32)}`,
      };
      texts.set(text, { times: times + 1, name });
      if (times + 1 < timesUntilNamed) return undefined;
      known.getOrInsertComputed(client, () => new Set()).add(name);
      return name;
    },
    /** Whether only the name made the statement fail. It was not executed, and may run without a name. */
    hasFailed(text: string, error: unknown): boolean {
      const { code = '', routine } = error as { code?: string; routine?: string };
      if (lostName.test(code)) {
        if (isUsable) onUnusable();
        isUsable = false;
        return true;
      }
      // "cached plan must not change result type": a table got a column since, by a newer version perhaps.
      if (code !== '0A000' || routine !== 'RevalidateCachedQuery') return false;
      texts.set(text, { times: Number.NEGATIVE_INFINITY, name: '' });
      return true;
    },
    /** Whether the connection has so many names that a new one should take its place. */
    isFull: (client: pg.ClientBase) => (known.get(client)?.size ?? 0) > maxNamesPerConnection,
  };
}
