/** A dialog that adds tags to the selected photos or removes tags. */
import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { t } from '../messages/messages.ts';
import { CheckedForm } from '../ui/checked-form.tsx';
import { Dialog, DialogButtons } from '../ui/dialog.tsx';
import form from '../ui/form.module.css';
import { Field } from '../ui/form.tsx';
import type { BulkDialogProps } from './dialog-props.ts';
import { userTagsQuery } from './queries.ts';

export function TagDialog({ photos, user, onClose, onChange }: BulkDialogProps) {
  const listId = useId();
  const { data } = useQuery(userTagsQuery(user.id));
  const change = (form: HTMLFormElement, action: 'tag' | 'untag') => {
    const tags = String(new FormData(form).get('tags'))
      .split(/[,，、\r\n]/)
      .map((tag) => tag.trim())
      .filter(Boolean);
    if (tags.length > 0) onChange({ action, tags });
  };
  return (
    <Dialog title={t('tagTitle', { count: photos.length })} onClose={onClose}>
      <CheckedForm className={form.form} onSubmit={({ currentTarget }) => change(currentTarget, 'tag')}>
        <Field
          name="tags"
          label={t('tags')}
          hint={t('tagCommas')}
          list={listId}
          autoComplete="off"
          autoCapitalize="off"
          maxLength={500}
        />
        <datalist id={listId}>
          {data?.list.map(({ name }) => (
            <option key={name} value={name} />
          ))}
        </datalist>
        <DialogButtons>
          <button
            className="button quiet"
            type="button"
            onClick={({ currentTarget }) => change(currentTarget.form!, 'untag')}
          >
            {t('tagRemove')}
          </button>
          <button className="button" type="submit">
            {t('tagAdd')}
          </button>
        </DialogButtons>
      </CheckedForm>
    </Dialog>
  );
}
