/**
 * A list as a table. On a phone each row becomes a card, and `data-label` names each cell. Headings that sort stay
 * above the cards.
 */
import { ChevronDown, ChevronUp } from 'lucide-react';
import type { ReactNode } from 'react';
import { t } from '../messages/messages.ts';
import styles from './list.module.css';

export type SortOrder = 'asc' | 'desc';

export interface Sorting {
  sort: string;
  order: SortOrder;
  change(sort: string, order: SortOrder): void;
}

export interface SortableColumn {
  label: string;
  /** Sort key of the API. */
  sort: string;
  /** Order after the first press of the heading. */
  order: SortOrder;
}

interface Props {
  columns: (string | SortableColumn)[];
  /** Required for sortable columns. */
  sorting?: Sorting;
  /** Adds a column for the action buttons. */
  hasActs?: true;
  children: ReactNode;
}

export function AdminTable({ columns, sorting, hasActs, children }: Props) {
  return (
    <table className={styles.list}>
      <thead>
        <tr>
          {columns.map((column) =>
            typeof column === 'string' ? (
              <th key={column} scope="col">
                {column}
              </th>
            ) : (
              <SortHeading key={column.sort} column={column} sorting={sorting!} />
            ),
          )}
          {hasActs && (
            <th scope="col">
              <span className="unseen">{t('adminActions')}</span>
            </th>
          )}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  );
}

function SortHeading({ column, sorting }: { column: SortableColumn; sorting: Sorting }) {
  const isSorted = sorting.sort === column.sort;
  const isAscending = sorting.order === 'asc';
  const nextOrder = isSorted ? (isAscending ? 'desc' : 'asc') : column.order;
  const Icon = isAscending ? ChevronUp : ChevronDown;
  return (
    <th scope="col" aria-sort={isSorted ? (isAscending ? 'ascending' : 'descending') : undefined}>
      <button type="button" onClick={() => sorting.change(column.sort, nextOrder)}>
        {column.label}
        {isSorted && <Icon size={16} aria-hidden="true" />}
      </button>
    </th>
  );
}
