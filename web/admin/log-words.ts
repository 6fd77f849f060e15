/** What the audit log calls things, in words. What is not known here is shown as the API says it. */
import { type MessageKey, t } from '../messages/messages.ts';

type Words = Record<string, MessageKey>;

export const acts: Words = {
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
  'key.delete': 'logKeyDelete',
  'passkey.create': 'logPasskeyCreate',
  'passkey.delete': 'logPasskeyDelete',
  'login.password': 'logLoginPassword',
  'login.second': 'logLoginSecond',
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
};

export const outcomes: Words = {
  succeeded: 'logSucceeded',
  refused: 'logRefused',
  limited: 'logLimited',
};

const reasons: Words = {
  wrongLogin: 'logWrongLogin',
  wrongOldPassword: 'logWrongPassword',
  wrongCode: 'logWrongCode',
  signInAgain: 'logSignInAgain',
  secondFactor: 'logAskedForCode',
  accountDisabled: 'logDisabled',
  badToken: 'logBadToken',
  tooManyRequests: 'logTooMany',
  registrationClosed: 'logClosed',
  usernameTaken: 'logNameTaken',
  emailTaken: 'logEmailTaken',
  forbidden: 'logForbidden',
  invalid: 'logInvalid',
  unauthenticated: 'logSignedOut',
  lastAdmin: 'logLastAdmin',
  notFound: 'logNotFound',
  busy: 'logBusy',
};

const wordOf = (words: Words, name: string): string => (words[name] ? t(words[name]) : name);

export const actText = (action: string): string => wordOf(acts, action);
export const outcomeText = (outcome: string): string => wordOf(outcomes, outcome);
export const reasonText = (reason: unknown): string => wordOf(reasons, String(reason));
/** The API says `command line` for that; names of accounts have no spaces. */
export const actorText = (name: string): string =>
  name === '' ? t('logNobody') : wordOf({ 'command line': 'logCommandLine' }, name);
