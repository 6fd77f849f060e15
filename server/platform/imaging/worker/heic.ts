/** Decodes HEIC with libheif compiled to WebAssembly, because sharp lacks this codec. */
import { createRequire } from 'node:module';
import type { ExpectedPicture } from '../jobs.ts';
import { createColorProfile } from './color/profile.ts';
import { type RawPicture, tiffHeader } from './metadata/tiff-header.ts';

/**
 * Returns the picture as an uncompressed TIFF with its color profile, upright because libheif rotates it. `expected`
 * has the facts that its structure promised. Throws libheif's error.
 */
export function decodeHeic(bytes: Buffer, expected: ExpectedPicture): Buffer {
  const data = libheif._malloc(bytes.length);
  const slots = libheif._malloc(32);
  const context = libheif._heif_context_alloc();
  try {
    libheif.HEAPU8.set(bytes, data);
    libheif._heif_context_read_from_memory(slots, context, data, bytes.length, 0);
    throwOn(slots);
    libheif._heif_context_get_primary_image_handle(slots, context, slots + 16);
    throwOn(slots);
    return decodeHandle(uint32At(slots + 16), slots, expected);
  } finally {
    libheif._heif_context_free(context);
    libheif._free(slots);
    libheif._free(data);
  }
}

/**
 * Decodes an image handle. `slots` has space for an error (12 bytes) and, from byte 16, for a returned pointer or
 * number.
 */
function decodeHandle(handle: number, slots: number, { pixels, color }: ExpectedPicture): Buffer {
  const options = libheif._heif_decoding_options_alloc();
  try {
    const width = libheif._heif_image_handle_get_width(handle);
    const height = libheif._heif_image_handle_get_height(handle);
    if (width * height > pixels) throw new Error('more pixels than the headers said');
    const channels = libheif._heif_image_handle_has_alpha_channel(handle) ? 4 : 3;
    libheif.HEAPU8[options + strictDecoding] = 1;
    const chroma = channels === 4 ? chromaRgba : chromaRgb;
    libheif._heif_decode_image(slots, handle, slots + 16, colorspaceRgb, chroma, options);
    throwOn(slots);
    const image = uint32At(slots + 16);
    const icc = color ? createColorProfile(color) : colorProfile(handle, slots);
    const tiff = copyPixels(image, slots, { width, height, channels, icc });
    libheif._heif_image_release(image);
    return tiff;
  } finally {
    libheif._heif_decoding_options_free(options);
    libheif._heif_image_handle_release(handle);
  }
}

/** Returns the ICC profile. iPhones use Display P3, which would look pale if shown as sRGB. */
function colorProfile(handle: number, slots: number): Buffer {
  const size = libheif._heif_image_handle_get_raw_color_profile_size(handle);
  if (size === 0) return Buffer.alloc(0);
  const pointer = libheif._malloc(size);
  libheif._heif_image_handle_get_raw_color_profile(slots, handle, pointer);
  const profile = Buffer.from(libheif.HEAPU8.subarray(pointer, pointer + size));
  libheif._free(pointer);
  return profile;
}

function copyPixels(image: number, slots: number, picture: RawPicture): Buffer {
  const plane = libheif._heif_image_get_plane_readonly(image, channelInterleaved, slots + 16);
  const stride = uint32At(slots + 16);
  const rowBytes = picture.width * picture.channels;
  const header = tiffHeader(picture);
  const tiff = Buffer.allocUnsafe(header.length + rowBytes * picture.height);
  tiff.set(header);
  for (let row = 0; row < picture.height; row++) {
    const from = plane + row * stride;
    tiff.set(libheif.HEAPU8.subarray(from, from + rowBytes), header.length + row * rowBytes);
  }
  return tiff;
}

/**
 * Functions of libheif's C interface (`heif.h`) that are used here. Numbers are pointers. A function that returns
 * `heif_error` in C writes it to the address in its first argument. The package's own JavaScript interface prints
 * errors and cannot decode strictly, which is needed to detect a truncated file.
 */
interface Libheif {
  HEAPU8: Uint8Array;
  _malloc(bytes: number): number;
  _free(pointer: number): void;
  _heif_context_alloc(): number;
  _heif_context_free(context: number): void;
  _heif_context_read_from_memory(
    error: number,
    context: number,
    data: number,
    size: number,
    options: 0,
  ): void;
  _heif_context_get_primary_image_handle(error: number, context: number, handle: number): void;
  _heif_image_handle_get_width(handle: number): number;
  _heif_image_handle_get_height(handle: number): number;
  _heif_image_handle_has_alpha_channel(handle: number): number;
  _heif_image_handle_get_raw_color_profile_size(handle: number): number;
  _heif_image_handle_get_raw_color_profile(error: number, handle: number, data: number): void;
  _heif_image_handle_release(handle: number): void;
  _heif_decoding_options_alloc(): number;
  _heif_decoding_options_free(options: number): void;
  _heif_decode_image(
    error: number,
    handle: number,
    image: number,
    colorspace: number,
    chroma: number,
    options: number,
  ): void;
  _heif_image_get_plane_readonly(image: number, channel: number, stride: number): number;
  _heif_image_release(image: number): void;
}

const libheif: Libheif = createRequire(import.meta.url)('libheif-js/wasm-bundle');

const colorspaceRgb = 1;
const chromaRgb = 10;
const chromaRgba = 11;
const channelInterleaved = 10;

/** Offset of `strict_decoding` in `heif_decoding_options`, whose field order is fixed since libheif 1.7. */
const strictDecoding = 21;

function uint32At(pointer: number): number {
  return new DataView(libheif.HEAPU8.buffer).getUint32(pointer, true);
}

/** Throws the error that the previous C function has written to `error`, if any. */
function throwOn(error: number): void {
  if (uint32At(error) === 0) return;
  const message = uint32At(error + 8);
  const end = libheif.HEAPU8.indexOf(0, message);
  throw new Error(`libheif: ${Buffer.from(libheif.HEAPU8.subarray(message, end)).toString('latin1').trim()}`);
}
