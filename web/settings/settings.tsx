/** The frame of the pages where one sets what is one's own: their names beside them, and sections. */
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { CurrentUser } from '../api/types.ts';
import { useUser } from '../auth/queries.ts';
import { SignInFirst } from '../auth/sign-in-first.tsx';
import { t } from '../messages/messages.ts';
import { Page } from '../ui/page.tsx';
import { Tabs } from '../ui/tabs.tsx';
import styles from './settings.module.css';

const pages = [
  { to: '/settings', label: 'settingsProfile' },
  { to: '/settings/security', label: 'settingsSecurity' },
  { to: '/settings/account', label: 'settingsAccount' },
  { to: '/settings/keys', label: 'settingsKeys' },
  { to: '/settings/webhooks', label: 'settingsWebhooks' },
] as const;

interface Props {
  /** The page that this is. */
  at: (typeof pages)[number]['to'];
  children(user: CurrentUser): ReactNode;
}

export function Settings({ at, children }: Props) {
  const user = useUser();
  const title = t(pages.find(({ to }) => to === at)!.label);
  if (!user) return <SignInFirst title={t('settings')} />;
  return (
    <Page title={title}>
      <div className={styles.page}>
        <Tabs className={styles.pages} label={t('settings')}>
          {pages.map(({ to, label }) => (
            <Link key={to} to={to} activeOptions={{ exact: true }}>
              {t(label)}
            </Link>
          ))}
        </Tabs>
        <div className={styles.content}>
          <h1>{title}</h1>
          {children(user)}
        </div>
      </div>
    </Page>
  );
}

interface SectionProps {
  /** Where links lead to it. */
  id?: string;
  title: string;
  text?: string;
  children: ReactNode;
}

export function Section({ id, title, text, children }: SectionProps) {
  return (
    <section className={styles.section} id={id}>
      <h2>{title}</h2>
      {text && <p className={styles.text}>{text}</p>}
      {children}
    </section>
  );
}

interface ItemProps {
  title: ReactNode;
  /** Beside the title: what is special about it. */
  mark?: string | false | undefined;
  facts: (string | false | undefined)[];
  children?: ReactNode;
}

/** One of a list. */
export function Item({ title, mark, facts, children }: ItemProps) {
  return (
    <li className={styles.item}>
      <div>
        <p className={styles.name}>
          <span dir="auto">{title}</span>
          {mark && <span className={styles.mark}>{mark}</span>}
        </p>
        <p className={styles.facts}>{facts.filter(Boolean).join(' · ')}</p>
      </div>
      {children && <div className={styles.actions}>{children}</div>}
    </li>
  );
}

export function List({ children }: { children: ReactNode }) {
  return <ul className={styles.list}>{children}</ul>;
}
