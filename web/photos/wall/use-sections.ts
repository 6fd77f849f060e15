/** Splits a wall into sections: by month, or by total if the list is not ordered by month. */
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import {
  groupIntoSections,
  type PhotoSection,
  splitTotalIntoSections,
} from '../../../server/gallery/pages/sections.ts';
import { isOrderedByMonth, type PhotoList, photoMonthsQuery, photoPageQuery } from '../queries.ts';

interface Sections {
  /** Sections of the wall; undefined until they are known. */
  sections: PhotoSection[] | undefined;
  error: Error | null;
  retry(): void;
}

export function usePhotoSections(list: PhotoList): Sections {
  const byMonth = isOrderedByMonth(list);
  // The query is subscribed only if the wall shows months.
  const months = useQuery({ ...photoMonthsQuery(list), enabled: byMonth, subscribed: byMonth });
  const first = useQuery({ ...photoPageQuery(list, 1), enabled: !byMonth, subscribed: !byMonth });
  const total = first.data?.pagination.total;
  const sections = useMemo(() => {
    if (byMonth) return months.data && groupIntoSections(months.data);
    return total === undefined ? undefined : splitTotalIntoSections(total);
  }, [byMonth, months.data, total]);
  const asked = byMonth ? months : first;
  return { sections, error: asked.error, retry: () => void asked.refetch() };
}
