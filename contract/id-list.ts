import * as z from 'zod/mini'

/** Ids in a request, each of them once. */
export const idList = (most: number, least = 1) =>
  z.array(z.string()).check(
    z.minLength(least),
    z.maxLength(most),
    z.refine((ids) => new Set(ids).size === ids.length, { error: 'одно и то же названо дважды' }),
  )
