/** User who makes the request. Every function that shows or changes something receives the viewer as an argument. */
export interface Viewer {
  id: number;
  isAdmin: boolean;
  /** Id of the session, or 0 if the viewer uses an API key. */
  sessionId: number;
  /** Id of the API key that the viewer uses. */
  keyId?: number;
  /** Calls per minute with the viewer's API key, 0 for no limit. Null if the limit of the account applies. */
  keyRateLimit?: number | null;
  /** Whether the viewer's API key can only read. */
  isReadOnly?: boolean;
  /**
   * Whether a session cookie identifies the viewer. Browsers send the cookie with image requests, so the image
   * paths need no signature.
   */
  hasCookie?: boolean;
  /** Whether the gallery is for members only, so that even the image paths of public photos need a signature. */
  isMembersOnly?: boolean;
}
