/** Defines the routes that add, list, rename and delete passkeys, and that sign in with a passkey. */
import type { Deps } from '../../../deps.ts';
import type { App } from '../../../platform/http/app.ts';
import { messageResponse, resultResponse } from '../../../platform/http/envelope.ts';
import { languageOf } from '../../../platform/http/language.ts';
import { idParams } from '../../../platform/http/schema.ts';
import { timeText } from '../../../platform/http/time.ts';
import { refuseCrossOriginPages } from '../../identity/cookie.ts';
import { createEndpointMethods } from '../../identity/endpoints.ts';
import { createConfirmPassword } from '../confirm.ts';
import { LoginResponse } from '../schema.ts';
import { createSignIn, refuseIfPasswordsAreOff } from '../sessions/sign-in.ts';
import {
  addPasskey,
  createPasskeyCreationOptions,
  deletePasskey,
  listPasskeys,
  type PasskeyRow,
  renamePasskey,
} from './passkeys.ts';
import { getRelyingParty } from './relying-party.ts';
import * as schema from './schema.ts';
import { createCheckPasskey, createPasskeyRequestOptions } from './sign-in.ts';

const params = idParams('passkey');

export async function passkeyRoutes(app: App, deps: Deps): Promise<void> {
  const api = createEndpointMethods(app, 'Passkeys');
  const confirm = createConfirmPassword(deps, app.shared);
  const checkPasskey = createCheckPasskey(deps, app.shared);
  const signIn = createSignIn(deps);
  const refuseWithoutPasskeys = () =>
    refuseIfPasswordsAreOff(deps, 'Signing in with passkeys is turned off in this gallery');

  api.get('/api/auth/passkeys', {
    auth: 'session',
    operationId: 'listPasskeys',
    summary: 'List my passkeys',
    description: 'Returns all passkeys without pages, newest first.',
    answer: schema.PasskeyList,
    refusals: ['forbidden'],
    handler: async ({ viewer }) => ({ list: (await listPasskeys(deps, viewer.id)).map(presentPasskey) }),
  });

  api.post('/api/auth/passkeys/options', {
    auth: 'session',
    config: { attempt: { action: 'passkey.create' } },
    operationId: 'askForPasskey',
    summary: 'Start adding a passkey',
    description:
      'Returns the options for `navigator.credentials.create` ' +
      '(`PublicKeyCredential.parseCreationOptionsFromJSON`). The options expire after five minutes. ' +
      'At most 10 wrong passwords a minute.',
    body: schema.PasskeyRequest,
    answer: schema.PasskeyCreationOptions,
    refusals: ['forbidden', 'wrongOldPassword'],
    handler: async (request) => {
      refuseWithoutPasskeys();
      await confirm(request.viewer, request.body.password);
      const party = getRelyingParty(request, deps.config);
      return resultResponse(
        'Confirm the passkey on your device',
        await createPasskeyCreationOptions(deps, request.viewer, party),
      );
    },
  });

  api.post('/api/auth/passkeys', {
    auth: 'session',
    config: { attempt: { action: 'passkey.create' } },
    operationId: 'addPasskey',
    summary: 'Add a passkey',
    description: 'Needs the credential that the browser created from the options (`credential.toJSON()`).',
    body: schema.NewPasskey,
    answer: schema.Passkey,
    refusals: ['forbidden'],
    handler: async (request) => {
      refuseWithoutPasskeys();
      const party = getRelyingParty(request, deps.config);
      const made = { ...request.body, language: languageOf(request) };
      const row = await addPasskey(deps, request.viewer, made, party);
      return resultResponse('Passkey added', presentPasskey(row));
    },
  });

  api.put('/api/auth/passkeys/:id', {
    auth: 'session',
    operationId: 'renamePasskey',
    summary: 'Rename a passkey',
    description: 'Only the owner of the passkey sees the name.',
    params,
    body: schema.PasskeyName,
    refusals: ['notFound', 'forbidden'],
    handler: async ({ viewer, params, body }) => {
      await renamePasskey(deps, viewer.id, params.id, body.name);
      return messageResponse('Passkey renamed');
    },
  });

  api.delete('/api/auth/passkeys/:id', {
    auth: 'session',
    config: { attempt: { action: 'passkey.delete' } },
    operationId: 'deletePasskey',
    summary: 'Delete a passkey',
    description: 'The passkey stops working immediately. Sessions that began with the passkey stay valid.',
    params,
    refusals: ['notFound', 'forbidden'],
    handler: async (request) => {
      const passkey = { id: request.params.id, language: languageOf(request) };
      await deletePasskey(deps, request.viewer.id, passkey);
      return messageResponse('Passkey deleted');
    },
  });

  api.post('/api/auth/login/passkey/options', {
    auth: 'none',
    config: { openToVisitors: true, attempt: { action: 'login.passkey' } },
    operationId: 'askForLoginByPasskey',
    summary: 'Start a sign-in with a passkey',
    description:
      'Returns the options for `navigator.credentials.get` ' +
      '(`PublicKeyCredential.parseRequestOptionsFromJSON`). The options expire after five minutes.',
    answer: schema.PasskeyRequestOptions,
    refusals: ['invalid', 'forbidden'],
    handler: async (request) => {
      refuseWithoutPasskeys();
      const party = getRelyingParty(request, deps.config);
      return resultResponse(
        'Confirm the passkey on your device',
        await createPasskeyRequestOptions(deps, party),
      );
    },
  });

  api.post('/api/auth/login/passkey', {
    auth: 'none',
    config: { openToVisitors: true, attempt: { action: 'login.passkey', countsSuccess: true } },
    operationId: 'loginByPasskey',
    summary: 'Sign in with a passkey',
    description:
      'Needs the credential that the browser created from the options (`credential.toJSON()`); each ' +
      'credential works once. Responds like a sign-in with a password. No code of two-step ' +
      'verification is required, because the passkey itself verifies the user.',
    body: schema.PasskeyLogin,
    answer: LoginResponse,
    refusals: ['wrongLogin', 'accountDisabled', 'forbidden'],
    handler: async (request, reply) => {
      refuseWithoutPasskeys();
      if (request.body.cookie) refuseCrossOriginPages(request, deps.config);
      const party = getRelyingParty(request, deps.config);
      const user = await checkPasskey(request.body.response, party, request);
      return resultResponse('Signed in', await signIn(user, request, reply, request.body.cookie === true));
    },
  });
}

function presentPasskey({ id, name, is_synced, create_time, last_used_time }: PasskeyRow) {
  return {
    id,
    name,
    is_synced: is_synced === 1,
    create_time: timeText(create_time),
    last_used_time: last_used_time === null ? '' : timeText(last_used_time),
  };
}
