import { expect, test } from 'vitest'
import { BundleDraft } from '#contract/plans.ts'
import { bundleFields, newBundle, readBundle } from './bundle-dialog.tsx'

test('a bundle is unchanged after a round trip through its form', () => {
  const fields = { name: 'Большой пакет', symbols: 2_000_000, price: 4990, currency: 'BYN', active: true }
  expect(readBundle(bundleFields({ id: 'b1', position: 0, ...fields }))).toEqual(fields)
})

test('an empty form has an error in every field', () => {
  const { error } = BundleDraft.safeParse(readBundle(newBundle))
  expect(error?.issues.map(({ path }) => path[0])).toEqual(['name', 'symbols', 'price'])
})
