/** Tables of what signs in instead of a password. */
import type { Generated } from 'kysely';

export interface PasskeysTable {
  id: Generated<number>;
  user_id: number;
  name: string;
  /** As its authenticator calls it, base64url. */
  credential_id: string;
  /** COSE, base64url. */
  public_key: string;
  /** How often it was used, as its authenticator counts; many always say 0. */
  counter: number;
  /** The host that it was made for. */
  rp_id: string;
  is_synced: number;
  create_time: number;
  last_used_time: number | null;
}

/** Challenges of passkeys that signed somebody in, until they would not be good any more anyway. */
export interface UsedChallengesTable {
  challenge: string;
  expire_time: number;
}

/** Who somebody is at an OpenID provider. */
export interface IdentitiesTable {
  id: Generated<number>;
  user_id: number;
  issuer: string;
  /** The provider's name for them, for good. */
  subject: string;
  create_time: number;
  last_used_time: number;
}
