import { worstTexts } from '#contract/testing/worst-texts.ts'

/** Pseudo-random numbers from a seed, so that a failure can be repeated. */
export function createRandom(seed: number) {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  return {
    chance: (share: number) => next() < share,
    below: (limit: number) => Math.floor(next() * limit),
    pick: <T>(items: readonly T[]): T => items[Math.floor(next() * items.length)] as T,
  }
}

export type Random = ReturnType<typeof createRandom>

const nested = (depth: number, open: unknown = 'x') => {
  let value = open
  for (let level = 0; level < depth; level++) value = level % 2 ? [value] : { a: value }
  return value
}

/** Those that cost most, just within the limit of a message. */
function longTexts(): string[] {
  const names = ['*', '[', ']', '<', '`', '1,', 'и ', 'a. ', '\n', '|a|\n', '{{', '8 ', '😀', 'е\u0301', '%_']
  const chosen = names.flatMap((name) => worstTexts[JSON.stringify(name)] ?? [])
  return [
    ...chosen,
    ...Object.entries(worstTexts).flatMap(([name, make]) => (name.startsWith('one ') ? make : [])),
  ].map((make) => make(99_000))
}

export const hostileTexts: readonly string[] = [
  '',
  ' ',
  '\0',
  'a\0b',
  '\ud800',
  '\udfff\ud800',
  '\u202Eверх\u202C',
  '\u200b\ufeff\u2028',
  'е\u0301'.repeat(50),
  '👩‍👩‍👧‍👦'.repeat(20),
  '__proto__',
  'constructor',
  'toString',
  'null',
  'undefined',
  'NaN',
  '-0',
  '1e400',
  '9007199254740993',
  '99999999999999999999',
  "'; drop table users; --",
  '" or ""="',
  '%00',
  '%',
  '%_\\',
  '../../../../etc/passwd',
  'C:\\windows\\win.ini',
  '//evil.example',
  'javascript:alert(1)',
  '<script>alert(1)</script>',
  '{{7*7}}',
  '\n'.repeat(20_000),
  ' '.repeat(50_000),
  'a'.repeat(200_000),
  ...longTexts(),
  '((((((((((((((((((((a+)+)+)+)+)+)+)+)+)+)+)+)+)+)+)+)+)+)+)+)!',
  '2026-02-31',
  '0000-00-00T00:00:00Z',
  '+275760-09-13T00:00:00.001Z',
  'a@b',
  `${'a'.repeat(300)}@example.test`,
  'ё!@#$%^&*()',
  'null, 2)',
  '0x10',
  '٣',
]

const hostileValues: readonly unknown[] = [
  null,
  true,
  false,
  0,
  -0,
  -1,
  1.5,
  2 ** 31,
  2 ** 53,
  -(2 ** 63),
  1e308,
  [],
  {},
  [null],
  [[]],
  { length: -1 },
  { toString: 'x', valueOf: 'y' },
  nested(50),
  nested(2000),
  Array.from({ length: 20_000 }, (_, n) => n),
  Object.fromEntries(Array.from({ length: 5000 }, (_, n) => [`k${n}`, n])),
]

export function hostile(random: Random): unknown {
  return random.chance(0.6) ? random.pick(hostileTexts) : random.pick(hostileValues)
}

/** The part of JSON Schema that the contract uses. */
export interface JsonSchema {
  type?: string
  enum?: unknown[]
  const?: unknown
  anyOf?: JsonSchema[]
  oneOf?: JsonSchema[]
  allOf?: JsonSchema[]
  properties?: Record<string, JsonSchema>
  required?: string[]
  items?: JsonSchema
  format?: string
  pattern?: string
  minimum?: number
  maximum?: number
  minItems?: number
  minLength?: number
}

/** A value for a schema; rules that JSON Schema cannot express may be violated. */
export function fitting(schema: JsonSchema, random: Random, idOf: (name: string) => string, name = ''): unknown {
  const again = (part: JsonSchema, of = name) => fitting(part, random, idOf, of)
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return random.pick(schema.enum)
  const choice = schema.anyOf ?? schema.oneOf
  if (choice) return again(random.pick(choice))
  if (schema.allOf) return Object.assign({}, ...schema.allOf.map((part) => again(part)))
  switch (schema.type) {
    case 'object': {
      const chosen = Object.entries(schema.properties ?? {}).filter(
        ([key]) => schema.required?.includes(key) || random.chance(0.6),
      )
      return Object.fromEntries(chosen.map(([key, part]) => [key, again(part, key)]))
    }
    case 'array':
      return Array.from({ length: Math.max(schema.minItems ?? 0, random.below(3)) }, () => again(schema.items ?? {}))
    case 'integer':
    case 'number': {
      const least = Math.max(schema.minimum ?? 0, -1000)
      return least + random.below(Math.max(1, Math.min(schema.maximum ?? 100, least + 1000) - least))
    }
    case 'boolean':
      return random.chance(0.5)
    case 'null':
      return null
    default:
      return fittingText(schema, random, idOf, name)
  }
}

function fittingText(
  { format, minLength = 0 }: JsonSchema,
  random: Random,
  idOf: (name: string) => string,
  name: string,
) {
  if (format === 'uuid')
    return '0190aaaa-bbbb-7ccc-8ddd-eeeeffff0000'.replace('0000', String(1000 + random.below(9000)))
  if (format === 'email' || /e-?mail/i.test(name)) return `fuzz-${random.below(50)}@example.test`
  if (format === 'date-time') return '2026-05-05T10:00:00.000Z'
  if (format === 'date' || /^(from|to|day)$/.test(name)) return '2026-05-05'
  if (format === 'uri' || /url/i.test(name)) return '/'
  if (/password/i.test(name)) return 'a long password'
  if (/^ids?$|Ids?$/.test(name)) return idOf(name)
  return 'Текст '.repeat(1 + random.below(4)).padEnd(minLength, 'я')
}
