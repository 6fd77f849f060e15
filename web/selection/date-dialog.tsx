/** A dialog that sets the date of the selected photos, or moves each date by the same time. */
import { type FormEvent, useState } from 'react';
import { t } from '../messages/messages.ts';
import { CheckedForm } from '../ui/checked-form.tsx';
import { Dialog, DialogButtons } from '../ui/dialog.tsx';
import { SelectField } from '../ui/fields.tsx';
import form from '../ui/form.module.css';
import { Field } from '../ui/form.tsx';
import { readWallClock } from '../ui/time.ts';
import styles from './date-dialog.module.css';
import type { BulkDialogProps } from './dialog-props.ts';

type Way = 'shift' | 'set';

const amounts = [
  { name: 'days', label: 'days', max: 365_000, seconds: 86_400 },
  { name: 'hours', label: 'hours', max: 999, seconds: 3600 },
  { name: 'minutes', label: 'minutes', max: 999, seconds: 60 },
] as const;

export function DateDialog({ photos, onClose, onChange }: BulkDialogProps) {
  const [way, setWay] = useState<Way>('shift');
  const submit = (event: FormEvent<HTMLFormElement>) => {
    const given = new FormData(event.currentTarget);
    if (way === 'set') {
      return onChange({ action: 'date', taken_time: readWallClock(String(given.get('taken_time'))) });
    }
    const shift = readShift(given);
    if (shift === 0) return onClose();
    onChange({ action: 'date', shift });
  };
  return (
    <Dialog title={t('dateTitle', { count: photos.length })} onClose={onClose}>
      <CheckedForm className={form.form} onSubmit={submit}>
        <fieldset className={styles.ways}>
          <legend className="unseen">{t('dateSelected')}</legend>
          {(['shift', 'set'] as const).map((one) => (
            <label key={one}>
              <input type="radio" name="way" checked={way === one} onChange={() => setWay(one)} />
              {t(one === 'shift' ? 'dateShift' : 'dateSet')}
            </label>
          ))}
        </fieldset>
        {way === 'shift' ? <ShiftFields /> : <DateField />}
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

function ShiftFields() {
  return (
    <>
      <SelectField name="direction" label={t('dateDirection')}>
        <option value="1">{t('dateLater')}</option>
        <option value="-1">{t('dateEarlier')}</option>
      </SelectField>
      <div className={styles.amounts}>
        {amounts.map(({ name, label, max }) => (
          <Field
            key={name}
            name={name}
            label={t(label)}
            type="number"
            min={0}
            max={max}
            step={1}
            defaultValue={0}
          />
        ))}
      </div>
    </>
  );
}

function DateField() {
  return (
    <Field
      name="taken_time"
      label={t('dateTaken')}
      hint={t('correctionNotUndone')}
      type="datetime-local"
      step={1}
      min="1000-01-01T00:00"
      max="9999-12-31T23:59:59"
    />
  );
}

function readShift(given: FormData): number {
  const seconds = amounts.map(({ name, seconds }) => Number(given.get(name)) * seconds);
  return Number(given.get('direction')) * seconds.reduce((sum, one) => sum + one, 0);
}
