/** The second factor: set up with an app, with codes for when the app is lost, switched off. Loaded when it is meant. */
import { type FormEvent, useState } from 'react';
import type { Factor, NewFactor } from '../api/types.ts';
import { t } from '../messages/messages.ts';
import { PasswordField } from '../settings/password-field.tsx';
import styles from '../settings/settings.module.css';
import { Copy } from '../ui/copy.tsx';
import { Field, Form, fieldErrorOf } from '../ui/form.tsx';
import { useBeginFactor, useConfirmFactor, useEndFactor, useRenewCodes } from './queries.ts';

/** With the password first, whatever is done. */
export function FactorForms({ factor }: { factor: Factor }) {
  const [codes, setCodes] = useState<string[]>();
  return (
    <>
      {codes && <Codes codes={codes} />}
      {factor.is_on ? <On onCodes={setCodes} /> : <SetUp onCodes={setCodes} />}
    </>
  );
}

interface CodesProps {
  onCodes(codes: string[] | undefined): void;
}

const passwordOf = ({ currentTarget }: FormEvent<HTMLFormElement>): string =>
  String(new FormData(currentTarget).get('password'));

function SetUp({ onCodes }: CodesProps) {
  const begin = useBeginFactor();
  if (begin.data) return <Confirm factor={begin.data} onCodes={onCodes} />;
  return (
    <Form
      onSubmit={(event) => begin.mutate(passwordOf(event))}
      error={begin.error}
      isBusy={begin.isPending}
      action={t('factorAsk')}
    >
      <PasswordField problem={fieldErrorOf(begin.error)('password')} />
    </Form>
  );
}

function Confirm({ factor, onCodes }: CodesProps & { factor: NewFactor }) {
  const confirm = useConfirmFactor(onCodes);
  const submit = ({ currentTarget }: FormEvent<HTMLFormElement>) =>
    confirm.mutate(String(new FormData(currentTarget).get('code')));
  return (
    <>
      <p>{t('factorScan')}</p>
      <img className={styles.qr} src={factor.qr_code} alt={t('factorQr')} width={200} height={200} />
      <Copy label={t('factorSecret')} text={factor.secret} />
      <Form onSubmit={submit} error={confirm.error} isBusy={confirm.isPending} action={t('factorConfirm')}>
        <Field
          name="code"
          label={t('factorCode')}
          problem={fieldErrorOf(confirm.error)('code')}
          inputMode="numeric"
          autoComplete="one-time-code"
          maxLength={50}
          autoFocus
        />
      </Form>
    </>
  );
}

/** They are told this once. */
function Codes({ codes }: { codes: string[] }) {
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
      <Copy label={t('factorCodesAll')} text={codes.join(' ')} />
    </div>
  );
}

function On({ onCodes }: CodesProps) {
  const renew = useRenewCodes(onCodes);
  const end = useEndFactor(() => onCodes(undefined));
  const submit = (event: FormEvent<HTMLFormElement>) => {
    const { submitter } = event.nativeEvent as SubmitEvent;
    const password = passwordOf(event);
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
            {t('factorRenew')}
          </button>
          <button className="button quiet" type="submit" value="end">
            {t('factorEnd')}
          </button>
        </div>
      }
    >
      <PasswordField problem={fieldErrorOf(error)('password')} />
    </Form>
  );
}
