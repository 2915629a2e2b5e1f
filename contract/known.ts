import * as z from 'zod/mini'

/**
 * A value of a row in an answer. One that this build does not know, because a newer one wrote it during an upgrade, is
 * read as `otherwise`: one row must not fail a list. Requests keep to the plain schema.
 */
export const known = <Schema extends z.ZodMiniType>(schema: Schema, otherwise: z.output<Schema>) =>
  z.catch(schema, otherwise as z.core.output<Schema>)
