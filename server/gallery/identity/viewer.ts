/** Who makes the request. An argument of everything that shows or changes something, never ambient. */
export interface Viewer {
  id: number;
  isAdmin: boolean;
  /** 0 where the viewer comes with an API key instead of a session. */
  sessionId: number;
  /** Of that API key. */
  keyId?: number;
  /** True for a key that may only read. */
  isReadOnly?: boolean;
  /** True where a browser's cookie says who it is: it opens images by that, and their paths need no signature. */
  hasCookie?: boolean;
}
