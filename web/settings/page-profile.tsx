/** The profile page: name, avatar, language and storage use. */
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { CurrentUser } from '../api/types.ts';
import { userQuery } from '../auth/queries.ts';
import { availableLanguages, chooseLanguage, getLanguage, t } from '../messages/messages.ts';
import { SelectField, TextAreaField } from '../ui/fields.tsx';
import { createFieldErrorLookup, Field, Form } from '../ui/form.tsx';
import { StorageUsage } from '../users/storage.tsx';
import { readDefaultLevel, writeDefaultLevel } from '../visibility/default-level.ts';
import { VisibilityField } from '../visibility/visibility-field.tsx';
import { AvatarField } from './avatar-field.tsx';
import { useSaveProfile } from './queries.ts';
import styles from './settings.module.css';
import { SettingsPage, SettingsSection } from './settings.tsx';

const freshMs = 60_000;

export function ProfilePage() {
  // Other tabs and uploads may have changed the user's data, and the forms must start with current values.
  useQuery({ ...userQuery, staleTime: freshMs });
  return (
    <SettingsPage at="/settings">
      {(user) => (
        <>
          <SettingsSection title={t('settingsPicture')}>
            <AvatarField user={user} />
          </SettingsSection>
          <SettingsSection title={t('settingsAbout')} text={t('settingsAboutText')}>
            <ProfileForm user={user} />
          </SettingsSection>
          <SettingsSection title={t('language')}>
            <SelectField
              label={t('settingsDisplayLanguage')}
              value={getLanguage()}
              onChange={({ target }) => chooseLanguage(target.value)}
            >
              {Object.entries(availableLanguages).map(([tag, name]) => (
                <option key={tag} value={tag}>
                  {name}
                </option>
              ))}
            </SelectField>
          </SettingsSection>
          <SettingsSection title={t('settingsNewPhotos')} text={t('settingsNewPhotosText')}>
            <DefaultLevelField user={user.id} />
          </SettingsSection>
          <SettingsSection title={t('storage')} text={t('settingsStorageText')}>
            <StorageUsage user={user} />
          </SettingsSection>
        </>
      )}
    </SettingsPage>
  );
}

function DefaultLevelField({ user }: { user: number }) {
  const [level, setLevel] = useState(() => readDefaultLevel(user));
  const [isSaved, setSaved] = useState(false);
  return (
    <>
      <VisibilityField
        value={level}
        onChange={(chosen) => {
          setLevel(chosen);
          setSaved(writeDefaultLevel(user, chosen));
        }}
      />
      <p className={styles.text} role="status">
        {isSaved && t('saved')}
      </p>
    </>
  );
}

function ProfileForm({ user }: { user: CurrentUser }) {
  const save = useSaveProfile();
  const findProblem = createFieldErrorLookup(save.error);
  const submit = ({ currentTarget }: FormEvent<HTMLFormElement>) => {
    const form = new FormData(currentTarget);
    const readText = (name: string) => String(form.get(name)).trim();
    save.mutate({
      nickname: readText('nickname'),
      bio: readText('bio').replaceAll('\r\n', '\n'),
    });
  };
  return (
    <Form
      onSubmit={submit}
      error={save.error}
      isBusy={save.isPending}
      action={t('save')}
      done={save.isSuccess && t('saved')}
    >
      <Field
        name="nickname"
        label={t('settingsName')}
        hint={t('settingsNameHint')}
        problem={findProblem('nickname')}
        defaultValue={user.nickname}
        maxLength={50}
        required={false}
        autoComplete="nickname"
      />
      <TextAreaField
        name="bio"
        label={t('settingsBio')}
        problem={findProblem('bio')}
        defaultValue={user.bio}
        maxLength={500}
      />
    </Form>
  );
}
