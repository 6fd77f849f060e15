import { createRequire } from 'node:module';

/**
 * What is used of libheif's C interface (its header `heif.h`, compiled to WebAssembly): numbers are pointers, a
 * function that returns `heif_error` in C writes it where its first argument points. The package's own JavaScript
 * interface cannot decode strictly, which is what tells a truncated file from a whole one, and prints errors.
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

export const libheif: Libheif = createRequire(import.meta.url)('libheif-js/wasm-bundle');

export const colorspaceRgb = 1;
export const chromaRgb = 10;
export const chromaRgba = 11;
export const channelInterleaved = 10;

/** Where `heif_decoding_options` keeps `strict_decoding`; its fields have a fixed order since libheif 1.7. */
export const strictDecoding = 21;

export function uint32At(pointer: number): number {
  return new DataView(libheif.HEAPU8.buffer).getUint32(pointer, true);
}

/** Throws what the C function before wrote to `error`, if anything. */
export function throwOn(error: number): void {
  if (uint32At(error) === 0) return;
  const message = uint32At(error + 8);
  const end = libheif.HEAPU8.indexOf(0, message);
  throw new Error(`libheif: ${Buffer.from(libheif.HEAPU8.subarray(message, end)).toString('latin1').trim()}`);
}
