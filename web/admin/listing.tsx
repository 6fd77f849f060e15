/** A paged list with its states: loading, failed and empty. */
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { PagedResponse } from '../api/types.ts';
import { t } from '../messages/messages.ts';
import { ErrorNotice } from '../ui/error-notice.tsx';
import styles from './admin.module.css';
import { Pager } from './pager.tsx';

interface Props<Item> {
  query: UseQueryResult<PagedResponse<Item>>;
  onPage(page: number): void;
  empty?: string;
  children(list: Item[]): ReactNode;
}

export function PagedList<Item>({ query, onPage, empty = t('adminNoResults'), children }: Props<Item>) {
  const { data, error, refetch, isPlaceholderData } = query;
  if (error) return <ErrorNotice error={error} retry={() => void refetch()} />;
  if (!data) return <p className={styles.empty} aria-busy="true" />;
  return (
    <div aria-busy={isPlaceholderData}>
      {data.list.length === 0 ? <p className={styles.empty}>{empty}</p> : children(data.list)}
      <Pager pagination={data.pagination} onPage={onPage} />
    </div>
  );
}
