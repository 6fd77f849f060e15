/** A dialog with all keyboard shortcuts. */
import { useUser } from '../auth/queries.ts';
import { t } from '../messages/messages.ts';
import { Dialog } from '../ui/dialog.tsx';
import { listShortcutGroups } from './groups.ts';
import styles from './keys.module.css';

export function ShortcutsDialog({ onClose }: { onClose(): void }) {
  const user = useUser();
  return (
    <Dialog title={t('keys')} onClose={onClose} isWide>
      <div className={styles.groups}>
        {listShortcutGroups(user?.is_admin ?? false).map(({ title, rows }) => (
          <section key={title} className={styles.group}>
            <h3>{title}</h3>
            <dl>
              {rows.map(({ keys, label }) => (
                <div key={label}>
                  <dt>{label}</dt>
                  <dd>
                    {keys.map((key) => (
                      <kbd key={key}>{key}</kbd>
                    ))}
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  );
}
