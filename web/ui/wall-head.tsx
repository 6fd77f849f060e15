/** The head above a wall: its title and related content. */
import type { ReactNode } from 'react';
import styles from './wall-head.module.css';

interface Props {
  title: string;
  children?: ReactNode;
}

export function WallHead({ title, children }: Props) {
  return (
    <div className={styles.head}>
      <h1 aria-live="polite">{title}</h1>
      {children}
    </div>
  );
}
