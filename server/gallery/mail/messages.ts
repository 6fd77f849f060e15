/** Texts of all mails, in each language. `site` is the gallery's name, and `name` is the recipient's username. */
import type { MailKind } from '../../platform/db/tables.ts';
import type { Language } from '../../platform/http/language.ts';

interface MailMessages {
  subject(site: string): string;
  lines(site: string, name: string): string[];
  /** Text of the link in a mail. Mails without a link have no label. */
  label?: string;
  notes: string[];
}

const validOneHour = 'The link works once, within an hour.';
const ignoreNote = 'If you did not ask for this, ignore this email. Nothing changes.';
const helpNote = 'If this was not you, contact the people who run this gallery immediately.';

/** Returns the texts of a security notice, which has no link: a change to the security settings of an account. */
function safetyNotice(subject: MailMessages['subject'], line: (site: string) => string): MailMessages {
  return { subject, lines: (site, name) => [`Hello ${name}`, line(site)], notes: [helpNote] };
}

const englishMessages: Record<MailKind, MailMessages> = {
  invite: {
    subject: (site) => `You are invited to ${site}`,
    lines: (site) => [`You are invited to ${site}`, 'Open the link to create your account.'],
    label: 'Join',
    notes: ['If you were not expecting this invite, ignore this email.'],
  },
  reset: {
    subject: (site) => `Reset your password for ${site}`,
    lines: (site, name) => [`Hello ${name}`, `Choose a new password for your account at ${site}.`],
    label: 'Choose a new password',
    notes: [validOneHour, ignoreNote],
  },
  email: {
    subject: (site) => `Confirm your email for ${site}`,
    lines: (site, name) => [`Hello ${name}`, `Open the link to use this email for your account at ${site}.`],
    label: 'Confirm email',
    notes: [validOneHour, ignoreNote],
  },
  password_changed: safetyNotice(
    (site) => `Your password for ${site} was changed`,
    (site) => `The password of your account at ${site} was changed.`,
  ),
  email_changed: safetyNotice(
    (site) => `Your email for ${site} was changed`,
    (site) => `Your account at ${site} now uses another email.`,
  ),
  factor_on: safetyNotice(
    (site) => `Two-step verification for ${site} is on`,
    (site) => `Signing in to ${site} with your password now also needs a code from your authenticator app.`,
  ),
  factor_off: safetyNotice(
    (site) => `Two-step verification for ${site} is off`,
    (site) => `Signing in to ${site} no longer needs a code from your authenticator app.`,
  ),
  recovery_code_used: safetyNotice(
    (site) => `A recovery code for ${site} was used`,
    (site) => `Someone signed in to your account at ${site} with your password and a recovery code.`,
  ),
  recovery_codes_renewed: safetyNotice(
    (site) => `New recovery codes for ${site}`,
    (site) => `New recovery codes were created for your account at ${site}. The old codes no longer work.`,
  ),
  passkey_added: safetyNotice(
    (site) => `A passkey was added to your account at ${site}`,
    (site) => `Your account at ${site} has a new passkey. This passkey can sign in without your password.`,
  ),
  passkey_removed: safetyNotice(
    (site) => `A passkey was removed from your account at ${site}`,
    (site) => `A passkey of your account at ${site} was removed. This passkey can no longer sign in.`,
  ),
  keys_ended: safetyNotice(
    (site) => `Other ways to sign in to ${site} were removed`,
    (site) =>
      `The API keys and passkeys of your account at ${site} were deleted. Its connection with a ` +
      'sign-in provider was removed.',
  ),
  oidc_connected: safetyNotice(
    (site) => `A sign-in provider was connected to your account at ${site}`,
    (site) => `You can now sign in to your account at ${site} with a sign-in provider.`,
  ),
  oidc_disconnected: safetyNotice(
    (site) => `A sign-in provider was disconnected from your account at ${site}`,
    (site) => `A sign-in provider can no longer sign in to your account at ${site}.`,
  ),
};

