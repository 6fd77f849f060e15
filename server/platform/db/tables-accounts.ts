/** Rows of what is around an account: who may join, and links that are good once. See tables.ts. */
import type { Generated, Selectable } from 'kysely';

export interface InvitesTable {
  id: Generated<number>;
  /** The only address that may join by it; '' for any. */
  email: string;
  /** Folded `email`. */
  email_key: string;
  max_uses: number;
  uses: number;
  /** The admin who made it; null: the command line, or an account that is gone. */
  user_id: number | null;
  create_time: number;
  expire_time: number;
}

/**
 * - invite: to register. It is good as often as its invite is, and there may be several of an invite.
 * - reset: to choose a new password.
 * - email: to confirm a new address.
 * - second: no link, but the challenge between the two steps of signing in.
 */
export type LinkKind = 'invite' | 'reset' | 'email' | 'second';
/** Those that are sent and followed. */
export type SentKind = Exclude<LinkKind, 'second'>;

/** A link that a person follows: found by the hash of its token, which is not kept. gallery/accounts/links.ts. */
export interface LinksTable {
  /** SHA-256, hexadecimal. */
  token_hash: string;
  kind: LinkKind;
  user_id: number | null;
  invite_id: number | null;
  /** What the link confirms, '' where it confirms none. */
  email: string;
  /** Whom the second step ties the account to, as the OpenID provider calls itself and them; '' nobody. */
  issuer: Generated<string>;
  subject: Generated<string>;
  /** Whether the provider calls that person an admin: 1 or 0; null where it is not asked. */
  is_admin: Generated<number | null>;
  create_time: number;
  expire_time: number;
}

/**
 * - invite, reset, email: with the link of that kind.
 * - the others: that something of the account's safety was changed; email_changed goes to the address before.
 */
export type MailKind = SentKind | SafetyKind;

export type SafetyKind =
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
 * The outbox of mail. It never holds a link: one is made at each attempt, and goes into the mail alone. What was sent
 * stays for a day, so that nobody gets too much of a kind.
 */
export interface MailsTable {
  id: Generated<number>;
  kind: MailKind;
  /** As it was given. Nobody may have it: who asks for a link of an account that is not there gets a row, too. */
  receiver: string;
  receiver_key: string;
  language: string;
  user_id: number | null;
  invite_id: number | null;
  status: 'pending' | 'sent' | 'failed' | 'dropped';
  /** Attempts begun. */
  attempts: number;
  /** When to try (again); while an attempt runs, when its lease ends; null: nothing more happens. */
  due_time: number | null;
  give_up_time: number;
  last_attempt_time: number | null;
  /** '' or why the last attempt failed: a code, nothing of what the server said. */
  error: string;
  create_time: number;
}

export type MailRow = Selectable<MailsTable>;

/** A second factor that makes codes by time. gallery/accounts/factor/totp.ts. */
export interface FactorsTable {
  user_id: number;
  /** Sealed by the gallery's secret. */
  secret: string;
  /** 0: no code of it has been confirmed yet. */
  is_on: number;
  /** Of the last code that was taken: it and older ones are good no more. */
  last_step: number;
  create_time: number;
}

export interface RecoveryCodesTable {
  /** SHA-256, hexadecimal, of the account and the code. */
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
