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

interface FactorFormsProps {
  factor: SecondFactorStatus;
  /** Closes the forms that set up the second factor. */
  onCancel(): void;
}

/** Every change of the second factor asks for the password first. */
export function SecondFactorForms({ factor, onCancel }: FactorFormsProps) {
  const [codes, setCodes] = useState<string[]>();
  return (
    <>
      {codes && <RecoveryCodes codes={codes} />}
      {factor.is_on ? (
        <ActiveFactorForm onCodes={setCodes} />
      ) : (
        <StartFactorForm onCodes={setCodes} onCancel={onCancel} />
      )}
    </>
  );
}

interface FactorFormProps {
  onCodes(codes: string[] | undefined): void;
}
type SetUpFormProps = FactorFormProps & Pick<FactorFormsProps, 'onCancel'>;

const readPassword = ({ currentTarget }: FormEvent<HTMLFormElement>): string =>
  String(new FormData(currentTarget).get('password'));

function StartFactorForm(props: SetUpFormProps) {
  const begin = useStartSecondFactor();
  if (begin.data) return <ConfirmFactorForm factor={begin.data} {...props} />;
  return (
    <Form
      onSubmit={(event) => begin.mutate(readPassword(event))}
      error={begin.error}
      isBusy={begin.isPending}
      end={<SetUpButtons action={t('factorContinue')} isBusy={begin.isPending} onCancel={props.onCancel} />}
    >
      <PasswordField problem={createFieldErrorLookup(begin.error)('password')} />
    </Form>
  );
}

interface SetUpButtonsProps {
  action: string;
  isBusy: boolean;
  onCancel(): void;
}

function SetUpButtons({ action, isBusy, onCancel }: SetUpButtonsProps) {
  return (
    <div className={styles.actions}>
      <button className="button" type="submit" aria-busy={isBusy}>
        {action}
      </button>
      <button className="button quiet" type="button" onClick={onCancel}>
        {t('cancel')}
      </button>
    </div>
  );
}

function ConfirmFactorForm({ factor, onCodes, onCancel }: SetUpFormProps & { factor: NewSecondFactor }) {
  const confirm = useConfirmSecondFactor(onCodes);
  const submit = ({ currentTarget }: FormEvent<HTMLFormElement>) =>
    confirm.mutate(String(new FormData(currentTarget).get('code')));
  return (
    <>
      <p>{t('factorScan')}</p>
      <img className={styles.qr} src={factor.qr_code} alt={t('factorQr')} width={200} height={200} />
      <CopyField label={t('factorSecret')} text={factor.secret} isSecret />
      <Form
        onSubmit={submit}
        error={confirm.error}
        isBusy={confirm.isPending}
        end={<SetUpButtons action={t('factorTurnOn')} isBusy={confirm.isPending} onCancel={onCancel} />}
      >
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
      <CopyField label={t('factorAllCodes')} text={codes.join(' ')} isSecret />
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
