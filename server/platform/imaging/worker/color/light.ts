import type { TransferCurve } from '../../structure/color.ts';

/** Brightness in nits of white paper and of the brightest highlight (ITU-R BT.2408). */
const whiteNits = 203;
const peakNits = 1000;
/** Gamma of a display with 1,000 nits, applied to the light of a scene (ITU-R BT.2100). */
const hlgSystemGamma = 1.2;

/** Returns the light of a stored value, both from 0 to 1. */
export function computeLight(curve: TransferCurve, value: number): number {
  if (curve === 'pq') return compressHighlights(computePqNits(value));
  if (curve === 'hlg') return compressHighlights(peakNits * computeHlgScene(value) ** hlgSystemGamma);
  if (curve === 'srgb') return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  return value ** curve.gamma;
}

/**
 * Returns light from 0 to 1 for a brightness in nits. Up to white paper the light is proportional, and white paper
 * becomes half of the light, like in Chromium. Brighter parts share the other half by Reinhard's curve.
 */
function compressHighlights(nits: number): number {
  const light = nits / whiteNits;
  if (light <= 1) return light / 2;
  const above = Math.min(nits, peakNits) / whiteNits - 1;
  const most = peakNits / whiteNits - 1;
  return 0.5 + (0.5 * above * (1 + above / most ** 2)) / (1 + above);
}

/** Returns the brightness in nits of a value in the curve PQ (SMPTE ST 2084). */
function computePqNits(value: number): number {
  const power = value ** (1 / pq.m2);
  return 10_000 * (Math.max(power - pq.c1, 0) / (pq.c2 - pq.c3 * power)) ** (1 / pq.m1);
}

const pq = {
  m1: 2610 / 16_384,
  m2: (2523 / 4096) * 128,
  c1: 3424 / 4096,
  c2: (2413 / 4096) * 32,
  c3: (2392 / 4096) * 32,
};

/** Returns the light of the scene, from 0 to 1, of a value in the curve HLG (ITU-R BT.2100). */
function computeHlgScene(value: number): number {
  return value <= 0.5 ? value ** 2 / 3 : (Math.exp((value - hlg.c) / hlg.a) + hlg.b) / 12;
}

const hlg = { a: 0.178_832_77, b: 0.284_668_92, c: 0.559_910_73 };
