/** The admin page for the settings of the gallery: name, who may join, defaults, color and logo. */
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { SiteSettings, SiteSettingsUpdate } from '../api/types.ts';
import { t } from '../messages/messages.ts';
import { ConfirmDialog } from '../ui/confirm.tsx';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { SelectField, TextAreaField } from '../ui/fields.tsx';
import { createFieldErrorLookup, Field, Form } from '../ui/form.tsx';
import { useTitle } from '../ui/page.tsx';
import { useLevelLabel, visibilityLevels } from '../visibility/levels.ts';
import styles from './admin.module.css';
import { ColorField } from './color-field.tsx';
import { LogoField } from './logo-field.tsx';
import { siteSettingsQuery, useSaveSiteSettings } from './queries.ts';
import site from './site.module.css';

export function SiteSettingsPage() {
  useTitle(t('adminSite'), 'inner');
  const { data, error, refetch } = useQuery(siteSettingsQuery);
  return (
    <>
      <div className={styles.head}>
        <h1>{t('adminSite')}</h1>
      </div>
      {error && !data && <ErrorNotice error={error} retry={() => void refetch()} />}
      {data && (
        <div className={site.sections}>
          <SettingsForm settings={data} />
          <section aria-labelledby="logo">
            <h2 id="logo">{t('adminSiteLogo')}</h2>
            <LogoField logo={data.logo} />
          </section>
        </div>
      )}
    </>
  );
}

/** Environment variables that override a setting. */
const variables: Partial<Record<keyof SiteSettings, string>> = {
  name: 'SITE_NAME',
  access: 'ACCESS',
  registration: 'REGISTRATION',
  default_visibility: 'DEFAULT_VISIBILITY',
  default_quota_mb: 'DEFAULT_QUOTA_MB',
};

const accessTexts = { public: 'adminSiteAccessPublic', members: 'adminSiteAccessMembers' } as const;
const registrationTexts = {
  open: 'adminSiteRegistrationOpen',
  invite: 'adminSiteRegistrationInvite',
  closed: 'adminSiteRegistrationClosed',
} as const;

function SettingsForm({ settings }: { settings: SiteSettings }) {
  const save = useSaveSiteSettings();
  const getLevelLabel = useLevelLabel();
  const [color, setColor] = useState(settings.accent_color);
  const [opening, setOpening] = useState<SiteSettingsUpdate>();
  const findProblem = createFieldErrorLookup(save.error);
  const saveChanges = (update: SiteSettingsUpdate) =>
    save.mutate(update, { onSettled: () => setOpening(undefined) });
  const submit = ({ currentTarget }: FormEvent<HTMLFormElement>) => {
    const update = findChanges(settings, { ...readForm(new FormData(currentTarget)), accent_color: color });
    if (update.access === 'public') setOpening(update);
    else saveChanges(update);
  };
  const describeField = (name: keyof SiteSettings, hint?: string) => {
    const isFixed = (settings.set_by_environment as string[]).includes(name);
    const told = isFixed ? t('adminSiteFixed', { variable: variables[name] ?? '' }) : hint;
    return { name, disabled: isFixed, problem: findProblem(name), ...(told && { hint: told }) };
  };
  return (
    <>
      <Form
        onSubmit={submit}
        error={save.error}
        isBusy={save.isPending}
        action={t('save')}
        done={save.isSuccess && t('saved')}
      >
        <Field
          {...describeField('name', t('adminSiteNameHint'))}
          label={t('adminSiteName')}
          defaultValue={settings.name}
          maxLength={100}
        />
        <TextAreaField
          {...describeField('welcome', t('adminSiteWelcomeHint'))}
          label={t('adminSiteWelcome')}
          defaultValue={settings.welcome}
          maxLength={1000}
        />
        <SelectField {...describeField('access')} label={t('adminSiteAccess')} defaultValue={settings.access}>
          <Options texts={accessTexts} />
        </SelectField>
        <SelectField
          {...describeField('registration')}
          label={t('adminSiteRegistration')}
          defaultValue={settings.registration}
        >
          <Options texts={registrationTexts} />
        </SelectField>
        <SelectField
          {...describeField('default_visibility', t('adminSiteLevelHint'))}
          label={t('adminSiteLevel')}
          defaultValue={settings.default_visibility}
        >
          {visibilityLevels.map((level) => (
            <option key={level} value={level}>
              {getLevelLabel(level)}
            </option>
          ))}
        </SelectField>
        <Field
          {...describeField('default_quota_mb', t('adminQuotaHint'))}
          label={t('adminSiteQuota')}
          type="number"
          inputMode="numeric"
          min={0}
          max={1_000_000_000}
          required={false}
          defaultValue={settings.default_quota_mb ?? ''}
        />
        <ColorField color={color} onChange={setColor} />
      </Form>
      {opening && (
        <ConfirmDialog
          title={t('adminSiteOpenTitle')}
          text={t('adminSiteOpenText', { count: settings.public_photos })}
          action={t('adminSiteOpenAction')}
          isBusy={save.isPending}
          onConfirm={() => saveChanges({ ...opening, confirm_opening: true })}
          onClose={() => setOpening(undefined)}
        />
      )}
    </>
  );
}

function Options({ texts }: { texts: Record<string, Parameters<typeof t>[0]> }) {
  return Object.entries(texts).map(([value, key]) => (
    <option key={value} value={value}>
      {t(key)}
    </option>
  ));
}

/** Returns the values of the form. Fields that the environment decides are disabled and missing. */
function readForm(form: FormData): SiteSettingsUpdate {
  const quota = form.get('default_quota_mb');
  const texts = ['name', 'welcome', 'access', 'registration', 'default_visibility'].flatMap((name) => {
    const value = form.get(name);
    return typeof value === 'string' ? [[name, value.trim().replaceAll('\r\n', '\n')]] : [];
  });
  return {
    ...(Object.fromEntries(texts) as SiteSettingsUpdate),
    ...(quota !== null && { default_quota_mb: quota === '' ? null : Number(quota) }),
  };
}

/** Returns only the changed settings, so that another admin's change of other settings stays. */
function findChanges(settings: SiteSettings, wanted: SiteSettingsUpdate): SiteSettingsUpdate {
  const changed = Object.entries(wanted).filter(
    ([name, value]) => value !== settings[name as keyof SiteSettings],
  );
  return Object.fromEntries(changed) as SiteSettingsUpdate;
}
