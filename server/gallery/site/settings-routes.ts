/** Routes by which admins change the settings of the gallery. */
import type { Deps } from '../../deps.ts';
import type { App } from '../../platform/http/app.ts';
import { resultResponse } from '../../platform/http/envelope.ts';
import { fileFormSchema } from '../../platform/http/schema.ts';
import { acceptForms } from '../../platform/http/upload-form.ts';
import { createEndpointMethods } from '../identity/endpoints.ts';
import { readUploadedLogo } from './logo.ts';
import { changeLogo, changeSettings, readSettingsForAdmin } from './settings.ts';
import { SiteSettings, SiteSettingsUpdate } from './settings-schema.ts';

export async function siteSettingsRoutes(app: App, deps: Deps): Promise<void> {
  const api = createEndpointMethods(app, 'Administration');

  api.get('/api/admin/settings', {
    auth: 'admin-session',
    operationId: 'getSiteSettings',
    summary: 'Get the settings of the gallery',
    description: 'Returns the values that apply now, including those of environment variables.',
    answer: SiteSettings,
    handler: () => readSettingsForAdmin(deps),
  });

  api.put('/api/admin/settings', {
    auth: 'admin-session',
    operationId: 'updateSiteSettings',
    summary: 'Change the settings of the gallery',
    description:
      'Settings that are left out keep their values. Every server obeys at its next request. Each change is in ' +
      'the audit log. A setting that an environment variable decides is refused with 400.',
    body: SiteSettingsUpdate,
    answer: SiteSettings,
    handler: async ({ viewer, body }) => {
      await changeSettings(deps, viewer, body);
      return resultResponse('Settings saved', await readSettingsForAdmin(deps));
    },
  });

  api.delete('/api/admin/settings/logo', {
    auth: 'admin-session',
    operationId: 'deleteSiteLogo',
    summary: 'Remove the logo',
    description: 'The pages show the standard icon again.',
    answer: SiteSettings,
    handler: async ({ viewer }) => {
      await changeLogo(deps, viewer, undefined);
      return resultResponse('Logo removed', await readSettingsForAdmin(deps));
    },
  });

  await app.register(async (scope: App) => {
    await acceptForms(scope);
    createEndpointMethods(scope, 'Administration').post('/api/admin/settings/logo', {
      auth: 'admin-session',
      config: { form: fileFormSchema('LogoForm', {}) },
      operationId: 'uploadSiteLogo',
      summary: 'Upload the logo',
      description:
        'Needs a picture of at most 512 kB in any accepted format. The server renders a WebP of at most 640 by ' +
        '160 pixels from the picture.',
      answer: SiteSettings,
      refusals: ['unsupportedFormat', 'fileTooLarge'],
      handler: async (request) => {
        await changeLogo(deps, request.viewer, await readUploadedLogo(deps, request));
        return resultResponse('Logo saved', await readSettingsForAdmin(deps));
      },
    });
  });
}
