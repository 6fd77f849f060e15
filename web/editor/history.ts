/** The steps there are, those there were (undo) and those one took back (redo). */
import type { EditStep } from '../api/types.ts';

export interface History {
  steps: EditStep[];
  past: EditStep[][];
  future: EditStep[][];
  /** A hand is still on this: further changes by it are one with the last. */
  held?: string | undefined;
}

export type Change =
  | { to: EditStep[]; held?: string }
  | { go: 'undo' | 'redo' }
  /** What the photo has already. */
  | { begin: EditStep[] };

export function applyChange(history: History, change: Change): History {
  const { steps, past, future, held } = history;
  if ('begin' in change) return { steps: change.begin, past: [], future: [] };
  if ('to' in change) {
    if (areSameSteps(change.to, steps)) return history;
    const isOne = change.held !== undefined && change.held === held;
    return { steps: change.to, past: isOne ? past : [...past, steps], future: [], held: change.held };
  }
  if (change.go === 'undo') {
    const last = past.at(-1);
    return last ? { steps: last, past: past.slice(0, -1), future: [steps, ...future] } : history;
  }
  const [next, ...rest] = future;
  return next ? { steps: next, past: [...past, steps], future: rest } : history;
}

export function areSameSteps(one: EditStep[], other: EditStep[]): boolean {
  return JSON.stringify(one.map(normalizeStep)) === JSON.stringify(other.map(normalizeStep));
}

/** In whatever order fields are written. */
function normalizeStep({ action, params }: EditStep): unknown {
  return [action, Object.entries(params).sort(([a], [b]) => (a < b ? -1 : 1))];
}
