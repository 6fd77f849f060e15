/** Forms that set up, renew or turn off the second factor. The script is loaded on demand. */
import { type FormEvent, useState } from 'react';
import type { NewSecondFactor, SecondFactorStatus } from '../api/types.ts';
import { t } from '../messages/messages.ts';
import { PasswordField } from '../settings/password-field.tsx';
import styles from '../settings/settings.module.css';
import { CopyField } from '../ui/copy.tsx';
import { createFieldErrorLookup, Field, Form } from '../ui/form.tsx';
import {
  useConfirmSecondFactor,
  useRemoveSecondFactor,
  useReplaceRecoveryCodes,
  useStartSecondFactor,
} from './queries.ts';

/** Every change of the second factor asks for the password first. */
export function SecondFactorForms({ factor }: { factor: SecondFactorStatus }) {
  const [codes, setCodes] = useState<string[]>();
  return (
    <>
      {codes && <RecoveryCodes codes={codes} />}
      {factor.is_on ? <ActiveFactorForm onCodes={setCodes} /> : <StartFactorForm onCodes={setCodes} />}
    </>
  );
}

interface FactorFormProps {
  onCodes(codes: string[] | undefined): void;
}

const readPassword = ({ currentTarget }: FormEvent<HTMLFormElement>): string =>
  String(new FormData(currentTarget).get('password'));

function StartFactorForm({ onCodes }: FactorFormProps) {
  const begin = useStartSecondFactor();
  if (begin.data) return <ConfirmFactorForm factor={begin.data} onCodes={onCodes} />;
  return (
    <Form
      onSubmit={(event) => begin.mutate(readPassword(event))}
      error={begin.error}
      isBusy={begin.isPending}
      action={t('factorContinue')}
    >
      <PasswordField problem={createFieldErrorLookup(begin.error)('password')} />
    </Form>
  );
}

function ConfirmFactorForm({ factor, onCodes }: FactorFormProps & { factor: NewSecondFactor }) {
  const confirm = useConfirmSecondFactor(onCodes);
  const submit = ({ currentTarget }: FormEvent<HTMLFormElement>) =>
    confirm.mutate(String(new FormData(currentTarget).get('code')));
  return (
    <>
      <p>{t('factorScan')}</p>
      <img className={styles.qr} src={factor.qr_code} alt={t('factorQr')} width={200} height={200} />
      <CopyField label={t('factorSecret')} text={factor.secret} />
      <Form onSubmit={submit} error={confirm.error} isBusy={confirm.isPending} action={t('factorTurnOn')}>
        <Field
          name="code"
          label={t('factorCode')}
          problem={createFieldErrorLookup(confirm.error)('code')}
          inputMode="numeric"
          autoComplete="one-time-code"
          maxLength={50}
          autoFocus
        />
      </Form>
    </>
  );
}

/** Recovery codes are shown only once. */
function RecoveryCodes({ codes }: { codes: string[] }) {
  return (
    <div className={styles.once} role="status">
      <p>{t('factorCodes')}</p>
      <ul className={styles.codes}>
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <CopyField label={t('factorAllCodes')} text={codes.join(' ')} />
    </div>
  );
}

function ActiveFactorForm({ onCodes }: FactorFormProps) {
  const renew = useReplaceRecoveryCodes(onCodes);
  const end = useRemoveSecondFactor(() => onCodes(undefined));
  const submit = (event: FormEvent<HTMLFormElement>) => {
    const { submitter } = event.nativeEvent as SubmitEvent;
    const password = readPassword(event);
    if (submitter?.getAttribute('value') === 'end') end.mutate(password);
    else renew.mutate(password);
  };
  const error = end.error ?? renew.error;
  return (
    <Form
      onSubmit={submit}
      error={error}
      isBusy={end.isPending || renew.isPending}
      end={
        <div className={styles.actions}>
          <button className="button quiet" type="submit" value="renew">
            {t('factorNewCodes')}
          </button>
          <button className="button quiet" type="submit" value="end">
            {t('factorTurnOff')}
          </button>
        </div>
      }
    >
      <PasswordField problem={createFieldErrorLookup(error)('password')} />
    </Form>
  );
}
