/** The filter of a list and its page: another filter begins at the first page. Letters are waited for. */
import { useEffect, useState } from 'react';
import type { Filter } from './queries.ts';

const pauseMs = 250;

export function useFilter(first: Filter = {}) {
  const [filter, setFilter] = useState<Filter>(first);
  const [settled, setSettled] = useState<Filter>(first);
  const [page, setPage] = useState(1);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(filter), pauseMs);
    return () => clearTimeout(timer);
  }, [filter]);
  return {
    filter,
    change: (changed: Filter) => {
      setFilter((before) => ({ ...before, ...changed }));
      setPage(1);
    },
    page,
    setPage,
    /** For the API: what is empty is left out. */
    asked: {
      ...Object.fromEntries(Object.entries(settled).filter(([, value]) => value !== '')),
      page,
    } as Filter,
  };
}
