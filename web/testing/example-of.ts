import type * as z from 'zod/mini'

type AnySchema = z.core.$ZodType
type Def = z.core.$ZodTypes['_zod']['def']

/** A value that a schema of the contract accepts, such as an answer of the server, with all that may be in it. */
export function exampleOf(schema: z.ZodMiniType): unknown {
  return make(schema as unknown as AnySchema, '')
}

function make(schema: AnySchema, name: string): unknown {
  const def = schema._zod.def as Def
  switch (def.type) {
    case 'string':
      return textFor(schema, name)
    case 'number':
      return Math.max(1, limitOf(schema, 'greater_than') ?? 1)
    case 'boolean':
      return true
    case 'null':
      return null
    case 'literal':
      return def.values[0]
    case 'enum': {
      const values = Object.values(def.entries)
      return values[0]
    }
    case 'union':
      return make(def.options[0] as AnySchema, name)
    case 'array':
      return Array.from({ length: limitOf(schema, 'min_length') ?? 1 }, () => make(def.element, name))
    case 'tuple':
      return def.items.map((item) => make(item, name))
    case 'object':
      return Object.fromEntries(Object.entries(def.shape).map(([key, field]) => [key, make(field, key)]))
    case 'record':
      return { [String(make(def.keyType, ''))]: make(def.valueType, name) }
    case 'nullable':
    case 'optional':
    case 'default':
    case 'prefault':
    case 'readonly':
    case 'nonoptional':
    case 'catch':
      return make(def.innerType, name)
    case 'pipe':
      return make(def.in, name)
    case 'lazy':
      return make(def.getter(), name)
    default:
      return null
  }
}

/** Every id is the same, so that what one answer names is in the others. */
export const AN_ID = 'aaaaaaaa'
const byName: [RegExp, string][] = [
  [/currency$/i, 'BYN'],
  [/(At|On|from|to|day|date|month|since|until|periodEnd|nextCharge)$/, '2026-01-01T00:00:00.000Z'],
]
const DAY = '2026-01-01T00:00:00.000Z'

function textFor(schema: AnySchema, name: string): string {
  const def = schema._zod.def as z.core.$ZodStringFormatDef
  const text = byFormat[def.format] ?? byName.find(([names]) => names.test(name))?.[1] ?? AN_ID
  return text.padEnd(limitOf(schema, 'min_length') ?? limitOf(schema, 'length_equals') ?? 0, 'a')
}

const byFormat: Record<string, string | undefined> = {
  datetime: DAY,
  date: '2026-01-01',
  email: 'anna@example.com',
  url: 'https://example.com/a',
  uuid: '00000000-0000-4000-8000-000000000000',
}

function limitOf({ _zod }: AnySchema, kind: 'greater_than' | 'min_length' | 'length_equals'): number | undefined {
  const limits = (_zod.def.checks ?? []).flatMap((check) => {
    const def = check._zod.def as z.core.$ZodChecks['_zod']['def']
    if (def.check !== kind) return []
    if (def.check === 'min_length') return [def.minimum]
    if (def.check === 'length_equals') return [def.length]
    return def.check === 'greater_than' ? [Number(def.value) + (def.inclusive ? 0 : 1)] : []
  })
  return limits.length === 0 ? undefined : Math.max(...limits)
}
