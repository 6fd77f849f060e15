/**
 * Stores and serves the logo of the gallery. The logo is a small picture in a row of `settings`, so that backup and
 * move carry it like every setting.
 */
import { createHash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { Deps } from '../../deps.ts';
import { deleteSetting, findJsonSetting, setSetting } from '../../platform/db/settings.ts';
import type { Transaction } from '../../platform/db/tables.ts';
import { errors } from '../../platform/errors/catalogue.ts';
import { runWhileConnected } from '../../platform/http/abandoned.ts';
import type { App } from '../../platform/http/app.ts';
import { readUploadForm } from '../../platform/http/upload-form.ts';
import { createFormCheck } from '../../platform/http/validation.ts';
import { Type } from '../../platform/schema/type.ts';

const maxLogoBytes = 512 * 1024;

const logoSetting = 'site logo';

export interface Logo {
  /** Bytes of a WebP in Base64. */
  data: string;
  width: number;
  height: number;
  /** Start of the SHA-256 of the bytes, which makes the path of each logo unique. */
  hash: string;
}

const checkFields = createFormCheck(Type.Object({}));

/** Renders the uploaded picture as a logo. Throws ImageError, fileTooLarge or unsupportedFormat. */
export async function readUploadedLogo(deps: Deps, request: FastifyRequest): Promise<Logo> {
  const form = await readUploadForm(request, deps, {
    limit: { maxBytes: maxLogoBytes },
    check: checkFields,
  });
  try {
    const { file, sha256 } = form;
    const { maxMegapixels } = deps.config;
    const { data, width, height } = await runWhileConnected(request, (signal) =>
      deps.imaging.logo(file.path, { signal, contentId: sha256, maxMegapixels }),
    );
    const hash = createHash('sha256').update(data).digest('hex').slice(0, 16);
    return { data: data.toString('base64'), width, height, hash };
  } finally {
    await form.file.discard();
  }
}

/** Stores the logo, or removes the stored one. */
export async function saveLogo(transaction: Transaction, logo: Logo | undefined): Promise<void> {
  if (logo) await setSetting({ kysely: transaction }, logoSetting, JSON.stringify(logo));
  else await deleteSetting({ kysely: transaction }, logoSetting);
}

/** Serves the current logo to everyone, because the sign-in page of a gallery for members shows it. */
export function logoRoute(app: App, { db }: Deps): void {
  const schema = { hide: true, params: Type.Object({ hash: Type.String() }) };
  app.get('/logo-:hash.webp', { config: { openToVisitors: true }, schema }, async (request, reply) => {
    const logo = await findJsonSetting<Logo>(db, logoSetting);
    if (!logo || logo.hash !== request.params.hash) throw errors.notFound();
    reply.type('image/webp').header('Cache-Control', 'public, max-age=31536000, immutable');
    return reply.send(Buffer.from(logo.data, 'base64'));
  });
}
