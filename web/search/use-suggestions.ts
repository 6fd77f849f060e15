/** Suggestions for what is typed, asked for once one rests; never while an input method composes. */
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { Suggestions } from '../api/types.ts';
import { suggestionsQuery } from './queries.ts';
import { isLongEnough, parseTyped } from './suggestions.ts';

const debounceMs = 200;

/** `typed`: undefined while nothing is to be asked. */
export function useSuggestions(typed: string | undefined): Suggestions | undefined {
  const keyword = typed === undefined ? '' : parseTyped(typed).keyword;
  const [settled, setSettled] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => setSettled(keyword), debounceMs);
    return () => clearTimeout(timer);
  }, [keyword]);
  const isAsked = isLongEnough(settled);
  const { data } = useQuery({ ...suggestionsQuery(settled), enabled: isAsked });
  return isAsked && isLongEnough(keyword) ? data : undefined;
}
