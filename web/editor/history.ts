/** The edit history in the editor: current steps, earlier states for undo, and undone states for redo. */
import type { EditStep } from '../api/types.ts';

export interface EditorHistory {
  steps: EditStep[];
  past: EditStep[][];
  future: EditStep[][];
  /**
   * Name of the control that the user is still dragging; further changes by that control extend the last one.
   */
  held?: string | undefined;
}

/** Action on the undo history of the photo editor: new steps, undo, redo, or a start with saved steps. */
export type UndoHistoryAction =
  | { to: EditStep[]; held?: string }
  | { go: 'undo' | 'redo' }
  /** Starts with the steps that are already saved with the photo. */
  | { begin: EditStep[] };

export function applyEditorChange(history: EditorHistory, change: UndoHistoryAction): EditorHistory {
  const { steps, past, future, held } = history;
  if ('begin' in change) return { steps: change.begin, past: [], future: [] };
  if ('to' in change) {
    if (areSameEditSteps(change.to, steps)) return history;
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

export function areSameEditSteps(one: EditStep[], other: EditStep[]): boolean {
  return JSON.stringify(one.map(normalizeStep)) === JSON.stringify(other.map(normalizeStep));
}

/** Sorts the parameters, so that their order does not matter in comparisons. */
function normalizeStep({ action, params }: EditStep): unknown {
  return [action, Object.entries(params).sort(([a], [b]) => (a < b ? -1 : 1))];
}
