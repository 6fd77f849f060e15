/** Where the session ends while one works, it is asked to sign in again over the page. Loaded when that happens. */
import { useEffect, useState } from 'react';
import { session } from '../api/session.ts';
import type { CurrentUser } from '../api/types.ts';
import { withTexts } from '../messages/messages.ts';

const load = withTexts(() => import('./dialog.tsx'), 'session', 'auth');

interface Question {
  Dialog: Awaited<ReturnType<typeof load>>['SessionDialog'];
  answer(isRenewed: boolean): void;
}

export function SessionKeeper({ user }: { user: CurrentUser }) {
  const { id } = user;
  const [question, setQuestion] = useState<Question>();
  useEffect(
    () =>
      session.onEnd(async () => {
        const { SessionDialog } = await load();
        const { promise, resolve } = Promise.withResolvers<boolean>();
        setQuestion({ Dialog: SessionDialog, answer: resolve });
        return promise.finally(() => setQuestion(undefined));
      }),
    [],
  );
  // In another tab: all of them have one session.
  useEffect(() => session.onSignIn((other) => other === id && question?.answer(true)), [id, question]);
  return question && <question.Dialog user={user} answer={question.answer} />;
}
