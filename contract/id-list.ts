import * as z from 'zod/mini'

/** Ids in a request, each of them once. */
export const idList = (max: number, min = 1) =>
  z.array(z.string()).check(
    z.minLength(min),
    z.maxLength(max),
    z.refine((ids) => new Set(ids).size === ids.length, { error: 'одно и то же названо дважды' }),
  )
