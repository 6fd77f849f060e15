/** Asks for confirmation before unsaved edits are lost. */
import { t } from '../messages/messages.ts';
import { useReturnFocus } from '../ui/use-return-focus.ts';
import styles from './editor.module.css';

export function LeaveEditorDialog({ stay, leave }: { stay(): void; leave(): void }) {
  useReturnFocus();
  return (
    <div className={styles.question} role="alertdialog" aria-modal="true" aria-labelledby="leave-question">
      <p id="leave-question">{t('discardQuestion')}</p>
      {/* biome-ignore lint/a11y/noAutofocus: the dialog answers an action of the user */}
      <button className="button" type="button" autoFocus onClick={stay}>
        {t('keepEditing')}
      </button>
      <button className="button quiet" type="button" onClick={leave}>
        {t('discardEdits')}
      </button>
    </div>
  );
}
