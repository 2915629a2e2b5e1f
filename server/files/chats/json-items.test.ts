import fc from 'fast-check'
import { expect, test } from 'vitest'
import { splitItems } from './json-items.ts'

/** Feeds a text in chunks of these lengths. */
function split(text: string, lengths: number[], maxBytes = 1_000_000) {
  const splitter = splitItems(['threads'], maxBytes)
  const bytes = Buffer.from(text)
  const found = []
  for (let at = 0, i = 0; at < bytes.length; i += 1) {
    const length = (lengths.length > 0 ? lengths[i % lengths.length] : undefined) ?? bytes.length
    found.push(...splitter.push(bytes.subarray(at, at + length)))
    at += length
  }
  return found
}

const cutOff = (text: string) => {
  const splitter = splitItems(['threads'], 1000)
  splitter.push(Buffer.from(text))
  return splitter.cutOff()
}
const parsed = (items: { text: string | null }[]) => items.map(({ text }) => (text === null ? null : JSON.parse(text)))
const chunkLengths = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 20 })
const objects = fc.array(fc.dictionary(fc.string({ unit: 'grapheme' }), fc.jsonValue()), { maxLength: 6 })

test('the objects of a list come out whole in any chunks (S10.880)', () => {
  fc.assert(
    fc.property(objects, chunkLengths, fc.constantFrom(undefined, 2), (items, lengths, indent) => {
      const plain = JSON.parse(JSON.stringify(items))
      expect(parsed(split(JSON.stringify(items, null, indent), lengths))).toEqual(plain)
    }),
    { numRuns: 1000 },
  )
})

test('a list under a known key is found in any chunks (S10.880)', () => {
  fc.assert(
    fc.property(objects, fc.jsonValue(), chunkLengths, (items, other, lengths) => {
      const text = JSON.stringify({ 'a"[{': other, nested: { threads: [{ no: 1 }] }, threads: items, last: other })
      expect(parsed(split(text, lengths))).toEqual(JSON.parse(JSON.stringify(items)))
    }),
    { numRuns: 1000 },
  )
})

test('an object without a known list is one item (S10.880)', () => {
  expect(parsed(split('\uFEFF {"mapping": {"a": [1, "]"]}}', [3]))).toEqual([{ mapping: { a: [1, ']'] } }])
})

test('a long item is counted and the next one is read (S10.880)', () => {
  const items = split(`[{"a":"${'x'.repeat(100)}"},{"b":1}]`, [7], 50)
  expect(items.map(({ text, bytes }) => [text, bytes])).toEqual([
    [null, 108],
    ['{"b":1}', 7],
  ])
})

test.each(['[{"a":1},{"b":', '[{"a":1},{"b":"]}'])(
  'a text that breaks off loses only its last item: %s (S10.880)',
  (text) => {
    expect(parsed(split(text, [5]))).toEqual([{ a: 1 }])
    expect(cutOff(text)).toBe('list')
  },
)

test.each([
  ['[{"a":1}]', null],
  ['[{"a":1},', 'list'],
  ['{"threads":[{"a":1}', 'list'],
  ['{"threads":[{"a":1}],"b":', 'text'],
  ['{"title":"a', 'text'],
  ['{"title":"a"}', null],
  ['no json', null],
] as const)('a text says whether it breaks off: %s (S10.1129)', (text, expected) => {
  expect(cutOff(text)).toBe(expected)
})

test.each(['', 'no json', '"[{}]"', '[1,[{"a":1}],"{"]'])(
  'a text without objects has no items: %s (S10.880)',
  (text) => {
    expect(split(text, [2])).toEqual([])
  },
)
