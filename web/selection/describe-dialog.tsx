/** A dialog that sets the title and description of the selected photos. An empty field changes nothing. */
import type { FormEvent } from 'react';
import { t } from '../messages/messages.ts';
import { CheckedForm } from '../ui/checked-form.tsx';
import { Dialog, DialogButtons } from '../ui/dialog.tsx';
import { TextAreaField } from '../ui/fields.tsx';
import form from '../ui/form.module.css';
import { Field } from '../ui/form.tsx';
import type { BulkDialogProps } from './dialog-props.ts';

export function DescribePhotosDialog({ photos, onClose, onChange }: BulkDialogProps) {
  const submit = (event: FormEvent<HTMLFormElement>) => {
    const given = new FormData(event.currentTarget);
    const [title, description] = [String(given.get('title')).trim(), String(given.get('description')).trim()];
    if (title === '' && description === '') return onClose();
    onChange({
      action: 'describe',
      ...(title !== '' && { title }),
      ...(description !== '' && { description }),
    });
  };
  const only = photos.length === 1 ? photos[0] : undefined;
  return (
    <Dialog title={t('describeTitle', { count: photos.length })} onClose={onClose}>
      <CheckedForm className={form.form} onSubmit={submit}>
        <Field
          name="title"
          label={t('photoTitle')}
          hint={only ? undefined : t('describeHint', { count: photos.length })}
          defaultValue={only?.title}
          required={false}
          maxLength={200}
        />
        <TextAreaField name="description" label={t('photoDescription')} maxLength={2000} />
        <DialogButtons>
          <button className="button quiet" type="button" onClick={onClose}>
            {t('cancel')}
          </button>
          <button className="button" type="submit">
            {t('describeSave')}
          </button>
        </DialogButtons>
      </CheckedForm>
    </Dialog>
  );
}
