/** A list as a table; on a telephone each row is a card, whose cells say what they are (`data-label`). */
import type { ReactNode } from 'react';
import { t } from '../messages/messages.ts';
import styles from './list.module.css';

interface Props {
  columns: string[];
  /** Has one more column, for what may be done. */
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
              <span className="unseen">{t('adminActs')}</span>
            </th>
          )}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  );
}
