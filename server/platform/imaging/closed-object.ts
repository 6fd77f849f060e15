import { Type } from '../schema/type.ts';

/**
 * Creates a schema without additional properties. A compromised worker could otherwise add properties that replace the
 * server's own.
 */
export const ClosedObject = ((properties, options) =>
  Type.Object(properties, { ...options, additionalProperties: false })) as typeof Type.Object;

/** Largest integer that both databases can store, 2^31 - 1. */
export const maxDatabaseInteger = 2_147_483_647;
