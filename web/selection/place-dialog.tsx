/** A dialog that sets or removes the place of the selected photos. */
import type { FormEvent } from 'react';
import { t } from '../messages/messages.ts';
import { PlaceField } from '../photos/place-field.tsx';
import { parsePlace } from '../photos/place-text.ts';
import { CheckedForm } from '../ui/checked-form.tsx';
import { Dialog, DialogButtons } from '../ui/dialog.tsx';
import form from '../ui/form.module.css';
import type { BulkDialogProps } from './dialog-props.ts';

export function PlaceDialog({ photos, onClose, onChange }: BulkDialogProps) {
  const submit = (event: FormEvent<HTMLFormElement>) => {
    const location = parsePlace(String(new FormData(event.currentTarget).get('place')));
    if (location) onChange({ action: 'place', location });
  };
  return (
    <Dialog title={t('placeTitle', { count: photos.length })} onClose={onClose}>
      <CheckedForm className={form.form} onSubmit={submit}>
        <PlaceField name="place" hint={t('correctionNotUndone')} required />
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
      </CheckedForm>
    </Dialog>
  );
}
