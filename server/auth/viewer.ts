/** Who makes the request. An argument of everything that shows or changes something, never ambient. */
export interface Viewer {
  id: number;
  isAdmin: boolean;
  sessionId: number;
}
