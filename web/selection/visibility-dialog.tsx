/** A dialog that sets who can see the selected photos. */
import { useState } from 'react';
import { t } from '../messages/messages.ts';
import { CheckedForm } from '../ui/checked-form.tsx';
import { Dialog, DialogButtons } from '../ui/dialog.tsx';
import form from '../ui/form.module.css';
import { chooseWidestLevel } from '../visibility/levels.ts';
import { VisibilityField } from '../visibility/visibility-field.tsx';
import type { BulkDialogProps } from './dialog-props.ts';

export function VisibilityDialog({ photos, user, onClose, onChange }: BulkDialogProps) {
  const given = photos.map(({ visibility }) => visibility);
  const [level, setLevel] = useState(() => (new Set(given).size === 1 ? given[0] : undefined));
  const ofOthers = photos.filter((photo) => photo.user.id !== user.id);
  const submit = () => {
    if (level) onChange({ action: 'visibility', visibility: level });
  };
  return (
    <Dialog title={t('visibilityTitle', { count: photos.length })} onClose={onClose}>
      <CheckedForm className={form.form} onSubmit={submit}>
        <VisibilityField
          value={level}
          widest={
            ofOthers.length > 0 ? chooseWidestLevel(ofOthers.map(({ visibility }) => visibility)) : undefined
          }
          hint={t('visibilityAlbumsNarrow')}
          onChange={setLevel}
        />
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
