/** Opens the sign-in dialog when the session expires. The dialog's script is loaded at that time. */
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { sessionRenewal } from '../api/session-renewal.ts';
import type { CurrentUser } from '../api/types.ts';
import { refetchUser } from '../auth/queries.ts';
import { loadWithTexts } from '../messages/messages.ts';

const loadSessionDialog = loadWithTexts(() => import('./dialog.tsx'), 'session', 'auth');

interface OpenQuestion {
  Dialog: Awaited<ReturnType<typeof loadSessionDialog>>['SignInAgainDialog'];
  answer(isRenewed: boolean): void;
}

export function SessionRenewer({ user }: { user: CurrentUser }) {
  const { id } = user;
  const client = useQueryClient();
  const [question, setQuestion] = useState<OpenQuestion>();
  useEffect(
    () =>
      sessionRenewal.onEnd(async () => {
        // Another tab has renewed the session, so the interrupted call can continue.
        if ((await refetchUser(client, 0))?.id === id) return true;
        const { SignInAgainDialog } = await loadSessionDialog();
        const { promise, resolve } = Promise.withResolvers<boolean>();
        setQuestion({ Dialog: SignInAgainDialog, answer: resolve });
        return promise.finally(() => setQuestion(undefined));
      }),
    [client, id],
  );
  // Another tab signed in, and all tabs share one session. The account may have changed there, for example
  // its password.
  useEffect(
    () =>
      sessionRenewal.onSignIn((other) => {
        if (other !== id) return;
        question?.answer(true);
        void refetchUser(client, 0);
      }),
    [client, id, question],
  );
  return question && <question.Dialog user={user} answer={question.answer} />;
}
