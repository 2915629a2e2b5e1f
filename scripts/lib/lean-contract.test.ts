import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { filesIn } from './files.mjs'
import { divideContract } from './lean-contract.ts'

const source = `import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
export const MAX = 5
const Name = z.string().check(z.maxLength(MAX))
export const Draft = z.object({ name: Name })
export type Draft = z.infer<typeof Draft>
export function shorten(draft: Draft): string {
  return draft.name.slice(0, MAX)
}
export const thingsApi = {
  make: endpoint('POST', '/api/things', { who: 'user', summary: 'Завести «вещь»', body: Draft, returns: z.array(Draft) }),
}
`

test('schemas leave a module of the contract; addresses, limits and rules stay', async () => {
  const { lean } = await divideContract(source, '/contract/things.ts')
  expect(lean).not.toMatch(/z\.(object|string|array)|summary|returns|body/)
  expect(lean).toMatch(/make: \{ method: "POST", path: "\/api\/things" \}/)
  expect(lean).toContain('function shorten(')
  expect(lean).toContain("export { Draft } from '/contract/things.ts?schemas'")
})

test('a schema has everything it needs and is left out when unused', async () => {
  const { schemas } = await divideContract(source, '/contract/things.ts')
  expect(schemas).toMatch(/const Name = \/\* @__PURE__ \*\/ \(\(\) => \(z\.string/)
  expect(schemas).toMatch(/export const Draft = \/\* @__PURE__ \*\//)
  expect(schemas).toContain('MAX = 5')
})

test('the page takes schemas by their names, not from a call', () => {
  const fromCalls = filesIn('web')
    .filter((file: string) => /\.tsx?$/.test(file) && !/\.test\.|\/testing\//.test(file))
    .filter((file: string) => /\w+Api\.\w+\.(body|query|returns|summary|who)\b/.test(readFileSync(file, 'utf8')))
  expect(fromCalls).toEqual([])
})

test('no module creates an Intl format while it loads (S10.462)', () => {
  const early = filesIn('web')
    .filter((file: string) => /\.tsx?$/.test(file) && !/\.test\.|\/testing\//.test(file))
    .filter((file: string) => /^(export )?const \w+ = new Intl\b/m.test(readFileSync(file, 'utf8')))
  expect(early).toEqual([])
})
