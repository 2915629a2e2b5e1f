import { expect, test } from 'vitest'
import { BundleDraft } from '#contract/plans.ts'
import { draftOf, newBundle, readBundle } from './bundle-draft.ts'

test('a bundle comes out of its form as it went in', () => {
  const fields = { name: 'Большой пакет', symbols: 2_000_000, price: 4990, currency: 'BYN', active: true }
  expect(readBundle(draftOf({ id: 'b1', position: 0, ...fields }))).toEqual(fields)
})

test('an empty form names every field that is missing', () => {
  const { error } = BundleDraft.safeParse(readBundle(newBundle))
  expect(error?.issues.map(({ path }) => path[0])).toEqual(['name', 'symbols', 'price'])
})
