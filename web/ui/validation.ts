/** Describes invalid fields in the user's language, in place of the browser's bubbles. */
import { type FormEvent, useState } from 'react';
import { type MessageKey, t } from '../messages/messages.ts';

type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

/**
 * Returns the problem of a field: a rule that its value broke at the last attempt to send the form, or else the API's
 * message. The second item belongs to the element around the field.
 */
export function useFieldProblem(apiProblem: string | undefined) {
  const [broken, setBroken] = useState<string>();
  const handlers = {
    onInvalidCapture: ({ target }: FormEvent) => setBroken(describeInvalid(target as Control)),
    onInputCapture: () => setBroken(undefined),
  };
  return [broken ?? apiProblem, handlers] as const;
}

const textByType: Record<string, MessageKey> = {
  email: 'fieldEmail',
  url: 'fieldUrl',
  number: 'fieldNumber',
  'datetime-local': 'fieldDate',
  radio: 'fieldChoice',
};

function describeInvalid(control: Control): string {
  const { validity, type } = control;
  const { min, max, minLength, maxLength } = control as HTMLInputElement;
  if (validity.customError) return control.validationMessage;
  if (validity.tooShort) return t('fieldTooShort', { count: minLength });
  if (validity.tooLong) return t('fieldTooLong', { count: maxLength });
  if (type === 'number' && validity.rangeUnderflow) return t('fieldTooSmall', { min: Number(min) });
  if (type === 'number' && validity.rangeOverflow) return t('fieldTooLarge', { max: Number(max) });
  const isEmpty = validity.valueMissing && !validity.badInput && type !== 'radio';
  return t((!isEmpty && textByType[type]) || 'fieldRequired');
}
