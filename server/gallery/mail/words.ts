/** What mail says. `site`: the gallery's name; `name`: the username of who gets it. */
import type { MailKind } from '../../platform/db/tables.ts';
import type { Language } from '../../platform/http/language.ts';

interface Words {
  subject(site: string): string;
  lines(site: string, name: string): string[];
  /** On the link; left out where there is none. */
  label?: string;
  notes: string[];
}

const forOneHour = 'The link works once, for an hour.';
const ignore = 'If you did not ask for it, do nothing: nothing changes.';
const getHelp = 'If that was not you, ask the people who run this gallery for help at once.';

const en: Record<MailKind, Words> = {
  invite: {
    subject: (site) => `You are invited to ${site}`,
    lines: (site) => [`You are invited to ${site}`, 'Open the link to make your account.'],
    label: 'Join',
    notes: ['If you do not know what this is about, do nothing.'],
  },
  reset: {
    subject: (site) => `A new password for ${site}`,
    lines: (site, name) => [`Hello ${name}`, `Choose a new password for your account at ${site}.`],
    label: 'Choose a new password',
    notes: [forOneHour, ignore],
  },
  email: {
    subject: (site) => `Confirm your address for ${site}`,
    lines: (site, name) => [
      `Hello ${name}`,
      `Open the link to use this address for your account at ${site}.`,
    ],
    label: 'Confirm this address',
    notes: [forOneHour, ignore],
  },
  password_changed: {
    subject: (site) => `Your password for ${site} was changed`,
    lines: (site, name) => [`Hello ${name}`, `The password of your account at ${site} was changed.`],
    notes: [getHelp],
  },
  email_changed: {
    subject: (site) => `Your address for ${site} was changed`,
    lines: (site, name) => [`Hello ${name}`, `Your account at ${site} has another address now.`],
    notes: [getHelp],
  },
};

const forOneHourChinese = '链接一小时内有效，只能使用一次。';
const ignoreChinese = '如果不是您本人操作，请忽略这封邮件，您的账号不会有任何变化。';
const getHelpChinese = '如果不是您本人操作，请立即联系图库管理员。';

const chinese: Record<MailKind, Words> = {
  invite: {
    subject: (site) => `邀请您加入 ${site}`,
    lines: (site) => [`邀请您加入 ${site}`, '打开下面的链接，即可创建您的账号。'],
    label: '加入',
    notes: ['如果您不清楚这是怎么回事，忽略这封邮件即可。'],
  },
  reset: {
    subject: (site) => `重设您的 ${site} 密码`,
    lines: (site, name) => [`${name}，您好`, `请为您的 ${site} 账号设置新密码。`],
    label: '设置新密码',
    notes: [forOneHourChinese, ignoreChinese],
  },
  email: {
    subject: (site) => `确认您的 ${site} 邮箱`,
    lines: (site, name) => [`${name}，您好`, `打开下面的链接，将此邮箱用于您的 ${site} 账号。`],
    label: '确认邮箱',
    notes: [forOneHourChinese, ignoreChinese],
  },
  password_changed: {
    subject: (site) => `您的 ${site} 密码已更改`,
    lines: (site, name) => [`${name}，您好`, `您的 ${site} 账号密码已更改。`],
    notes: [getHelpChinese],
  },
  email_changed: {
    subject: (site) => `您的 ${site} 邮箱已更改`,
    lines: (site, name) => [`${name}，您好`, `您的 ${site} 账号已改用另一个邮箱。`],
    notes: [getHelpChinese],
  },
};

export const words: Record<Language, Record<MailKind, Words>> = { en, 'zh-CN': chinese };
