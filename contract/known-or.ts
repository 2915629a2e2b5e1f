import * as z from 'zod/mini'

/**
 * A field of a row in an answer. A value that this build does not know, because a newer build wrote it during an
 * upgrade, is read as `otherwise`, so that one row does not fail the list. Requests use the plain schema.
 */
export const knownOr = <Schema extends z.ZodMiniType>(schema: Schema, otherwise: z.output<Schema>) =>
  z.catch(schema, otherwise as z.core.output<Schema>)
