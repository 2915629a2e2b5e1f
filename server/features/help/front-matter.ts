import * as z from 'zod/mini'

const Field = z.string().check(z.minLength(1))

/** The fields above the text of a page. */
export const FrontMatter = z.strictObject({
  title: Field,
  /** One sentence, shown in the contents and in search results. */
  description: Field,
  /** Position among the pages of the folder. */
  order: z.coerce.number().check(z.int()),
  /** Synonyms that are searched but never shown. */
  words: z.optional(Field),
  /** Readable without a session. */
  open: z.optional(z.literal('true')),
})

/**
 * Splits a page into fields and text; the caller validates the fields. Not YAML, so that a title may contain a colon
 * without quotes: everything after the first colon of a line is the value.
 */
export function splitPage(source: string): { fields: Record<string, string>; text: string } {
  const [, head, text = ''] = /^---\r?\n([\s\S]*?)\r?\n---\r?\n([\s\S]*)$/.exec(source) ?? []
  if (head === undefined) return { fields: {}, text: source }
  const pairs = head.split(/\r?\n/).map((line): [string, string] => {
    const colon = line.indexOf(':')
    return [line.slice(0, colon).trim(), line.slice(colon + 1).trim()]
  })
  return { fields: Object.fromEntries(pairs), text }
}
