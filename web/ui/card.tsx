/** A card in the middle of a page, for the first setup, empty pages and missing pages. */
import type { ReactNode } from 'react';
import styles from './card.module.css';

interface Props {
  title: string;
  text?: string;
  /** Heading level of the title. */
  as?: 'h1' | 'h2';
  icon?: ReactNode;
  children?: ReactNode;
}

export function Card({ title, text, as: Title = 'h2', icon, children }: Props) {
  return (
    <div className={styles.card}>
      {icon && <span className={styles.icon}>{icon}</span>}
      <Title className={styles.title}>{title}</Title>
      {text && <p className={styles.text}>{text}</p>}
      {children}
    </div>
  );
}
