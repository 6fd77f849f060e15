/** Suggestions for what is typed, asked for once one rests; never while an input method composes. */
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { Suggestions } from '../api/types.ts';
import { suggestionsOf } from './queries.ts';
import { askedOf, isWorthAsking } from './suggestions.ts';

const restMs = 200;

/** `typed`: undefined while nothing is to be asked. */
export function useSuggestions(typed: string | undefined): Suggestions | undefined {
  const keyword = typed === undefined ? '' : askedOf(typed).keyword;
  const [settled, setSettled] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => setSettled(keyword), restMs);
    return () => clearTimeout(timer);
  }, [keyword]);
  const isAsked = isWorthAsking(settled);
  const { data } = useQuery({ ...suggestionsOf(settled), enabled: isAsked });
  return isAsked && isWorthAsking(keyword) ? data : undefined;
}
