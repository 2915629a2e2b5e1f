import { readFileSync } from 'node:fs'
import { brotliDecompressSync } from 'node:zlib'
import { expect, test } from 'vitest'

const GLYF = 10
const LOCA = 11
const CMAP = 0

/** The characters that a woff2 file has: its tables follow each other in one brotli stream. */
function charactersOf(file: Buffer): Set<string> {
  let at = 48
  function readNumber(): number {
    for (let value = 0; ; ) {
      const byte = file.readUInt8(at++)
      value = value * 128 + (byte & 127)
      if (byte < 128) return value
    }
  }
  let start = 0
  let cmapAt = 0
  for (let left = file.readUInt16BE(12); left > 0; left -= 1) {
    const flags = file.readUInt8(at++)
    const tag = flags & 63
    if (tag === 63) at += 4
    const plain = readNumber()
    const isGlyphs = tag === GLYF || tag === LOCA
    const isTransformed = isGlyphs ? flags >> 6 === 0 : flags >> 6 !== 0
    if (tag === CMAP) cmapAt = start
    start += isTransformed ? readNumber() : plain
  }
  const cmap = brotliDecompressSync(file.subarray(at, at + file.readUInt32BE(20))).subarray(cmapAt)
  const table = cmap.subarray(cmap.readUInt32BE(8))
  expect(table.readUInt16BE(0)).toBe(4)
  const ranges = table.readUInt16BE(6) / 2
  const found = new Set<string>()
  for (let index = 0; index < ranges; index += 1) {
    const last = table.readUInt16BE(14 + index * 2)
    const first = table.readUInt16BE(16 + (ranges + index) * 2)
    for (let code = first; code <= last && code < 0xffff; code += 1) found.add(String.fromCharCode(code))
  }
  return found
}

test('one font file writes a line of Russian, Latin and figures (S10.1490)', () => {
  const styles = readFileSync('web/styles.css', 'utf8')
  const faces = [...styles.matchAll(/@font-face \{[^}]*"Golos Text"[^}]*\}/g)].map(([face]) => face)
  expect(faces).toHaveLength(1)
  expect(faces[0]).not.toContain('unicode-range')
  const file = /url\("\.\/(.+?)"\)/.exec(faces[0] ?? '')?.[1]
  const has = charactersOf(readFileSync(`web/${file}`))
  const line = 'Съешь ещё этих мягких французских булок, да выпей чаю — №1 «GPT» (50\u00a0%): 1\u2009000\u00a0₽…'
  expect([...line].filter((character) => !has.has(character))).toEqual([])
})
