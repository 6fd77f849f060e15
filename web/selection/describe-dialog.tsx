/** A dialog that sets the title and description of the selected photos. An empty field changes nothing. */
import type { FormEvent } from 'react';
import { t } from '../messages/messages.ts';
import { Dialog, DialogButtons } from '../ui/dialog.tsx';
import form from '../ui/form.module.css';
import { Field } from '../ui/form.tsx';
import type { BulkDialogProps } from './dialog-props.ts';

export function DescribePhotosDialog({ photos, onClose, onChange }: BulkDialogProps) {
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
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
      <form className={form.form} onSubmit={submit}>
        <Field
          name="title"
          label={t('photoTitle')}
          hint={only ? undefined : t('describeHint', { count: photos.length })}
          defaultValue={only?.title}
          required={false}
          maxLength={200}
        />
        <div className={form.field}>
          <label htmlFor="many-description">{t('photoDescription')}</label>
          <textarea id="many-description" name="description" rows={4} maxLength={2000} />
        </div>
        <DialogButtons>
          <button className="button quiet" type="button" onClick={onClose}>
            {t('cancel')}
          </button>
          <button className="button" type="submit">
            {t('describeSave')}
          </button>
        </DialogButtons>
      </form>
    </Dialog>
  );
}
