/** A search field that filters a list. */
import { Search } from 'lucide-react';
import styles from './search-field.module.css';

interface Props {
  label: string;
  value: string | number | undefined;
  onChange(value: string): void;
  maxLength?: number;
}

export function SearchField({ label, value = '', onChange, maxLength = 100 }: Props) {
  return (
    <label className={styles.search}>
      <Search size={18} aria-hidden="true" />
      <input
        type="search"
        aria-label={label}
        placeholder={label}
        maxLength={maxLength}
        autoComplete="off"
        value={value}
        onChange={({ target }) => onChange(target.value)}
      />
    </label>
  );
}
