/** Tables for signing in without a password. */
import type { Generated } from 'kysely';

export interface PasskeysTable {
  id: Generated<number>;
  user_id: number;
  name: string;
  /** Id of the credential as its authenticator assigned it, in base64url. */
  credential_id: string;
  /** Public key in COSE format, in base64url. */
  public_key: string;
  /** Number of uses that the authenticator has counted. Many authenticators always report 0. */
  counter: number;
  /** Host name that the passkey was created for. */
  rp_id: string;
  is_synced: number;
  create_time: number;
  last_used_time: number | null;
}

/** Challenges that a passkey has used to sign in. A row stays until its challenge would have expired anyway. */
export interface UsedChallengesTable {
  challenge: string;
  expire_time: number;
}

/** Identity of a user at an OpenID provider. */
export interface IdentitiesTable {
  id: Generated<number>;
  user_id: number;
  issuer: string;
  /** Permanent identifier of the person at the provider. */
  subject: string;
  create_time: number;
  last_used_time: number;
}
