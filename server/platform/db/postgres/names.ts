/**
 * Names for statements. PostgreSQL parses and plans a named statement once per connection instead of each time, and
 * that is most of what a short statement costs. See docs/adr/0027.
 */
import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type pg from 'pg';

/** Texts that are remembered; the number of hot ones is far smaller. */
const maxTexts = 200;
/** Lists of ids have a text for each length: only what comes again gets a name. */
const timesUntilNamed = 3;
/** A list takes 120 kB of the backend, most take less. A connection with more of them is replaced by a new one. */
const maxNamesPerConnection = 300;

/** The connection does not know the name, or has it already: a pooler gives us another one each time. */
const lostName = /^(26000|42P05)$/;

export interface StatementNames {
  /**
   * Undefined: the statement is to be run without a name. So is one that is just being prepared: what is sent behind it
   * would fail with it.
   */
  nameOf(client: pg.ClientBase, text: string): string | undefined;
  /** Of a statement that was sent by its name: whether the connection knows it now. */
  learn(client: pg.ClientBase, name: string, isKnown: boolean): void;
  /** Whether the failure is due to the name; then the next `nameOf` of this text returns none. */
  hasFailed(text: string, error: unknown): boolean;
  /** Whether the connection has learned so many that it should be closed. */
  isFull(client: pg.ClientBase): boolean;
}

interface Text {
  times: number;
  name: string | undefined;
  /** Its tables changed after it was prepared on some connections. */
  isStale: boolean;
}

/** `onUnusable` is told once when the database turns out to keep no names for us; from then on there are none. */
export function createStatementNames(onUnusable: () => void): StatementNames {
  const texts = new LRUCache<string, Text>({ max: maxTexts });
  const known = new WeakMap<pg.ClientBase, Map<string, boolean>>();
  let isUsable = true;

  /** Whether the connection knows each of them, or is just being told. */
  const namesOf = (client: pg.ClientBase) => known.getOrInsertComputed(client, () => new Map());

  return {
    nameOf(client, text) {
      if (!isUsable) return undefined;
      const name = nameOfText(texts, text);
      if (!name) return undefined;
      const names = namesOf(client);
      if (names.get(name) === false) return undefined;
      if (!names.has(name)) names.set(name, false);
      return name;
    },
    learn(client, name, isKnown) {
      const names = namesOf(client);
      if (isKnown) names.set(name, true);
      else if (!names.get(name)) names.delete(name);
    },
    hasFailed(text, error) {
      const { code = '', routine } = error as { code?: string; routine?: string };
      if (lostName.test(code)) {
        if (isUsable) onUnusable();
        isUsable = false;
        return true;
      }
      // "cached plan must not change result type": a table got a column since, by a newer version perhaps.
      if (code !== '0A000' || routine !== 'RevalidateCachedQuery') return false;
      texts.set(text, { times: 0, name: undefined, isStale: true });
      return true;
    },
    isFull: (client) => (known.get(client)?.size ?? 0) > maxNamesPerConnection,
  };
}

function nameOfText(texts: LRUCache<string, Text>, text: string): string | undefined {
  let found = texts.get(text);
  if (!found) {
    found = { times: 0, name: undefined, isStale: false };
    texts.set(text, found);
  }
  if (found.isStale) return undefined;
  // By its content: behind a pooler, no name may ever mean the text of another process or version.
  if (!found.name && ++found.times >= timesUntilNamed) found.name = `lw_${hash('sha256', text).slice(0, 32)}`;
  return found.name;
}

/** For connections that live shortly, and where the settings say so. */
export const noNames: StatementNames = {
  nameOf: () => undefined,
  learn: () => {},
  hasFailed: () => false,
  isFull: () => false,
};
