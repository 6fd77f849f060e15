/** Forms: the browser validates first, and the API's messages appear beside their fields. */
import { Eye, EyeOff } from 'lucide-react';
import {
  type FormEvent,
  type InputHTMLAttributes,
  type ReactNode,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react';
import { ApiError } from '../api/client.ts';
import { t } from '../messages/messages.ts';
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

/** A labeled text field, required by default. The text of a password field can be shown. */
export function Field({ label, hint, problem, ...input }: FieldProps) {
  const id = useId();
  const told = problem ?? hint;
  const [isShown, setShown] = useState(false);
  const Icon = isShown ? EyeOff : Eye;
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{label}</label>
      <span className={styles.box}>
        <input
          required
          {...input}
          {...(isShown && { type: 'text', autoCapitalize: 'none', spellCheck: false })}
          id={id}
          aria-invalid={problem ? true : undefined}
          aria-describedby={told ? `${id}-told` : undefined}
        />
        {input.type === 'password' && (
          <button
            type="button"
            aria-label={t(isShown ? 'hidePassword' : 'showPassword')}
            title={t(isShown ? 'hidePassword' : 'showPassword')}
            onClick={() => setShown(!isShown)}
          >
            <Icon size={18} aria-hidden="true" />
          </button>
        )}
      </span>
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
