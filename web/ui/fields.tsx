/** Form fields beside those of `form.tsx`: long texts, choices, switches. */
import type { SelectHTMLAttributes, TextareaHTMLAttributes } from 'react';
import { FieldFrame, type FieldTexts } from './field-frame.tsx';
import styles from './form.module.css';

export function TextAreaField({
  label,
  hint,
  problem,
  ...area
}: FieldTexts & TextareaHTMLAttributes<HTMLTextAreaElement>) {
  return (
    <FieldFrame {...{ label, hint, problem }}>
      {(attributes) => <textarea rows={4} {...area} {...attributes} />}
    </FieldFrame>
  );
}

/** A select field; its children are the options. */
export function SelectField({
  label,
  hint,
  problem,
  ...select
}: FieldTexts & SelectHTMLAttributes<HTMLSelectElement>) {
  return (
    <FieldFrame {...{ label, hint, problem }}>
      {(attributes) => <select {...select} {...attributes} />}
    </FieldFrame>
  );
}

interface SwitchProps {
  name: string;
  label: string;
  hint?: string | undefined;
  value?: string;
  checked?: boolean;
  defaultChecked?: boolean;
  onChange?(isOn: boolean): void;
}

export function Switch({ label, hint, onChange, ...input }: SwitchProps) {
  return (
    <label className={styles.switch}>
      <input type="checkbox" {...input} onChange={({ target }) => onChange?.(target.checked)} />
      <span>
        {label}
        {hint && <small>{hint}</small>}
      </span>
    </label>
  );
}
