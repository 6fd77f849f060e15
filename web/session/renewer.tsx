/** Where the session ends while one works, it is asked to sign in again over the page. Loaded when that happens. */
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { sessionRenewal } from '../api/session-renewal.ts';
import type { CurrentUser } from '../api/types.ts';
import { refetchUser } from '../auth/queries.ts';
import { withTexts } from '../messages/messages.ts';

const load = withTexts(() => import('./dialog.tsx'), 'session', 'auth');

interface OpenQuestion {
  Dialog: Awaited<ReturnType<typeof load>>['SessionDialog'];
  answer(isRenewed: boolean): void;
}

export function SessionRenewer({ user }: { user: CurrentUser }) {
  const { id } = user;
  const client = useQueryClient();
  const [question, setQuestion] = useState<OpenQuestion>();
  useEffect(
    () =>
      sessionRenewal.onEnd(async () => {
        // The browser has another session by now: what was on its way with the old cookie goes on.
        if ((await refetchUser(client, 0))?.id === id) return true;
        const { SessionDialog } = await load();
        const { promise, resolve } = Promise.withResolvers<boolean>();
        setQuestion({ Dialog: SessionDialog, answer: resolve });
        return promise.finally(() => setQuestion(undefined));
      }),
    [client, id],
  );
  // In another tab: all of them have one session. What one did there may have changed the account, as a new password.
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
