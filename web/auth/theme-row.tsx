/** The row of the account menu that chooses the theme: as the system, light or dark. */
import { useState } from 'react';
import { t } from '../messages/messages.ts';
import { chooseTheme, getTheme, type Theme, themes } from '../ui/theme.ts';
import styles from './account-menu.module.css';

export function ThemeRow() {
  const [theme, setTheme] = useState(getTheme);
  const change = (chosen: Theme) => {
    chooseTheme(chosen);
    setTheme(chosen);
  };
  return (
    <label className={styles.row}>
      {t('theme')}
      <select value={theme} onChange={(event) => change(event.target.value as Theme)}>
        {Object.entries(themes).map(([name, text]) => (
          <option key={name} value={name}>
            {t(text)}
          </option>
        ))}
      </select>
    </label>
  );
}
