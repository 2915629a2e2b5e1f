import * as z from 'zod/mini'

const Field = z.string().check(z.minLength(1))

/** What a page says of itself above its text. */
export const FrontMatter = z.strictObject({
  title: Field,
  /** One sentence for the contents and the results of a search. */
  description: Field,
  /** The place among the pages of the folder. */
  order: z.coerce.number().check(z.int()),
  /** What people call it otherwise; searched, never shown. */
  words: z.optional(Field),
  /** Readable without a session. */
  open: z.optional(z.literal('true')),
})

/** Cuts a page into its fields and its text. The fields are not judged here. */
export function splitPage(source: string): { fields: Record<string, string>; text: string } {
  const [, head, text = ''] = /^---\r?\n([\s\S]*?)\r?\n---\r?\n([\s\S]*)$/.exec(source) ?? []
  if (head === undefined) return { fields: {}, text: source }
  const pairs = head.split(/\r?\n/).map((line): [string, string] => {
    const colon = line.indexOf(':')
    return [line.slice(0, colon).trim(), line.slice(colon + 1).trim()]
  })
  return { fields: Object.fromEntries(pairs), text }
}
