/** Tables for settings, accounts, signing in and the audit log. */
import type { ColumnTypes } from '../up.ts';

export const accounts = ({ id }: ColumnTypes) => `
  CREATE TABLE settings (name text PRIMARY KEY, value text NOT NULL);

  CREATE TABLE users (
    id ${id}, username text NOT NULL, username_key text NOT NULL, email text NOT NULL, email_key text NOT NULL,
    password_hash text NOT NULL, nickname text NOT NULL, avatar text NOT NULL, bio text NOT NULL,
    gender integer NOT NULL, birthday text NOT NULL, mobile text NOT NULL, status integer NOT NULL,
    is_admin integer NOT NULL, quota_bytes bigint, used_bytes bigint NOT NULL, create_time bigint NOT NULL,
    nickname_key text NOT NULL DEFAULT '', followers bigint NOT NULL DEFAULT 0, following bigint NOT NULL DEFAULT 0,
    email_confirmed integer NOT NULL DEFAULT 0, oidc_by_hand integer NOT NULL DEFAULT 0,
    language text NOT NULL DEFAULT '', item_version bigint NOT NULL DEFAULT 0);
  CREATE UNIQUE INDEX users_username_key ON users (username_key);
  CREATE UNIQUE INDEX users_email_key ON users (email_key);
  CREATE INDEX users_avatar ON users (avatar);
  CREATE INDEX users_names ON users (status, id, username_key, nickname_key);
  CREATE INDEX users_admins ON users (id) WHERE is_admin = 1;
  CREATE INDEX users_leaving ON users (id) WHERE status = -1;
  CREATE INDEX users_by_used_bytes ON users (used_bytes, id);
  CREATE INDEX users_by_create_time ON users (create_time, status);

  CREATE TABLE sessions (
    id ${id},
    user_id bigint NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    token_hash text NOT NULL, user_agent text NOT NULL, ip text NOT NULL, create_time bigint NOT NULL,
    last_used_time bigint NOT NULL, expire_time bigint NOT NULL);
  CREATE UNIQUE INDEX sessions_token_hash ON sessions (token_hash);
  CREATE INDEX sessions_user ON sessions (user_id);
  CREATE INDEX sessions_expire_time ON sessions (expire_time);

  CREATE TABLE api_keys (
    id ${id},
    user_id bigint NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    name text NOT NULL, token_hash text NOT NULL, can_write integer NOT NULL, create_time bigint NOT NULL,
    last_used_time bigint, expire_time bigint);
  CREATE UNIQUE INDEX api_keys_token_hash ON api_keys (token_hash);
  CREATE INDEX api_keys_user ON api_keys (user_id, id);

  CREATE TABLE passkeys (
    id ${id},
    user_id bigint NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    name text NOT NULL, credential_id text NOT NULL, public_key text NOT NULL, counter bigint NOT NULL,
    rp_id text NOT NULL, is_synced integer NOT NULL, create_time bigint NOT NULL, last_used_time bigint);
  CREATE UNIQUE INDEX passkeys_credential_id ON passkeys (credential_id);
  CREATE INDEX passkeys_user ON passkeys (user_id, id);

  CREATE TABLE used_challenges (challenge text PRIMARY KEY, expire_time bigint NOT NULL);
  CREATE INDEX used_challenges_expire_time ON used_challenges (expire_time);

  CREATE TABLE factors (
    user_id bigint PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
    secret text NOT NULL, is_on integer NOT NULL, last_step bigint NOT NULL, create_time bigint NOT NULL);

  CREATE TABLE recovery_codes (
    code_hash text PRIMARY KEY,
    user_id bigint NOT NULL REFERENCES users (id) ON DELETE CASCADE);
  CREATE INDEX recovery_codes_user ON recovery_codes (user_id);

  CREATE TABLE identities (
    id ${id},
    user_id bigint NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    issuer text NOT NULL, subject text NOT NULL, create_time bigint NOT NULL, last_used_time bigint NOT NULL);
  CREATE UNIQUE INDEX identities_subject ON identities (issuer, subject);
  CREATE INDEX identities_user ON identities (user_id);

  CREATE TABLE invites (
    id ${id}, email text NOT NULL, email_key text NOT NULL, max_uses bigint NOT NULL, uses bigint NOT NULL,
    user_id bigint REFERENCES users (id) ON DELETE SET NULL,
    create_time bigint NOT NULL, expire_time bigint NOT NULL);
  CREATE INDEX invites_expiry ON invites (expire_time);
  CREATE INDEX invites_user ON invites (user_id);

  CREATE TABLE links (
    token_hash text PRIMARY KEY, kind text NOT NULL,
    user_id bigint REFERENCES users (id) ON DELETE CASCADE,
    invite_id bigint REFERENCES invites (id) ON DELETE CASCADE,
    email text NOT NULL, create_time bigint NOT NULL, expire_time bigint NOT NULL, issuer text NOT NULL DEFAULT '',
    subject text NOT NULL DEFAULT '', is_admin integer);
  CREATE INDEX links_user ON links (user_id);
  CREATE INDEX links_invite ON links (invite_id);
  CREATE INDEX links_expiry ON links (expire_time);

  CREATE TABLE mails (
    id ${id}, kind text NOT NULL, receiver text NOT NULL, receiver_key text NOT NULL, language text NOT NULL,
    user_id bigint REFERENCES users (id) ON DELETE CASCADE,
    invite_id bigint REFERENCES invites (id) ON DELETE CASCADE,
    status text NOT NULL, attempts bigint NOT NULL, due_time bigint, give_up_time bigint NOT NULL,
    last_attempt_time bigint, error text NOT NULL, create_time bigint NOT NULL);
  CREATE INDEX mails_due ON mails (due_time, id) WHERE due_time IS NOT NULL;
  CREATE INDEX mails_receiver ON mails (receiver_key, kind, create_time);
  CREATE INDEX mails_user ON mails (user_id);
  CREATE INDEX mails_invite ON mails (invite_id);
  CREATE INDEX mails_age ON mails (create_time);

  CREATE TABLE audit_log (
    id ${id}, actor_id bigint, actor text NOT NULL, actor_key text NOT NULL, action text NOT NULL,
    target_type text NOT NULL, target_id bigint NOT NULL, target text NOT NULL, details text NOT NULL,
    create_time bigint NOT NULL, outcome text NOT NULL DEFAULT 'succeeded', address text NOT NULL DEFAULT '',
    count bigint NOT NULL DEFAULT 1, last_time bigint, attempt_key text);
  CREATE INDEX audit_log_by_time ON audit_log (create_time, id);
  CREATE INDEX audit_log_by_actor ON audit_log (actor_key, create_time, id);
  CREATE INDEX audit_log_by_action ON audit_log (action, create_time, id);
  CREATE UNIQUE INDEX audit_log_attempt ON audit_log (attempt_key);
  CREATE INDEX audit_log_by_outcome ON audit_log (outcome, create_time, id);
  CREATE INDEX audit_log_attempts ON audit_log (create_time, id) WHERE attempt_key IS NOT NULL;
  CREATE INDEX audit_log_own ON audit_log (actor_id, action, create_time) WHERE attempt_key IS NULL;
`;
