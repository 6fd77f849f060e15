/** Table rows for joining and signing in: invites, one-time links, mails and second factors. See `tables.ts`. */
import type { Generated, Selectable } from 'kysely';

export interface InvitesTable {
  id: Generated<number>;
  /** Email address that may use the invite. Empty if any email address may use the invite. */
  email: string;
  /** Email address in folded form, for comparisons that ignore case. */
  email_key: string;
  max_uses: number;
  uses: number;
  /** Id of the admin who created the invite. Null for the command line or a deleted account. */
  user_id: number | null;
  create_time: number;
  expire_time: number;
}

/**
 * Purposes of a one-time link:
 *
 * - invite: to register. The link works as often as its invite allows, and an invite may have several links.
 * - reset: to choose a new password.
 * - email: to confirm a new email address.
 * - second: not a link, but the challenge between the two steps of signing in.
 */
export type OneTimeLinkKind = 'invite' | 'reset' | 'email' | 'second';
/** Kinds of links that are sent by mail and opened. */
export type MailedLinkKind = Exclude<OneTimeLinkKind, 'second'>;

/**
 * A link that a person opens. The row is found by the hash of the link's token, which is not stored. See
 * `gallery/accounts/links.ts`.
 */
export interface LinksTable {
  /** SHA-256 in hex of the link's token. */
  token_hash: string;
  kind: OneTimeLinkKind;
  user_id: number | null;
  invite_id: number | null;
  /** Email address that the link confirms. Empty if the link confirms no email address. */
  email: string;
  /** Issuer and subject of the OpenID identity that the second step links to the account. Empty if there is none. */
  issuer: Generated<string>;
  subject: Generated<string>;
  /** Whether the OpenID provider says that the person is an admin: 1 or 0. Null if that is not checked. */
  is_admin: Generated<number | null>;
  create_time: number;
  expire_time: number;
}

/**
 * Kinds of mail:
 *
 * - invite, reset, email: a mail with the link of that kind.
 * - other kinds: a notice that a security setting of the account has changed. `email_changed` goes to the previous
 * email address.
 */
export type MailKind = MailedLinkKind | SecurityNoticeKind;

export type SecurityNoticeKind =
  | 'password_changed'
  | 'email_changed'
  | 'factor_on'
  | 'factor_off'
  | 'recovery_code_used'
  | 'recovery_codes_renewed'
  | 'passkey_added'
  | 'passkey_removed'
  | 'keys_ended'
  | 'oidc_connected'
  | 'oidc_disconnected';

/**
 * Outbox of mail. The outbox never stores a link: each attempt creates a new link, which exists only in the mail. Sent
 * rows stay for a day, to limit the number of mails of a kind.
 */
export interface MailsTable {
  id: Generated<number>;
  kind: MailKind;
  /**
   * Email address as it was entered. The email address may belong to no account: a request for a reset link of an
   * unknown email address creates a row, too.
   */
  receiver: string;
  receiver_key: string;
  language: string;
  user_id: number | null;
  invite_id: number | null;
  status: 'pending' | 'sent' | 'failed' | 'dropped';
  /** Number of attempts to send the mail that have begun. */
  attempts: number;
  /**
   * Time of the next attempt in Unix seconds. During an attempt, this is the end of the lease. Null if no attempt will
   * follow.
   */
  due_time: number | null;
  give_up_time: number;
  last_attempt_time: number | null;
  /** Error code of the last failed attempt, without the mail server's message. Empty if there was none. */
  error: string;
  create_time: number;
}

export type MailRow = Selectable<MailsTable>;

/** A second factor with time-based codes. See `gallery/accounts/factor/totp.ts`. */
export interface FactorsTable {
  user_id: number;
  /** Secret of the factor, encrypted with the gallery's secret. */
  secret: string;
  /** Whether the factor is on. 0 until the user has confirmed a first code. */
  is_on: number;
  /** Time step of the last accepted code. Codes of this and earlier steps are rejected. */
  last_step: number;
  create_time: number;
}

export interface RecoveryCodesTable {
  /** SHA-256 in hex of the account and its recovery code. */
  code_hash: string;
  user_id: number;
}

export interface AccountTables {
  factors: FactorsTable;
  recovery_codes: RecoveryCodesTable;
  mails: MailsTable;
  invites: InvitesTable;
  links: LinksTable;
}

export type InviteRow = Selectable<InvitesTable>;