const validOneHourChinese = '链接一小时内有效，只能使用一次。';
const ignoreNoteChinese = '如果不是您本人操作，请忽略这封邮件，您的账号不会有任何变化。';
const helpNoteChinese = '如果不是您本人操作，请立即联系图库管理员。';

function safetyNoticeInChinese(
  subject: MailMessages['subject'],
  line: (site: string) => string,
): MailMessages {
  return { subject, lines: (site, name) => [`${name}，您好`, line(site)], notes: [helpNoteChinese] };
}

const chineseMessages: Record<MailKind, MailMessages> = {
  invite: {
    subject: (site) => `邀请您加入 ${site}`,
    lines: (site) => [`邀请您加入 ${site}`, '打开下面的链接，即可创建您的账号。'],
    label: '加入',
    notes: ['如果您不了解此邀请，请忽略这封邮件。'],
  },
  reset: {
    subject: (site) => `重设您的 ${site} 密码`,
    lines: (site, name) => [`${name}，您好`, `请为您的 ${site} 账号设置新密码。`],
    label: '设置新密码',
    notes: [validOneHourChinese, ignoreNoteChinese],
  },
  email: {
    subject: (site) => `确认您的 ${site} 邮箱`,
    lines: (site, name) => [`${name}，您好`, `打开下面的链接，将此邮箱用于您的 ${site} 账号。`],
    label: '确认邮箱',
    notes: [validOneHourChinese, ignoreNoteChinese],
  },
  password_changed: safetyNoticeInChinese(
    (site) => `您的 ${site} 密码已更改`,
    (site) => `您的 ${site} 账号密码已更改。`,
  ),
  email_changed: safetyNoticeInChinese(
    (site) => `您的 ${site} 邮箱已更改`,
    (site) => `您的 ${site} 账号已改用另一个邮箱。`,
  ),
  factor_on: safetyNoticeInChinese(
    (site) => `您的 ${site} 账号已启用两步验证`,
    (site) => `今后用密码登录 ${site} 时，还需输入身份验证器应用中的验证码。`,
  ),
  factor_off: safetyNoticeInChinese(
    (site) => `您的 ${site} 账号已关闭两步验证`,
    (site) => `今后登录 ${site} 不再需要身份验证器应用中的验证码。`,
  ),
  recovery_code_used: safetyNoticeInChinese(
    (site) => `您的 ${site} 恢复码已被使用`,
    (site) => `有人用您的密码和一个恢复码登录了您的 ${site} 账号。`,
  ),
  recovery_codes_renewed: safetyNoticeInChinese(
    (site) => `您的 ${site} 恢复码已更新`,
    (site) => `您的 ${site} 账号已生成新的恢复码，原有恢复码全部失效。`,
  ),
  passkey_added: safetyNoticeInChinese(
    (site) => `您的 ${site} 账号添加了通行密钥`,
    (site) => `您的 ${site} 账号添加了一个新的通行密钥，无需密码即可用它登录。`,
  ),
  passkey_removed: safetyNoticeInChinese(
    (site) => `您的 ${site} 账号移除了通行密钥`,
    (site) => `您的 ${site} 账号移除了一个通行密钥，不能再用它登录。`,
  ),
  keys_ended: safetyNoticeInChinese(
    (site) => `您的 ${site} 账号的其他登录方式已移除`,
    (site) => `您的 ${site} 账号的 API 密钥和通行密钥已删除，与第三方登录的关联已取消。`,
  ),
  oidc_connected: safetyNoticeInChinese(
    (site) => `您的 ${site} 账号已关联第三方登录`,
    (site) => `现在可以用第三方登录来登录您的 ${site} 账号。`,
  ),
  oidc_disconnected: safetyNoticeInChinese(
    (site) => `您的 ${site} 账号已取消关联第三方登录`,
    (site) => `今后不能再用第三方登录来登录您的 ${site} 账号。`,
  ),
};

export const mailMessages: Record<Language, Record<MailKind, MailMessages>> = {
  en: englishMessages,
  'zh-CN': chineseMessages,
};
