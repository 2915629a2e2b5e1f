import { expect, test } from 'vitest'
import { inPieces } from './store-chats.ts'

test('a chat is stored in small pieces, in its order (S10.1131)', () => {
  const lengths = [10, 400_000, 1, ...Array.from({ length: 3000 }, (_, at) => (at * 37) % 5000)]
  const rows = lengths.map((length, id) => ({ id, content: 'я'.repeat(length), thought: 'a'.repeat(length % 7) }))
  const pieces = inPieces(rows)
  expect(pieces.flat()).toEqual(rows)
  for (const piece of pieces) {
    const bytes = piece.reduce((sum, { content }) => sum + Buffer.byteLength(content), 0)
    expect(piece.length === 1 || bytes <= 128 * 1024).toBe(true)
    expect(piece.length).toBeGreaterThan(0)
  }
  expect(pieces.length).toBeLessThan(200)
  expect(inPieces([])).toEqual([])
})
