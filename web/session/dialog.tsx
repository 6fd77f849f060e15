/** The session has ended: sign in again, and what one was doing goes on. */
import type { FormEvent } from 'react';
import type { CurrentUser } from '../api/types.ts';
import { credentialsOf, SignInFields } from '../auth/sign-in-fields.tsx';
import { t } from '../messages/messages.ts';
import { Dialog } from '../ui/dialog.tsx';
import { Form } from '../ui/form.tsx';
import { useSignInAgain, useStaySignedOut } from './queries.ts';
import styles from './session.module.css';

interface Props {
  user: CurrentUser;
  answer(isRenewed: boolean): void;
}

export function SessionDialog({ user, answer }: Props) {
  const signIn = useSignInAgain();
  const staySignedOut = useStaySignedOut();
  const give = (event: FormEvent<HTMLFormElement>) => {
    signIn.mutate(credentialsOf(event.currentTarget), {
      onSuccess: (found) => answer(found.user.id === user.id),
    });
  };
  const giveUp = () => {
    staySignedOut();
    answer(false);
  };
  return (
    <Dialog title={t('sessionEnded')} onClose={giveUp}>
      <p className={styles.text}>{t('sessionEndedText', { name: user.nickname || user.username })}</p>
      <Form onSubmit={give} error={signIn.error} isBusy={signIn.isPending} action={t('signIn')}>
        <SignInFields error={signIn.error} username={user.username} />
      </Form>
      <button className="button quiet" type="button" onClick={giveUp}>
        {t('sessionStayOut')}
      </button>
    </Dialog>
  );
}
