/** A text that is not sent yet: kept for its writer as long as the tab is open, so that no way through the pages loses it. */
import { useState } from 'react';
import { useUser } from '../auth/queries.ts';

/** `first`: where nothing was begun. */
export function useDraft(name: string, first = ''): [string, (text: string) => void] {
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
    // Without storage it lasts as long as the field.
  }
}
