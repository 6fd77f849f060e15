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
 */
export type LinkKind = 'invite';

/** A link that a person follows: found by the hash of its token, which is not kept. gallery/accounts/links.ts. */
export interface LinksTable {
  /** SHA-256, hexadecimal. */
  token_hash: string;
  kind: LinkKind;
  user_id: number | null;
  invite_id: number | null;
  /** What the link confirms, '' where it confirms none. */
  email: string;
  create_time: number;
  expire_time: number;
}

export interface AccountTables {
  invites: InvitesTable;
  links: LinksTable;
}

export type InviteRow = Selectable<InvitesTable>;
