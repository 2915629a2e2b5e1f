const SIZE = 512

/** Hashed character n-grams. They know spelling and no meaning: they test the merging, not the quality of vectors. */
export function spellingVector(text: string): number[] {
  const vector = new Array<number>(SIZE).fill(0)
  for (const [word] of text
    .toLowerCase()
    .replaceAll('ё', 'е')
    .matchAll(/[\p{L}\p{N}]{3,}/gu)) {
    for (let at = 0; at + 4 <= word.length + 1; at += 1) {
      const slot = hash(word.slice(at, at + 4)) % SIZE
      vector[slot] = (vector[slot] ?? 0) + 1
    }
  }
  const damped = vector.map((count) => Math.log1p(count))
  const length = Math.hypot(...damped) || 1
  return damped.map((value) => value / length)
}

function hash(text: string): number {
  let value = 2_166_136_261
  for (const sign of text) value = Math.imul(value ^ (sign.codePointAt(0) ?? 0), 16_777_619) >>> 0
  return value
}
