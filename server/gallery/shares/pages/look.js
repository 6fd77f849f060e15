// @ts-nocheck: the script runs in browsers, whose types the server does not have.
// Script of a shared album's page. Without the script, links and fragments alone show the photos.
// All photos of one look use one entry of the browser's history, so that Back closes the photo.
(() => {
  const minSwipe = 50;
  let isOpenedHere = false;
  let start;

  const findOpen = () => document.querySelector('.look:target');

  function follow(link) {
    if (link) location.replace(link.href);
  }

  function close(photo) {
    if (isOpenedHere) history.back();
    else follow(photo.querySelector('.close'));
  }

  function act(name) {
    const photo = findOpen();
    if (!photo) return false;
    if (name === 'close') close(photo);
    else follow(photo.querySelector(`.${name}`));
    return true;
  }

  document.addEventListener('click', (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey || event.button !== 0) return;
    const link = event.target.closest('a');
    if (!link) return;
    if (link.matches('.tile')) {
      isOpenedHere = true;
      return;
    }
    const name = ['close', 'previous', 'next'].find((one) => link.classList.contains(one));
    if (name && act(name)) event.preventDefault();
  });

  document.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    const name = { Escape: 'close', ArrowLeft: 'previous', ArrowRight: 'next' }[event.key];
    if (name && act(name)) event.preventDefault();
  });

  document.addEventListener('touchstart', ({ touches }) => {
    const isZoomed = (window.visualViewport?.scale ?? 1) > 1.01;
    start = touches.length === 1 && !isZoomed ? { x: touches[0].clientX, y: touches[0].clientY } : undefined;
  });
  document.addEventListener('touchend', ({ changedTouches }) => {
    if (!start) return;
    const [x, y] = [changedTouches[0].clientX - start.x, changedTouches[0].clientY - start.y];
    start = undefined;
    if (Math.abs(x) > minSwipe && Math.abs(x) > 1.5 * Math.abs(y)) act(x < 0 ? 'next' : 'previous');
    else if (y > 2 * minSwipe && y > 1.5 * Math.abs(x)) act('close');
  });

  // Back closes the photo, so the next close must not go back once more.
  window.addEventListener('hashchange', () => {
    const photo = findOpen();
    if (!photo) isOpenedHere = false;
    else photo.focus({ preventScroll: true });
  });
})();
