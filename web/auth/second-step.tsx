/** The second sign-in step: a code of the authenticator app, or a recovery code. */
import type { FormEvent, ReactNode } from 'react';
import { t } from '../messages/messages.ts';
import { createFieldErrorLookup, Field, Form } from '../ui/form.tsx';

interface Props {
  /** Explains a further effect of the code, beside signing in. */
  about?: ReactNode;
  error: Error | null;
  isBusy: boolean;
  onCode(code: string): void;
  /** Returns to the username and password, the first sign-in step. */
  onBack(): void;
}

export function SecondStepForm({ about, error, isBusy, onCode, onBack }: Props) {
  const submit = (event: FormEvent<HTMLFormElement>) =>
    onCode(String(new FormData(event.currentTarget).get('code')));
  return (
    <>
      {about !== undefined && <p>{about}</p>}
      <Form onSubmit={submit} error={error} isBusy={isBusy} action={t('signIn')}>
        <Field
          name="code"
          label={t('verificationCode')}
          hint={t('verificationCodeHint')}
          problem={createFieldErrorLookup(error)('code')}
          autoComplete="one-time-code"
          maxLength={50}
          autoFocus
        />
      </Form>
      <p>
        <button className="button quiet" type="button" onClick={onBack}>
          {t('verificationBack')}
        </button>
      </p>
    </>
  );
}
