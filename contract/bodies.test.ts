import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { api, programApi } from './api.ts'
import type { Endpoint } from './endpoint.ts'

interface Part {
  type?: string
  maxLength?: number
  maxItems?: number
  enum?: unknown
  const?: unknown
  format?: string
  pattern?: string
  anyOf?: Part[]
  allOf?: Part[]
  items?: Part
  properties?: Record<string, Part>
  additionalProperties?: Part
}

/** Texts whose length the server limits by the bytes of the body: ids and checksums. */
const isId = (name: string) => /(^|[a-z.])ids?(\[\])?$/i.test(name) || /^(hash|instead|models\[\])$/.test(name)

test('every list and every text that a person sends has a limit (S10.1304)', () => {
  const unlimited = [...Object.values(api), ...Object.values(programApi)]
    .flatMap((section): Endpoint[] => Object.values(section))
    .filter(({ path }) => !path.startsWith('/api/auth/'))
    .flatMap(({ method, path, body }) => {
      if (!body) return []
      const schema = z.toJSONSchema(body, { io: 'input', unrepresentable: 'any' }) as Part
      return partsOf(schema)
        .filter(isUnlimited(path))
        .map(([name]) => `${method} ${path} ${name}`)
    })
  expect(unlimited).toEqual([])
})

/** Programs send texts of any length; the whole of them is limited. */
const isUnlimited =
  (path: string) =>
  ([name, part]: [string, Part]) => {
    if (part.type === 'array') return part.maxItems === undefined
    const isText = part.type === 'string' && !part.enum && part.const === undefined && !part.format && !part.pattern
    return isText && part.maxLength === undefined && !isId(name) && !path.startsWith('/v1/')
  }

function partsOf(part: Part, name = ''): [string, Part][] {
  const inner: [string, Part][] = [
    ...[...(part.anyOf ?? []), ...(part.allOf ?? [])].map((each): [string, Part] => [name, each]),
    ...Object.entries(part.properties ?? {}).map(([key, each]): [string, Part] => [
      name ? `${name}.${key}` : key,
      each,
    ]),
    ...(part.items ? [[`${name}[]`, part.items] as [string, Part]] : []),
  ]
  return [[name, part], ...inner.flatMap(([key, each]) => partsOf(each, key))]
}
