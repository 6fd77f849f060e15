/** The page of the one-time setup link, which the server logs; creates the first admin. */
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { KeyRound } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import type { CurrentUser, Site } from '../api/types.ts';
import { AccountFields, readRegistration } from '../auth/account-fields.tsx';
import { JoinByProviderButton } from '../auth/join-by-provider.tsx';
import { useSite, useUser } from '../auth/queries.ts';
import { useBecomeAdmin, useRegister } from '../auth/sign-in/queries.ts';
import { useGoAfterSignIn } from '../auth/use-go-after-sign-in.ts';
import { useLinkCode } from '../auth/use-link-code.ts';
import { t } from '../messages/messages.ts';
import { ButtonLink } from '../ui/button-link.tsx';
import { Card } from '../ui/card.tsx';
import { Form } from '../ui/form.tsx';
import { Page } from '../ui/page.tsx';
import styles from './first-run.module.css';

type Access = Site['access'];

export function FirstRunPage() {
  const code = useLinkCode();
  const user = useUser();
  const isOver = useSite()?.has_admin === true;
  const register = useRegister();
  const become = useBecomeAdmin();
  const isUnused = register.isIdle && become.isIdle;
  return (
    <Page title={t('setupTitle')}>
      {code === '' ? (
        <NothingToSetUp text={t('setupLinkNeeded')} />
      ) : user?.is_admin && isUnused ? (
        <NothingToSetUp text={t('setupAlreadyAdmin', { name: user.nickname || user.username })} />
      ) : isOver && isUnused ? (
        <NothingToSetUp text={t('setupExpired')} />
      ) : user && (register.isIdle || become.isError) ? (
        <BecomeAdmin code={code} user={user} become={become} />
      ) : (
        <CreateAdmin code={code} register={register} become={become} />
      )}
    </Page>
  );
}

const icon = <KeyRound size={32} strokeWidth={1.5} />;

interface CreateAdminProps {
  code: string;
  register: ReturnType<typeof useRegister>;
  become: ReturnType<typeof useBecomeAdmin>;
}

/**
 * Creates the first account by the code. If accounts exist, the visitor registers normally and then becomes
 * admin.
 */
function CreateAdmin({ code, register, become }: CreateAdminProps) {
  const arrive = useGoAfterSignIn();
  const { has_users, registration } = useSite() ?? {};
  const { problem } = useSearch({ from: '/first-run' });
  const { oidc, password = true } = useSite()?.sign_in ?? {};
  const [access, setAccess] = useState<Access>('public');
  const answer = { setup: code, access };
  const submit = (event: FormEvent<HTMLFormElement>) => {
    const given = readRegistration(event.currentTarget);
    const done = { onSuccess: () => arrive('/') };
    if (!has_users) return register.mutate({ ...given, ...answer }, done);
    register.mutate(given, { onSuccess: () => become.mutate(answer, done) });
  };
  const hasForm = password && (!has_users || registration === 'open');
  const question = <AccessQuestion access={access} onChange={setAccess} />;
  const text = password ? t('setupText') : t('setupWithProvider', { name: oidc?.name ?? '' });
  return (
    <Card as="h1" title={t('setupTitle')} text={text} icon={icon}>
      {hasForm && (
        <Form onSubmit={submit} error={register.error} isBusy={register.isPending} action={t('setupCreate')}>
          <AccountFields error={register.error} />
          {question}
        </Form>
      )}
      {!hasForm && oidc && question}
      <JoinByProviderButton link={answer} problem={problem} />
      <p>
        {t('haveAccount')} <Link to="/sign-in">{t('signIn')}</Link>
        {t('setupSignIn')}
      </p>
    </Card>
  );
}

interface BecomeAdminProps {
  code: string;
  user: CurrentUser;
  become: ReturnType<typeof useBecomeAdmin>;
}

function BecomeAdmin({ code, user, become }: BecomeAdminProps) {
  const navigate = useNavigate();
  const [access, setAccess] = useState<Access>('public');
  const submit = () =>
    become.mutate({ setup: code, access }, { onSuccess: () => void navigate({ to: '/' }) });
  const name = user.nickname || user.username;
  return (
    <Card as="h1" title={t('setupTitle')} text={t('setupPromoteText', { name })} icon={icon}>
      <Form
        onSubmit={submit}
        error={become.error}
        isBusy={become.isPending}
        action={t('setupPromote', { name })}
      >
        <AccessQuestion access={access} onChange={setAccess} />
      </Form>
    </Card>
  );
}

interface AccessQuestionProps {
  access: Access;
  onChange(access: Access): void;
}

/** Asks who can see the gallery, unless the setting ACCESS decides. */
function AccessQuestion({ access, onChange }: AccessQuestionProps) {
  if (useSite()?.is_access_fixed !== false) return null;
  return (
    <fieldset className={styles.choice}>
      <legend>{t('setupAccess')}</legend>
      {(['public', 'members'] as const).map((choice) => (
        <label key={choice}>
          <input
            type="radio"
            name="access"
            value={choice}
            checked={access === choice}
            onChange={() => onChange(choice)}
          />
          <span>{t(choice === 'public' ? 'setupAccessPublic' : 'setupAccessMembers')}</span>
        </label>
      ))}
    </fieldset>
  );
}

/** Explains why the gallery needs no setup. */
function NothingToSetUp({ text }: { text: string }) {
  return (
    <Card as="h1" title={t('setupTitle')} text={text} icon={icon}>
      <ButtonLink to="/">{t('goToPhotos')}</ButtonLink>
    </Card>
  );
}
