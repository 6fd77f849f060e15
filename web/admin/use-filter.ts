/** Holds the filter and the page number of a list. A new filter shows page 1; typing is debounced. */
import { useEffect, useState } from 'react';
import type { AdminListFilter } from './queries.ts';

const debounceMs = 250;

export function useAdminListFilter(first: AdminListFilter = {}) {
  const [filter, setFilter] = useState<AdminListFilter>(first);
  const [settled, setSettled] = useState<AdminListFilter>(first);
  const [page, setPage] = useState(1);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(filter), debounceMs);
    return () => clearTimeout(timer);
  }, [filter]);
  return {
    filter,
    change: (changed: AdminListFilter) => {
      setFilter((before) => ({ ...before, ...changed }));
      setPage(1);
    },
    page,
    setPage,
    /** Query parameters for the API; empty filters are left out. */
    asked: {
      ...Object.fromEntries(Object.entries(settled).filter(([, value]) => value !== '')),
      page,
    } as AdminListFilter,
  };
}
