/** Form fields of a share link's rules: expiry, password, maximum views and downloads. */
import { useState } from 'react';
import type { Share } from '../api/types.ts';
import { t } from '../messages/messages.ts';
import { SelectField, Switch } from '../ui/fields.tsx';
import { Field, maxPasswordLength } from '../ui/form.tsx';
import { formatDate } from '../ui/time.ts';
import type { ShareRules } from './queries.ts';

/** Choices for the lifetime in days. */
const lifetimeDays = [1, 7, 30, 365];
const dayMs = 86_400_000;
const neverExpires = 'never';
const unchangedExpiry = 'keep';

interface Props {
  findProblem(field: string): string | undefined;
  /** The share to change; its unchanged rules are kept. */
  share?: Share;
}

export function ShareRuleFields({ findProblem, share }: Props) {
  const [withPassword, setWithPassword] = useState(share?.has_password ?? false);
  return (
    <>
      <SelectField
        name="expires"
        label={t('shareExpires')}
        problem={findProblem('expires')}
        defaultValue={share ? unchangedExpiry : neverExpires}
      >
        {share && (
          <option value={unchangedExpiry}>
            {share.expire_time === ''
              ? t('shareNever')
              : t('shareExpiresAt', { time: formatDate(share.expire_time) })}
          </option>
        )}
        {share?.expire_time !== '' && <option value={neverExpires}>{t('shareNever')}</option>}
        {lifetimeDays.map((days) => (
          <option key={days} value={days}>
            {t('shareExpiresIn', { count: days, time: dateAfterDays(days) })}
          </option>
        ))}
      </SelectField>
      <Field
        name="max_views"
        label={t('shareMaxViews')}
        hint={t('shareMaxViewsHint')}
        problem={findProblem('max_views')}
        type="number"
        min={1}
        max={1_000_000_000}
        required={false}
        defaultValue={share?.max_views ?? undefined}
      />
      <div>
        <Switch
          name="allow_download"
          label={t('shareDownload')}
          hint={t('shareDownloadHint')}
          defaultChecked={share?.allow_download ?? true}
        />
        <Switch
          name="with_password"
          label={t('sharePassword')}
          checked={withPassword}
          onChange={setWithPassword}
        />
      </div>
      {withPassword && (
        <Field
          name="password"
          label={t('password')}
          {...(share?.has_password && { hint: t('sharePasswordHint') })}
          problem={findProblem('password')}
          maxLength={maxPasswordLength}
          required={!share?.has_password}
          autoComplete="off"
        />
      )}
    </>
  );
}

function dateAfterDays(days: number): string {
  const day = new Date(Date.now() + days * dayMs).toISOString();
  return formatDate(day.slice(0, 19).replace('T', ' '));
}

/** Reads the rules from a form. With `share`, only changed rules are returned. */
export function readRules(form: HTMLFormElement, share?: Share): ShareRules {
  const given = new FormData(form);
  const expires = String(given.get('expires'));
  const password = String(given.get('password') ?? '');
  const maxViews = Number(given.get('max_views')) || null;
  const allowDownload = given.get('allow_download') === 'on';
  const wantsPassword = given.get('with_password') === 'on';
  return {
    ...(expires !== unchangedExpiry &&
      (share || expires !== neverExpires) && { expires: expires === neverExpires ? null : Number(expires) }),
    ...(password !== '' && { password }),
    ...(share?.has_password && !wantsPassword && { password: null }),
    ...(maxViews !== (share?.max_views ?? null) && { max_views: maxViews }),
    ...(allowDownload !== (share?.allow_download ?? true) && { allow_download: allowDownload }),
  };
}
