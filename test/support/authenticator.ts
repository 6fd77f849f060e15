/**
 * A software authenticator for WebAuthn that makes the true or false claims a test wants:
 * https://www.w3.org/TR/webauthn-3/. test/web uses the authenticator of a real browser instead.
 */
import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';

interface CredentialOptions {
  challenge: string;
  rp?: { id?: string };
  rpId?: string;
  user?: { id: string };
}

/** False claims that replace the true values of the authenticator. */
export interface FalseClaims {
  origin?: string;
  rpId?: string;
  type?: string;
  challenge?: string;
  isVerified?: boolean;
  userHandle?: string;
  counter?: number;
}

const userPresentFlag = 0x01;
const userVerifiedFlag = 0x04;
const attestedKeyFlag = 0x40;

export function createAuthenticator(origin: string) {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const id = randomBytes(32);
  let counter = 0;
  let handle = '';

  function clientData(options: CredentialOptions, type: string, lies: FalseClaims): Buffer {
    const challenge = lies.challenge ?? options.challenge;
    return Buffer.from(JSON.stringify({ type: lies.type ?? type, challenge, origin: lies.origin ?? origin }));
  }

  function authenticatorData(rpId: string, lies: FalseClaims, key: Buffer = Buffer.alloc(0)): Buffer {
    const flags =
      userPresentFlag |
      (lies.isVerified === false ? 0 : userVerifiedFlag) |
      (key.length > 0 ? attestedKeyFlag : 0);
    const count = Buffer.alloc(4);
    count.writeUInt32BE(lies.counter ?? ++counter);
    return Buffer.concat([sha256(Buffer.from(lies.rpId ?? rpId)), Buffer.from([flags]), count, key]);
  }

  const credential = (response: object) => ({
    id: id.toString('base64url'),
    rawId: id.toString('base64url'),
    type: 'public-key' as const,
    response,
    clientExtensionResults: {},
  });

  return {
    /** Creates the JSON that a browser's `credentials.create` returns. */
    create(options: CredentialOptions, lies: FalseClaims = {}) {
      handle = options.user!.id;
      const { x, y } = publicKey.export({ format: 'jwk' });
      const cose = Buffer.concat([
        // CBOR of the public key: {1: 2 (EC2), 3: -7 (ES256), -1: 1 (P-256), -2: x, -3: y}.
        Buffer.from('a5010203262001215820', 'hex'),
        Buffer.from(x!, 'base64url'),
        Buffer.from('225820', 'hex'),
        Buffer.from(y!, 'base64url'),
      ]);
      const attested = Buffer.concat([Buffer.alloc(16), Buffer.from([0, id.length]), id, cose]);
      const data = authenticatorData(options.rp!.id!, lies, attested);
      // CBOR of the attestation: {"fmt": "none", "attStmt": {}, "authData": …}
      const attestation = Buffer.concat([
        Buffer.from('a363666d74646e6f6e656761747453746d74a068617574684461746158', 'hex'),
        Buffer.from([data.length]),
        data,
      ]);
      return credential({
        clientDataJSON: clientData(options, 'webauthn.create', lies).toString('base64url'),
        attestationObject: attestation.toString('base64url'),
        transports: ['internal'],
      });
    },

    /** Creates the JSON that a browser's `credentials.get` returns. */
    get(options: CredentialOptions, lies: FalseClaims = {}) {
      const client = clientData(options, 'webauthn.get', lies);
      const data = authenticatorData(options.rpId!, lies);
      return credential({
        clientDataJSON: client.toString('base64url'),
        authenticatorData: data.toString('base64url'),
        signature: sign('sha256', Buffer.concat([data, sha256(client)]), privateKey).toString('base64url'),
        userHandle: lies.userHandle ?? handle,
      });
    },
  };
}

function sha256(bytes: Buffer): Buffer {
  return createHash('sha256').update(bytes).digest();
}
