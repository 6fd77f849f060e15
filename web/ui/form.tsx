/** Forms: the browser validates first, and the API's messages appear beside their fields. */
import { type FormEvent, type InputHTMLAttributes, type ReactNode, useEffect, useId, useRef } from 'react';
import { ApiError } from '../api/client.ts';
import { describeError } from './error-notice.tsx';
import styles from './form.module.css';

/**
 * Limit of password fields in UTF-16 units. The API allows 128 characters, and an emoji needs two units.
 * Browsers silently cut pasted text at the limit.
 */
export const maxPasswordLength = 2 * 128;

interface FormProps {
  onSubmit(event: FormEvent<HTMLFormElement>): void;
  error: Error | null;
  isBusy: boolean;
  /** Label of the submit button. */
  action?: string;
  /** Content at the end of the form, instead of the submit button. */
  end?: ReactNode;
  /** Message that is shown after the form was sent successfully. */
  done?: string | false | undefined;
  children: ReactNode;
}

export function Form({ onSubmit, error, isBusy, action, end, done, children }: FormProps) {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (error) form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus();
  }, [error]);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (!isBusy) onSubmit(event);
  };
  const isOfFields = error instanceof ApiError && Object.keys(error.fields).length > 0;
  return (
    <form className={styles.form} method="post" ref={form} onSubmit={submit}>
      {children}
      {error && !isOfFields && (
        <p className={styles.problem} role="alert">
          {describeError(error)}
        </p>
      )}
      {end ? (
        end
      ) : done === undefined ? (
        <button className="button" type="submit" aria-busy={isBusy}>
          {action}
        </button>
      ) : (
        <div className={styles.end}>
          <button className="button" type="submit" aria-busy={isBusy}>
            {action}
          </button>
          <p role="status">{done}</p>
        </div>
      )}
    </form>
  );
}

/** Returns a function that looks up the API's message for a field. */
export function createFieldErrorLookup(error: Error | null): (name: string) => string | undefined {
  const fields = error instanceof ApiError ? error.fields : {};
  return (name) => fields[name]?.join(' ');
}

interface FieldProps extends InputHTMLAttributes<HTMLInputElement> {
  name: string;
  label: string;
  hint?: string;
  problem?: string | undefined;
}

/** A labeled text field, required by default. */
export function Field({ label, hint, problem, ...input }: FieldProps) {
  const id = useId();
  const told = problem ?? hint;
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{label}</label>
      <input
        required
        {...input}
        id={id}
        aria-invalid={problem ? true : undefined}
        aria-describedby={told ? `${id}-told` : undefined}
      />
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
