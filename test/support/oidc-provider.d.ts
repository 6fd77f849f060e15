/**
 * Types for the parts of `oidc-provider` that tests call. The published types would bring seventeen packages.
 */
declare module 'oidc-provider' {
  import type { IncomingMessage, ServerResponse } from 'node:http';

  interface Interaction {
    prompt: { name: string };
    params: Record<string, unknown>;
  }

  interface Grant {
    addOIDCScope(scope: string): void;
    save(): Promise<string>;
  }

  interface Configuration {
    clients: object[];
    jwks: { keys: object[] };
    cookies: { keys: string[] };
    claims: Record<string, string[]>;
    features: { devInteractions: { enabled: boolean } };
    interactions: { url(context: unknown, interaction: { uid: string }): string };
    findAccount(context: unknown, sub: string): { accountId: string; claims(): { sub: string } };
    pkce: { required(): boolean };
  }

  export default class Provider {
    constructor(issuer: string, configuration: Configuration);
    Grant: new (of: {
      accountId: string;
      clientId: string;
    }) => Grant;
    callback(): (request: IncomingMessage, response: ServerResponse) => Promise<void>;
    interactionDetails(request: IncomingMessage, response: ServerResponse): Promise<Interaction>;
    interactionFinished(
      request: IncomingMessage,
      response: ServerResponse,
      result: object,
      options: { mergeWithLastSubmission: boolean },
    ): Promise<void>;
  }
}
