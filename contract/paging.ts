import * as z from 'zod/mini'

/** The header with the cursor of the next page, for lists of users. */
export const NEXT_CURSOR = 'x-next-cursor'
export const PAGE_SIZE = 50

export const PageQuery = z.object({
  limit: z._default(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(200)), PAGE_SIZE),
  cursor: z.optional(z.string().check(z.maxLength(200))),
})

/** Admin tables have numbered pages and the total number of rows. */
export const TableQuery = z.object({
  page: z._default(z.coerce.number().check(z.int(), z.minimum(1)), 1),
  size: z._default(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(200)), PAGE_SIZE),
  sort: z.optional(z.string().check(z.regex(/^-?[a-zA-Z]+$/))),
  query: z.optional(z.string().check(z.maxLength(200))),
})
export type TableQuery = z.infer<typeof TableQuery>

export const tableOf = <T extends z.ZodMiniType>(item: T) => z.object({ items: z.array(item), total: z.int() })
