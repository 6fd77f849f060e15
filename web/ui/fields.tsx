/** Form fields beside those of `form.tsx`: long texts, choices, switches. */
import { type ReactNode, type SelectHTMLAttributes, type TextareaHTMLAttributes, useId } from 'react';
import styles from './form.module.css';

interface FieldTexts {
  label: string;
  hint?: string;
  problem?: string | undefined;
}

function FieldFrame({
  label,
  hint,
  problem,
  id,
  children,
}: FieldTexts & { id: string; children: ReactNode }) {
  const told = problem ?? hint;
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{label}</label>
      {children}
      {told && (
        <p
          id={`${id}-told`}
          className={problem ? styles.problem : styles.hint}
          role={problem ? 'alert' : undefined}
        >
          {told}
        </p>
      )}
    </div>
  );
}

function describedBy(id: string, { hint, problem }: FieldTexts) {
  return {
    id,
    'aria-invalid': problem ? true : undefined,
    'aria-describedby': (problem ?? hint) ? `${id}-told` : undefined,
  };
}

export function TextAreaField({
  label,
  hint,
  problem,
  ...area
}: FieldTexts & TextareaHTMLAttributes<HTMLTextAreaElement>) {
  const id = useId();
  const told = { label, problem, ...(hint && { hint }) };
  return (
    <FieldFrame {...told} id={id}>
      <textarea rows={4} {...area} {...describedBy(id, told)} />
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
  const id = useId();
  const told = { label, problem, ...(hint && { hint }) };
  return (
    <FieldFrame {...told} id={id}>
      <select {...select} {...describedBy(id, told)} />
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
