/** The entry point: caches the data in the HTML document, and replaces the document's content in one step. */

import './older-browsers.ts';
import '../server/platform/http/tokens.css';
import './styles/tokens.css';
import '@fontsource-variable/inter/wght.css';
import './styles/theme.css';
import './styles/base.css';
import './styles/frame.css';
import './styles/wall.css';
import './styles/navigation.css';
import './styles/contrast.css';
import './styles/print.css';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { createRoot } from 'react-dom/client';
import { reloadOnAccountChange } from './api/account-watch.ts';
import { hydrateSiteAndUser as keepAccount } from './auth/queries.ts';
import { captureEarlyInput } from './early-input.ts';
import { getLanguage, loadTexts } from './messages/messages.ts';
import { shareChangesWithTabs } from './other-tabs.ts';
import { detachFirstPicture } from './photos/first-picture.ts';
import { hydratePhotos as keepPhotos } from './photos/queries.ts';
import { rememberFirstImages } from './photos/wall/first-images.ts';
import { createQueryClient } from './query-client.ts';
import { reloadOnMissingScript } from './reload.ts';
import { router } from './routes.tsx';
import { followTranslation } from './translation.ts';

reloadOnMissingScript();
reloadOnAccountChange();
// Each wall restores its own position, by photo instead of by pixels.
history.scrollRestoration = 'manual';

const queryClient = createQueryClient();
shareChangesWithTabs(queryClient);
const embeddedData = document.getElementById('data')?.textContent;
if (embeddedData) {
  const document = JSON.parse(embeddedData);
  keepAccount(queryClient, document);
  keepPhotos(queryClient, document);
}

const appElement = document.getElementById('app')!;
followTranslation(document.body);
const renderWithEarlyInput = captureEarlyInput(appElement);
await Promise.all([loadTexts('common'), router.load()]);
rememberFirstImages(appElement);
detachFirstPicture(appElement);
renderWithEarlyInput(() =>
  createRoot(appElement).render(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  ),
);

// Browsers offer service workers only on secure connections, and some not in private windows.
void navigator.serviceWorker?.register(`/service-worker.js?language=${getLanguage()}`).catch(() => {});
