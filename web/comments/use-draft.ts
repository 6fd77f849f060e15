/** Keeps unsent text in the tab's storage, so that navigation does not lose the text. */
import { useState } from 'react';
import { useUser } from '../auth/queries.ts';

/** Returns the draft and its setter. `first` is the initial text if no draft is stored. */
export function useCommentDraft(name: string, first = ''): [string, (text: string) => void] {
  const key = `lightwell-draft:${useUser()?.id ?? ''}:${name}`;
  const [text, setText] = useState(() => readDraft(key) || first);
  const changeDraft = (next: string) => {
    setText(next);
    writeDraft(key, next);
  };
  return [text, changeDraft];
}

function readDraft(key: string): string {
  try {
    return sessionStorage.getItem(key) ?? '';
  } catch {
    return '';
  }
}

function writeDraft(key: string, text: string): void {
  try {
    if (text === '') sessionStorage.removeItem(key);
    else sessionStorage.setItem(key, text);
  } catch {
    // Without storage the draft lasts as long as its field.
  }
}
