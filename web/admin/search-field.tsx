/** A search field that filters a list. */
import { Search } from 'lucide-react';
import styles from './admin.module.css';

interface Props {
  label: string;
  value: string | number | undefined;
  onChange(value: string): void;
}

export function SearchField({ label, value = '', onChange }: Props) {
  return (
    <label className={styles.search}>
      <Search size={18} aria-hidden="true" />
      <input
        type="search"
        aria-label={label}
        placeholder={label}
        maxLength={100}
        value={value}
        onChange={({ target }) => onChange(target.value)}
      />
    </label>
  );
}
