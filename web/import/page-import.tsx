/** The page that imports folders, ZIPs and files. The import goes on while the user looks at other pages. */
import { useQueryClient } from '@tanstack/react-query';
import { useState, useSyncExternalStore } from 'react';
import type { CurrentUser } from '../api/types.ts';
import { useSite, useUser } from '../auth/queries.ts';
import { SignInRequired } from '../auth/sign-in-required.tsx';
import { t } from '../messages/messages.ts';
import { Page } from '../ui/page.tsx';
import { ChooseFiles } from './choose-files.tsx';
import { FoundFiles } from './found-files.tsx';
import styles from './import.module.css';
import { createImportCalls } from './queries.ts';
import { ImportReceipt } from './receipt.tsx';
import { RunningImport } from './running-import.tsx';
import { createImportSession, type ImportSession } from './session.ts';

const megabyte = 1024 * 1024;

let currentSession: ImportSession | undefined;

export function ImportPage() {
  const user = useUser();
  const site = useSite();
  if (!user) return <SignInRequired title={t('importTitle')} />;
  return (
    <Page title={t('importTitle')}>
      <div className={styles.page}>
        <h1>{t('importTitle')}</h1>
        {site && <ImportContent user={user} maxBytes={site.max_upload_mb * megabyte} />}
      </div>
    </Page>
  );
}

function ImportContent({ user, maxBytes }: { user: CurrentUser; maxBytes: number }) {
  const client = useQueryClient();
  const [session] = useState(() => {
    if (currentSession?.user !== user.id) {
      const calls = createImportCalls(client, user.id);
      currentSession = createImportSession({ user: user.id, maxBytes, calls });
    }
    return currentSession;
  });
  const view = useSyncExternalStore(session.subscribe, session.view);
  if (view.phase === 'found') return <FoundFiles session={session} view={view} />;
  if (view.phase === 'running') return <RunningImport session={session} view={view} />;
  if (view.phase === 'done') return <ImportReceipt session={session} view={view} username={user.username} />;
  return <ChooseFiles session={session} view={view} />;
}
