/** A dialog that sets or removes the place of the selected photos. */
import { type FormEvent, useState } from 'react';
import { t } from '../messages/messages.ts';
import { parsePlace } from '../photos/place-text.ts';
import { Dialog, DialogButtons } from '../ui/dialog.tsx';
import form from '../ui/form.module.css';
import { Field } from '../ui/form.tsx';
import type { BulkDialogProps } from './dialog-props.ts';

export function PlaceDialog({ photos, onClose, onChange }: BulkDialogProps) {
  const [problem, setProblem] = useState<string>();
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const location = parsePlace(String(new FormData(event.currentTarget).get('place')));
    if (!location) return setProblem(t('placeUnreadable'));
    onChange({ action: 'place', location });
  };
  return (
    <Dialog title={t('placeTitle', { count: photos.length })} onClose={onClose}>
      <form className={form.form} onSubmit={submit}>
        <Field
          name="place"
          label={t('place')}
          hint={`${t('placeHint')} ${t('correctionNotUndone')}`}
          problem={problem}
          placeholder="46.0207, 7.7491"
          autoComplete="off"
          maxLength={500}
          onInput={() => setProblem(undefined)}
        />
        <DialogButtons>
          <button
            className="button quiet"
            type="button"
            onClick={() => onChange({ action: 'place', location: null })}
          >
            {t('placeRemove')}
          </button>
          <button className="button" type="submit">
            {t('save')}
          </button>
        </DialogButtons>
      </form>
    </Dialog>
  );
}
