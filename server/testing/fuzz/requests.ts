import * as z from 'zod/mini'
import type { Endpoint } from '#contract/endpoint.ts'
import { fitting, hostile, hostileTexts, type JsonSchema, type Random } from './values.ts'

/** An endpoint to call; routes outside the contract have no schemas. */
export type Target = Pick<Endpoint, 'method' | 'path' | 'query' | 'body'>

export interface FuzzRequest {
  method: string
  address: string
  headers: Record<string, string>
  body: string | Uint8Array<ArrayBuffer> | null
}

/** One request: valid by its schema, or with an error in path, query, headers or body. */
export function makeRequest(target: Target, random: Random, idOf: (name: string) => string): FuzzRequest {
  const path = target.path.replace(/:(\w+)/g, (_, name: string) => {
    const value = random.chance(0.75) ? idOf(name) : random.pick(hostileTexts).slice(0, 4000)
    return encode(value)
  })
  const query = makeQuery(target, random, idOf)
  const isReading = target.method === 'GET'
  return {
    method: target.method,
    address: `${path}${query === '' ? '' : `?${query}`}`,
    headers: {
      ...(isReading ? {} : { 'content-type': random.chance(0.96) ? 'application/json' : random.pick(contentTypes) }),
      ...(random.chance(0.1) ? random.pick(oddHeaders) : {}),
    },
    body: isReading ? null : makeBody(target, random, idOf),
  }
}

const contentTypes = [
  'text/plain',
  'multipart/form-data',
  'multipart/form-data; boundary=',
  'application/json; charset=x',
]
const oddHeaders: Record<string, string>[] = [
  { range: 'bytes=9999999999-' },
  { range: 'bytes=5-1,-' },
  { 'last-event-id': '-1' },
  { 'last-event-id': '9'.repeat(400) },
  { 'if-none-match': '"'.repeat(2000) },
  { accept: ',;q=,'.repeat(1000) },
  { 'user-agent': 'x'.repeat(8000) },
  { 'accept-language': '%00' },
  { 'accept-encoding': 'br;q=9,gzip;q=-1,*' },
  { 'x-forwarded-for': '::1, %, 1.2.3.4:99' },
  { authorization: 'Basic ////' },
  { cookie: `a=${'%'.repeat(2000)}; __proto__=1; better-auth.session_token=..%2F` },
  { 'content-length': '0' },
]

/** Text that cannot be encoded is sent as invalid bytes. */
function encode(text: string): string {
  try {
    return encodeURIComponent(text)
  } catch {
    return '%ED%A0%80'
  }
}

function makeQuery({ query }: Target, random: Random, idOf: (name: string) => string): string {
  const wanted = query ? fitting(schemaOf(query), random, idOf) : {}
  const pairs = Object.entries(wanted as object).map(([name, value]) => {
    const text = random.chance(0.3) ? random.pick(hostileTexts).slice(0, 8000) : String(value)
    return `${encode(name)}=${encode(text)}`
  })
  if (random.chance(0.1)) pairs.push(...pairs)
  if (random.chance(0.1))
    pairs.push(random.pick(['__proto__=1', 'constructor[prototype]=1', '%', '=', 'a[]=1&a[]=2', '&&&']))
  return pairs.join('&')
}

function makeBody({ body }: Target, random: Random, idOf: (name: string) => string): string | Uint8Array<ArrayBuffer> {
  if (random.chance(0.08)) return brokenBody(random)
  const value = body ? fitting(schemaOf(body), random, idOf) : {}
  if (random.chance(0.25)) return JSON.stringify(value)
  const text = JSON.stringify(random.chance(0.9) ? spoil(value, random) : hostile(random)) ?? 'null'
  if (!text.startsWith('{') || random.chance(0.85)) return text
  return `{${random.pick(oddFields)}${text === '{}' ? '' : ','}${text.slice(1)}`
}

/** What `JSON.stringify` never writes: prototype keys, duplicate keys, huge numbers. */
const oddFields = [
  '"__proto__":{"role":"admin","isAdmin":true}',
  '"constructor":{"prototype":{"role":"admin"}}',
  '"id":1,"id":2',
  '"content":"a","content":null',
  '"role":"admin"',
  '"n":1e999999',
  `"n":${'9'.repeat(5000)}`,
  '"\\u0000":1',
  '"\\ud800":"\\udc00\\ud800"',
]

function brokenBody(random: Random): string | Uint8Array<ArrayBuffer> {
  return random.pick([
    '',
    '{',
    'null',
    '[]',
    '"text"',
    '0',
    '{"a":',
    '\ufeff{}',
    '{}{}',
    `${'['.repeat(100_000)}`,
    `${'['.repeat(50_000)}${']'.repeat(50_000)}`,
    `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`,
    `"${'\\u0000'.repeat(10_000)}"`,
    new Uint8Array([0x7b, 0x22, 0xff, 0xfe, 0xc0, 0x80, 0x22, 0x3a, 0x31, 0x7d]),
    new Uint8Array(300_000),
  ])
}

/** Replaces, drops or adds a value at any depth. */
function spoil(value: unknown, random: Random): unknown {
  if (typeof value !== 'object' || value === null || random.chance(0.1)) return hostile(random)
  if (Array.isArray(value)) {
    if (value.length === 0 || random.chance(0.3)) return manyHostile(random.pick([1, 3, 2000]), random)
    const at = random.below(value.length)
    return value.map((item, index) => (index === at ? spoil(item, random) : item))
  }
  const entries = Object.entries(value)
  if (entries.length === 0 || random.chance(0.15))
    return { ...value, [random.pick(hostileTexts).slice(0, 100)]: hostile(random) }
  const [name] = random.pick(entries)
  if (random.chance(0.2)) return Object.fromEntries(entries.filter(([key]) => key !== name))
  return Object.fromEntries(entries.map(([key, part]) => [key, key === name ? spoil(part, random) : part]))
}

/** Many long texts would be rejected for their size alone. */
function manyHostile(length: number, random: Random): unknown[] {
  return Array.from({ length }, () => {
    const value = hostile(random)
    return typeof value === 'string' && length > 3 ? value.slice(0, 100) : value
  })
}

const schemas = new WeakMap<object, JsonSchema>()

function schemaOf(schema: NonNullable<Endpoint['body']>): JsonSchema {
  const known = schemas.get(schema)
  if (known) return known
  const made = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema
  schemas.set(schema, made)
  return made
}
