/** Names of prepared statements. PostgreSQL parses a named statement once per connection (docs/adr/0027). */
import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type pg from 'pg';

/** Maximum remembered statement texts. Far fewer are used often. */
const maxTexts = 200;
/**
 * Uses of a text before it gets a name. Lists of ids have one text per length, so only repeated texts should get a
 * name.
 */
const timesUntilNamed = 3;
/**
 * Maximum prepared statements of one connection. A prepared list takes 120 kB in PostgreSQL's backend; most statements
 * take less.
 */
const maxNamesPerConnection = 300;

/** Codes for an unknown or a duplicate statement name, which occur when a pooler switches the server connection. */
const lostName = /^(26000|42P05)$/;

export type PreparedStatementNames = ReturnType<typeof createPreparedStatementNames>;

/**
 * Creates the names. `onUnusable` is called once if the database does not keep prepared statements; after that no names
 * are used.
 */
export function createPreparedStatementNames(isWanted: boolean, onUnusable: () => void) {
  const texts = new LRUCache<string, { times: number; name: string }>({ max: maxTexts });
  const known = new WeakMap<pg.ClientBase, Set<string>>();
  let isUsable = isWanted;

  return {
    /** Returns the statement's name, or undefined if it should run without one. */
    chooseName(client: pg.ClientBase, text: string): string | undefined {
      if (!isUsable) return undefined;
      // The name is a hash of the text, so that behind a pooler it cannot refer to another process's or version's
      // statement.
      const { times, name } = texts.get(text) ?? {
        times: 0,
        name: `lw_${hash('sha256', text).slice(0, 32)}`,
      };
      texts.set(text, { times: times + 1, name });
      if (times + 1 < timesUntilNamed) return undefined;
      known.getOrInsertComputed(client, () => new Set()).add(name);
      return name;
    },
    /**
     * Whether the statement failed only because of its name. Such a statement was not executed and may run without a
     * name.
     */
    hasFailed(text: string, error: unknown): boolean {
      const { code = '', routine } = error as { code?: string; routine?: string };
      if (lostName.test(code)) {
        if (isUsable) onUnusable();
        isUsable = false;
        return true;
      }
      // "cached plan must not change result type" means that a table has gained a column since, perhaps by a newer
      // version of the program.
      if (code !== '0A000' || routine !== 'RevalidateCachedQuery') return false;
      texts.set(text, { times: Number.NEGATIVE_INFINITY, name: '' });
      return true;
    },
    /** Whether the connection has so many prepared statements that a new connection should replace it. */
    isFull: (client: pg.ClientBase) => (known.get(client)?.size ?? 0) > maxNamesPerConnection,
  };
}
