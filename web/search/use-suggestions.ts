/** Loads suggestions after a pause in typing, never while an input method composes. */
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { SearchSuggestions } from '../api/types.ts';
import { suggestionsQuery } from './queries.ts';
import { isKeywordLongEnough, parseSuggestionRequest } from './suggestions.ts';

const debounceMs = 200;

/** Loads suggestions for `typed`; undefined loads none. */
export function useSuggestions(typed: string | undefined): SearchSuggestions | undefined {
  const keyword = typed === undefined ? '' : parseSuggestionRequest(typed).keyword;
  const [settled, setSettled] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => setSettled(keyword), debounceMs);
    return () => clearTimeout(timer);
  }, [keyword]);
  const isAsked = isKeywordLongEnough(settled);
  const { data } = useQuery({ ...suggestionsQuery(settled), enabled: isAsked });
  return isAsked && isKeywordLongEnough(keyword) ? data : undefined;
}
