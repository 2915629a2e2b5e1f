import * as z from 'zod/mini'

/** Lists that a user reads come in pages; the next page's cursor is in this header. */
export const NEXT_CURSOR = 'x-next-cursor'
export const PAGE_SIZE = 50

export const PageQuery = z.object({
  limit: z._default(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(200)), PAGE_SIZE),
  cursor: z.optional(z.string().check(z.maxLength(200))),
})

/** Lists of the admin area: a numbered page and how many rows there are in all. */
export const TableQuery = z.object({
  page: z._default(z.coerce.number().check(z.int(), z.minimum(1)), 1),
  size: z._default(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(200)), PAGE_SIZE),
  sort: z.optional(z.string().check(z.regex(/^-?[a-zA-Z]+$/))),
  query: z.optional(z.string().check(z.maxLength(200))),
})
export type TableQuery = z.infer<typeof TableQuery>

export const tableOf = <T extends z.ZodMiniType>(item: T) => z.object({ items: z.array(item), total: z.int() })
