/** Runs one job: reads the input file in the worker's folder, writes the output files, and returns the answer. */
import { readFileSync, writeFileSync } from 'node:fs';
import type { EncodedImage } from '../formats.ts';
import {
  type ExpectedPicture,
  type ImagingJob,
  type ImagingJobKind,
  jobInputFileName,
  type WorkerJobAnswer,
  type WrittenPicture,
} from '../jobs.ts';
import { attachColorProfile } from './color/attach.ts';
import { renderEdits } from './edits/render.ts';
import { type PictureHeaders, readPictureHeaders } from './inspect.ts';
import type { MetadataBlocks } from './metadata/blocks.ts';
import { readPictureMetadata } from './metadata/read.ts';
import { readSidecarTexts } from './metadata/xmp.ts';
import { addEndMarker, checkEveryPixelDecodes } from './missing-end.ts';
import type { PictureSource, SharpInput } from './open.ts';
import { checkDecodesCompletely, renderAvatar, renderLogo, renderUploadedPicture } from './render/render.ts';
import { renderSize } from './render/size.ts';

/** Decoder for HEIC, loaded only by workers that were started for a HEIC file. */
export type HeicDecoder = (bytes: Buffer, expected: ExpectedPicture) => Buffer;

type Runners = {
  [Kind in ImagingJobKind]: (
    job: Extract<ImagingJob, { kind: Kind }>,
    heic?: HeicDecoder,
  ) => Promise<WorkerJobAnswer<Kind>>;
};

const runnerByJobKind: Runners = {
  async upload({ expected, full: withFull, facts }, heic) {
    const { source, blocks } = await openExpectedImage(expected, heic);
    const { thumb, preview, full, placeholder } = await renderUploadedPicture(
      source,
      expected.format,
      withFull,
    );
    return {
      inspected: source.inspected,
      exif: await readPictureMetadata(jobInputFileName, expected.format, blocks, facts),
      thumb: writeEncodedImage('thumb', thumb),
      preview: writeEncodedImage('preview', preview),
      ...(full && { full: writeEncodedImage('full', full) }),
      placeholder,
    };
  },
  async edit({ expected, steps }, heic) {
    const { source } = await openExpectedImage(expected, heic);
    const { thumb, preview, ...edited } = await renderEdits(source, expected.format, steps, 'image');
    const { frames } = source.inspected;
    return {
      ...edited,
      frames,
      thumb: writeEncodedImage('thumb', thumb),
      preview: writeEncodedImage('preview', preview),
    };
  },
  async avatar({ expected }, heic) {
    const { source } = await openExpectedImage(expected, heic);
    return { image: writeEncodedImage('image', await renderAvatar(source)) };
  },
  async logo({ expected }, heic) {
    const { source } = await openExpectedImage(expected, heic);
    return { image: writeEncodedImage('image', await renderLogo(source)) };
  },
  async exif({ expected, facts }) {
    const { blocks } = await readPictureHeaders(jobInputFileName, expected);
    return { exif: await readPictureMetadata(jobInputFileName, expected.format, blocks, facts) };
  },
  async size({ expected, request }) {
    const headers = expected && (await readPictureHeaders(jobInputFileName, expected));
    const input = headers ? await openColors(expected, headers) : jobInputFileName;
    return { image: writeEncodedImage('image', await renderSize(input, request)) };
  },
  async xmp() {
    return { texts: readSidecarTexts(readFileSync(jobInputFileName)) };
  },
  async trial() {
    await checkDecodesCompletely(jobInputFileName);
    return {};
  },
};

/** Runs a job. Throws the errors of decoders; `failures.ts` translates them. */
export function runImagingJob(job: ImagingJob, heic?: HeicDecoder): Promise<WorkerJobAnswer<ImagingJobKind>> {
  const endMarkerAt = 'expected' in job ? job.expected?.endMarkerAt : undefined;
  if (endMarkerAt !== undefined) addEndMarker(jobInputFileName, endMarkerAt);
  const run = runnerByJobKind[job.kind] as (
    job: ImagingJob,
    heic?: HeicDecoder,
  ) => Promise<WorkerJobAnswer<ImagingJobKind>>;
  return run(job, heic);
}

async function openExpectedImage(
  expected: ExpectedPicture,
  heic?: HeicDecoder,
): Promise<{ source: PictureSource; blocks: MetadataBlocks }> {
  const headers = await readPictureHeaders(jobInputFileName, expected);
  if (expected.endMarkerAt !== undefined)
    await checkEveryPixelDecodes(jobInputFileName, expected.endMarkerAt);
  const input =
    expected.format === 'heic'
      ? heic!(readFileSync(jobInputFileName), expected)
      : await openColors(expected, headers);
  return { source: { input, inspected: headers.inspected }, blocks: headers.blocks };
}

/** Returns the job's file in a form in which sharp converts its colors to sRGB. */
async function openColors({ color }: ExpectedPicture, { isDeep }: PictureHeaders): Promise<SharpInput> {
  if (color) return await attachColorProfile(jobInputFileName, color);
  return isDeep ? { deepFile: jobInputFileName } : jobInputFileName;
}

function writeEncodedImage(name: string, { data, format, width, height }: EncodedImage): WrittenPicture {
  writeFileSync(name, data);
  return { format, width, height };
}
