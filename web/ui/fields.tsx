/** Fields beside those of `form.tsx`: long texts, choices, switches. */
import { type ReactNode, type SelectHTMLAttributes, type TextareaHTMLAttributes, useId } from 'react';
import styles from './form.module.css';

interface Told {
  label: string;
  hint?: string;
  problem?: string | undefined;
}

function Around({ label, hint, problem, id, children }: Told & { id: string; children: ReactNode }) {
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

function describe(id: string, { hint, problem }: Told) {
  return {
    id,
    'aria-invalid': problem ? true : undefined,
    'aria-describedby': (problem ?? hint) ? `${id}-told` : undefined,
  };
}

export function TextArea({
  label,
  hint,
  problem,
  ...area
}: Told & TextareaHTMLAttributes<HTMLTextAreaElement>) {
  const id = useId();
  const told = { label, problem, ...(hint && { hint }) };
  return (
    <Around {...told} id={id}>
      <textarea rows={4} {...area} {...describe(id, told)} />
    </Around>
  );
}

/** Its children: the options. */
export function Choice({ label, hint, problem, ...select }: Told & SelectHTMLAttributes<HTMLSelectElement>) {
  const id = useId();
  const told = { label, problem, ...(hint && { hint }) };
  return (
    <Around {...told} id={id}>
      <select {...select} {...describe(id, told)} />
    </Around>
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
