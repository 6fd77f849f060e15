/** A dialog that rates the selected photos. */
import { type FormEvent, useId } from 'react';
import { t } from '../messages/messages.ts';
import { CheckedForm } from '../ui/checked-form.tsx';
import { Dialog, DialogButtons } from '../ui/dialog.tsx';
import form from '../ui/form.module.css';
import { useFieldProblem } from '../ui/validation.ts';
import styles from './date-dialog.module.css';
import type { BulkDialogProps } from './dialog-props.ts';

export function RatingDialog({ photos, onClose, onChange }: BulkDialogProps) {
  const id = useId();
  const [problem, handlers] = useFieldProblem(undefined);
  const describedBy = problem ? { 'aria-invalid': true, 'aria-describedby': id } : {};
  const submit = (event: FormEvent<HTMLFormElement>) => {
    onChange({ action: 'rate', rating: Number(new FormData(event.currentTarget).get('rating')) });
  };
  return (
    <Dialog title={t('rateTitle', { count: photos.length })} onClose={onClose}>
      <CheckedForm className={form.form} onSubmit={submit}>
        <fieldset className={styles.ways} {...handlers}>
          <legend className="unseen">{t('rating')}</legend>
          {[5, 4, 3, 2, 1, 0].map((count) => (
            <label key={count}>
              <input type="radio" name="rating" value={count} required {...describedBy} />
              {count === 0 ? t('noRating') : t('stars', { count })}
            </label>
          ))}
          {problem && (
            <p id={id} className={form.problem} role="alert">
              {problem}
            </p>
          )}
        </fieldset>
        <p className={styles.hint}>
          {t('rateKeys')} {t('correctionNotUndone')}
        </p>
        <DialogButtons>
          <button className="button quiet" type="button" onClick={onClose}>
            {t('cancel')}
          </button>
          <button className="button" type="submit">
            {t('save')}
          </button>
        </DialogButtons>
      </CheckedForm>
    </Dialog>
  );
}
