/** A list as a table. On a phone each row becomes a card, and `data-label` names each cell. */
import type { ReactNode } from 'react';
import { t } from '../messages/messages.ts';
import styles from './list.module.css';

interface Props {
  columns: string[];
  /** Adds a column for the action buttons. */
  hasActs?: true;
  children: ReactNode;
}

export function AdminTable({ columns, hasActs, children }: Props) {
  return (
    <table className={styles.list}>
      <thead>
        <tr>
          {columns.map((column) => (
            <th key={column} scope="col">
              {column}
            </th>
          ))}
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
