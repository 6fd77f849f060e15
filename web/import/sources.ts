/** Lists the chosen folders, ZIPs and single files as one list of files. */
import { BadZip, BadZipEntry } from '../../server/platform/zip/reader/source.ts';
import { isSystemName } from '../../server/tools/exchange/plan/kinds.ts';
import {
  maxSidecarBytes,
  type ReadSmallFile,
  type SourceFile,
} from '../../server/tools/exchange/plan/source-file.ts';
import { t } from '../messages/messages.ts';
import type { PickedFile } from '../upload/files.ts';
import { collectBlob } from '../upload/sha256.ts';
import { openZipFiles, type ZipFiles } from './zip-source.ts';

export interface ImportSources {
  /** Names of the sources by their index: '' for files and folders, or the name of a ZIP. */
  names: string[];
  files: SourceFile[];
  read: ReadSmallFile;
  /** Returns the content of a file. The stream fails if the file cannot be read. */
  open(file: SourceFile): ReadableStream<Uint8Array<ArrayBuffer>>;
  /** Returns the file, or unpacks it. Rejects like the stream of `open`. */
  load(file: SourceFile): Promise<File>;
}

/** Lists all chosen files. A ZIP that cannot be read is in the list as a refused file. */
export async function openSources(picked: PickedFile[]): Promise<ImportSources> {
  const isZip = ({ file, folder }: PickedFile) => folder === '' && /\.zip$/i.test(file.name);
  const loose = new Map(describeLooseFiles(picked.filter((one) => !isZip(one))));
  const names = [''];
  const files = [...loose.keys()];
  const zips: (ZipFiles | undefined)[] = [undefined];
  for (const one of picked.filter(isZip)) {
    const source = names.push(one.file.name) - 1;
    try {
      const zip = await openZipFiles(one.file, source);
      zips.push(zip);
      for (const file of zip.files) files.push(file);
    } catch (error) {
      zips.push(undefined);
      files.push(refuseZip(one.file, source, error));
    }
  }
  const open = (file: SourceFile) => zips[file.source]?.open(file) ?? loose.get(file)!.stream();
  return { names, files, open, read: (file) => readSmall(open, file), load };

  async function load(file: SourceFile): Promise<File> {
    const own = loose.get(file);
    if (own) return own;
    const name = file.path.slice(file.path.lastIndexOf('/') + 1);
    return new File([await collectBlob(open(file))], name, { lastModified: file.modified * 1000 });
  }
}

/** A single chosen folder without photos of its own is only the place of the other folders, and no album. */
function describeLooseFiles(picked: PickedFile[]): [SourceFile, File][] {
  const top = /^[^/]+/.exec(picked[0]?.folder ?? '')?.[0];
  const isPlace = top !== undefined && picked.every((one) => isInside(one, top) || isNoPhoto(one));
  return picked.map(({ file, folder, isClosed }) => {
    const path = `${folder}/${file.name}`.slice(isPlace ? top.length + 1 : 0).replace(/^\//, '');
    const modified = Math.floor(file.lastModified / 1000);
    const obstacle = { outcome: 'refused', reason: t('importNoPermission') } as const;
    return [{ path, bytes: file.size, modified, source: 0, ...(isClosed && { obstacle }) }, file];
  });
}

const isInside = ({ folder }: PickedFile, top: string) => folder.startsWith(`${top}/`);

function isNoPhoto({ file: { name } }: PickedFile): boolean {
  return isSystemName(name) || /\.(?:json|xmp|csv|txt|html?)$/i.test(name);
}

function refuseZip(file: File, source: number, error: unknown): SourceFile {
  const reason = error instanceof BadZip ? error.message : t('importUnreadable');
  return {
    path: file.name,
    bytes: file.size,
    modified: Math.floor(file.lastModified / 1000),
    source,
    obstacle: { outcome: 'refused', reason },
  };
}

async function readSmall(open: ImportSources['open'], file: SourceFile): Promise<Uint8Array> {
  if (file.bytes > maxSidecarBytes || file.obstacle) return new Uint8Array();
  try {
    return new Uint8Array(await (await collectBlob(open(file))).arrayBuffer());
  } catch {
    return new Uint8Array();
  }
}

/** Returns the reason why a file could not be read. */
export function describeReadFailure(error: unknown): string {
  return error instanceof BadZipEntry || error instanceof BadZip ? error.message : t('importUnreadable');
}
