import type * as z from 'zod/mini'

const KB = 1024

/** The least that a call takes, and the most that JSON of the page may have: the longest text takes 600 kB. */
const LEAST_BYTES = 16 * KB
export const MOST_JSON_BYTES = KB * KB

/** A character may be sent as `\u0436`. */
const BYTES_OF_CHARACTER = 6
/** An id, a number, a code, a date; also a text for which the contract names no length. */
const BYTES_OF_VALUE = 128

/** How long the JSON of a call may be: what its fields may hold, so that nothing longer is read at all. */
export function mostBytesOf(schema: z.ZodMiniType | undefined): number {
  if (!schema) return LEAST_BYTES
  return Math.min(MOST_JSON_BYTES, Math.max(LEAST_BYTES, bytesOf(schema as unknown as z.core.$ZodType)))
}

type Def = z.core.$ZodTypes['_zod']['def']

function bytesOf(schema: z.core.$ZodType): number {
  const def = schema._zod.def as Def
  switch (def.type) {
    case 'string':
      return textBytes(schema)
    case 'object':
      return Object.entries(def.shape).reduce((sum, [name, field]) => sum + name.length + 4 + bytesOf(field), 2)
    case 'array':
      return Math.min(MOST_JSON_BYTES, (mostOf(schema) ?? Number.POSITIVE_INFINITY) * (bytesOf(def.element) + 1))
    case 'union':
      return Math.max(...def.options.map(bytesOf))
    case 'pipe':
      return bytesOf(def.in)
    case 'optional':
    case 'nullable':
    case 'default':
    case 'prefault':
    case 'readonly':
    case 'nonoptional':
    case 'catch':
      return bytesOf(def.innerType)
    case 'lazy':
    case 'record':
    case 'unknown':
    case 'any':
      return MOST_JSON_BYTES
    default:
      return BYTES_OF_VALUE
  }
}

function textBytes(schema: z.core.$ZodType): number {
  const most = mostOf(schema)
  return most === undefined ? BYTES_OF_VALUE : most * BYTES_OF_CHARACTER + 2
}

function mostOf({ _zod }: z.core.$ZodType): number | undefined {
  const limits = (_zod.def.checks ?? []).flatMap((check) => {
    const def = check._zod.def as z.core.$ZodChecks['_zod']['def']
    if (def.check === 'max_length') return [def.maximum]
    return def.check === 'length_equals' ? [def.length] : []
  })
  return limits.length === 0 ? undefined : Math.min(...limits)
}
