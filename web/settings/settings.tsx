/** The frame of the settings pages: navigation and sections. */
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { CurrentUser } from '../api/types.ts';
import { useUser } from '../auth/queries.ts';
import { SignInRequired } from '../auth/sign-in-required.tsx';
import { t } from '../messages/messages.ts';
import { Page } from '../ui/page.tsx';
import { Tabs } from '../ui/tabs.tsx';
import styles from './settings.module.css';

const settingsPages = [
  { to: '/settings', label: 'settingsProfile' },
  { to: '/settings/security', label: 'settingsSecurity' },
  { to: '/settings/account', label: 'settingsAccount' },
  { to: '/settings/keys', label: 'settingsKeys' },
  { to: '/settings/webhooks', label: 'settingsWebhooks' },
] as const;

interface Props {
  /** Path of the current page. */
  at: (typeof settingsPages)[number]['to'];
  children(user: CurrentUser): ReactNode;
}

export function SettingsPage({ at, children }: Props) {
  const user = useUser();
  const title = t(settingsPages.find(({ to }) => to === at)!.label);
  if (!user) return <SignInRequired title={t('settings')} />;
  return (
    <Page title={title}>
      <div className={styles.page}>
        <Tabs className={styles.pages} label={t('settings')}>
          {settingsPages.map(({ to, label }) => (
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

interface SettingsSectionProps {
  /** Anchor of the section for links. */
  id?: string;
  title: string;
  text?: string;
  children: ReactNode;
}

export function SettingsSection({ id, title, text, children }: SettingsSectionProps) {
  return (
    <section className={styles.section} id={id}>
      <h2>{title}</h2>
      {text && <p className={styles.text}>{text}</p>}
      {children}
    </section>
  );
}

interface SettingsItemProps {
  title: ReactNode;
  /** Text of a badge beside the title. */
  mark?: string | false | undefined;
  facts: (string | false | undefined)[];
  children?: ReactNode;
}

/** An item of a `SettingsList`. */
export function SettingsItem({ title, mark, facts, children }: SettingsItemProps) {
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

export function SettingsList({ children }: { children: ReactNode }) {
  return <ul className={styles.list}>{children}</ul>;
}
