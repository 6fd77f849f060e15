/** Routes of the pages that visitors of a gallery for members can open, as in the server's gallery/pages/pages.ts. */
export const visitorPages: readonly string[] = [
  '/sign-in',
  '/signed-in',
  '/register',
  '/join/$token',
  '/forgot',
  '/reset',
  '/confirm-email',
  '/first-run',
];
