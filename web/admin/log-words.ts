/** Translates the terms of the audit log. An unknown term is shown as the API sends it. */
import { type MessageKey, t } from '../messages/messages.ts';
import { formatBytes } from '../ui/bytes.ts';

type TextKeys = Record<string, MessageKey>;

export const auditActionTexts: TextKeys = {
  'user.create': 'logUserCreate',
  'user.update': 'logUserUpdate',
  'user.delete': 'logUserDelete',
  'photo.update': 'logPhotoUpdate',
  'photo.edit': 'logPhotoEdit',
  'photo.delete': 'logPhotoDelete',
  'photo.restore': 'logPhotoRestore',
  'photo.purge': 'logPhotoPurge',
  'album.update': 'logAlbumUpdate',
  'album.delete': 'logAlbumDelete',
  'comment.update': 'logCommentUpdate',
  'comment.delete': 'logCommentDelete',
  'share.update': 'logShareUpdate',
  'share.delete': 'logShareDelete',
  'report.handle': 'logReportHandle',
  'invite.create': 'logInviteCreate',
  'invite.delete': 'logInviteDelete',
  'key.create': 'logKeyCreate',
  'key.update': 'logKeyUpdate',
  'key.delete': 'logKeyDelete',
  'passkey.create': 'logPasskeyCreate',
  'passkey.delete': 'logPasskeyDelete',
  'access.update': 'logAccessUpdate',
  'site.update': 'logSiteUpdate',
  'login.password': 'logLoginPassword',
  'login.second': 'logLoginCode',
  'login.passkey': 'logLoginPasskey',
  'login.oidc': 'logLoginOidc',
  'oidc.link': 'logOidcLink',
  'password.forgot': 'logPasswordForgot',
  'password.reset': 'logPasswordReset',
  'password.change': 'logPasswordChange',
  'email.change': 'logEmailChange',
  'email.confirm': 'logEmailConfirm',
  'factor.create': 'logFactorCreate',
  'factor.confirm': 'logFactorConfirm',
  'factor.codes': 'logFactorCodes',
  'factor.delete': 'logFactorDelete',
  'session.delete': 'logSessionDelete',
  'setup.use': 'logSetupUse',
  'token.use': 'logTokenUse',
  'admin.use': 'logAdminUse',
  'private.view': 'logPrivateView',
};

export const auditOutcomeTexts: TextKeys = {
  succeeded: 'logSucceeded',
  refused: 'logRefused',
  limited: 'logLimited',
};

const reasonTexts: TextKeys = {
  wrongLogin: 'logWrongLogin',
  wrongOldPassword: 'logWrongCurrentPassword',
  wrongCode: 'logWrongCode',
  signInAgain: 'logSignInAgain',
  secondFactor: 'logCodeRequired',
  accountDisabled: 'logAccountDisabled',
  badToken: 'logInvalidToken',
  tooManyRequests: 'logTooManyRequests',
  registrationClosed: 'logRegistrationClosed',
  usernameTaken: 'logUsernameTaken',
  emailTaken: 'logEmailTaken',
  forbidden: 'logForbidden',
  invalid: 'logInvalid',
  unauthenticated: 'logNotSignedIn',
  lastAdmin: 'logLastAdmin',
  notFound: 'logNotFound',
  busy: 'logBusy',
};

const translateWord = (words: TextKeys, name: string): string => (words[name] ? t(words[name]) : name);

export const formatAuditAction = (action: string): string => translateWord(auditActionTexts, action);
export const formatAuditOutcome = (outcome: string): string => translateWord(auditOutcomeTexts, outcome);
export const formatAuditReason = (reason: unknown): string => translateWord(reasonTexts, String(reason));
const megabyte = 1024 * 1024;

/** Translates a detail of an act. An unknown detail is shown as the API sends it. */
export function formatAuditDetail(name: string, value: unknown): string {
  switch (name) {
    case 'status':
      return t(value === 0 ? 'logDisabled' : 'logEnabled');
    case 'is_admin':
      return t(value ? 'logMadeAdmin' : 'logNoLongerAdmin');
    case 'quota_mb':
      return value === null
        ? t('logNoQuota')
        : t('logQuota', { quota: formatBytes(Number(value) * megabyte) });
    case 'fields':
      return t('logFields', { fields: String(value).replaceAll(',', ', ') });
    default:
      return `${name}: ${String(value)}`;
  }
}

/** The API sends `command line` for an act of the command line; usernames cannot contain spaces. */
export const formatAuditActor = (name: string): string =>
  name === '' ? t('logUnknown') : translateWord({ 'command line': 'logCommandLine' }, name);
