/** Shows the gallery in full screen. Phones of Apple cannot, so callers must work without. */

export const canFillScreen = (): boolean => document.fullscreenEnabled === true;

/** Fills the screen or returns to the window. Dialogs and toasts stay visible, because the whole page is shown. */
export async function fillScreen(isWanted: boolean): Promise<void> {
  if (!canFillScreen() || (document.fullscreenElement !== null) === isWanted) return;
  try {
    await (isWanted ? document.documentElement.requestFullscreen() : document.exitFullscreen());
  } catch {
    // The browser refuses full screen without a recent click or key.
  }
}
