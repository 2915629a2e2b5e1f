import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { api } from '#contract/api.ts'
import { MOST_JSON_BYTES, mostBytesOf } from './body-size.ts'
import { unworded } from './input-sentence.ts'

const KB = 1024

test('a call takes as many bytes as its fields may hold (S10.1301)', () => {
  const text = z.object({ title: z.string(), text: z.string().check(z.trim(), z.maxLength(100_000)) })
  expect(mostBytesOf(text)).toBeGreaterThan(600_000)
  expect(mostBytesOf(text)).toBeLessThan(610_000)
  expect(mostBytesOf(z.object({ id: z.string() }))).toBe(16 * KB)
  expect(mostBytesOf(undefined)).toBe(16 * KB)
  expect(mostBytesOf(z.array(z.string()).check(z.maxLength(1000)))).toBe(129_000)
  expect(mostBytesOf(z.union([z.string(), z.array(z.string())]))).toBe(MOST_JSON_BYTES)
})

test('what fits into the fields of a call fits into its body (S10.1301)', () => {
  const bodies = Object.values(api).flatMap((section) => Object.values(section).flatMap(({ body }) => body ?? []))
  const longest = bodies.flatMap((body) => stringsIn(body))
  expect(longest.length).toBeGreaterThan(50)
  for (const { most, body } of longest)
    expect(Math.min(most * 2, MOST_JSON_BYTES)).toBeLessThanOrEqual(mostBytesOf(body))
})

test('only the first wrong element of a list is looked for (S10.1300)', () => {
  const many = Array(1000).fill(1)
  expect(z.array(z.string()).safeParse(many, unworded).error?.issues).toHaveLength(1)
  expect(z.object({ a: z.array(z.string()) }).safeParse({ a: many }, unworded).error?.issues).toHaveLength(1)
})

function stringsIn(body: z.ZodMiniType, found: { most: number; body: z.ZodMiniType }[] = []) {
  const schema = z.toJSONSchema(body, { io: 'input', unrepresentable: 'any' })
  for (const [, most] of JSON.stringify(schema).matchAll(/"maxLength":(\d+)/g)) found.push({ most: Number(most), body })
  return found
}
