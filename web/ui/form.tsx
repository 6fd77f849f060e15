/** Forms: the page validates first, and its messages and those of the API appear beside their fields. */
import { Eye, EyeOff } from 'lucide-react';
import { type FormEvent, type InputHTMLAttributes, type ReactNode, useEffect, useRef, useState } from 'react';
import { ApiError } from '../api/client.ts';
import { t } from '../messages/messages.ts';
import { CheckedForm } from './checked-form.tsx';
import { describeError } from './error-notice.tsx';
import { FieldFrame, type FieldTexts } from './field-frame.tsx';
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
    if (!isBusy) onSubmit(event);
  };
  const isOfFields = error instanceof ApiError && Object.keys(error.fields).length > 0;
  return (
    <CheckedForm className={styles.form} method="post" ref={form} onSubmit={submit}>
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
    </CheckedForm>
  );
}

/** Returns a function that looks up the API's message for a field. */
export function createFieldErrorLookup(error: Error | null): (name: string) => string | undefined {
  const fields = error instanceof ApiError ? error.fields : {};
  return (name) => fields[name]?.join(' ');
}

interface FieldProps extends FieldTexts, InputHTMLAttributes<HTMLInputElement> {
  name: string;
}

/** A labeled text field, required by default. The text of a password field can be shown. */
export function Field({ label, hint, problem, ...input }: FieldProps) {
  const [isShown, setShown] = useState(false);
  const Icon = isShown ? EyeOff : Eye;
  return (
    <FieldFrame {...{ label, hint, problem }}>
      {(attributes) => (
        <span className={styles.box}>
          <input
            required
            {...input}
            {...(isShown && { type: 'text', autoCapitalize: 'none', spellCheck: false })}
            {...attributes}
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
      )}
    </FieldFrame>
  );
}
