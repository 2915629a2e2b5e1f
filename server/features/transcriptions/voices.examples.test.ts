import { expect, test } from 'vitest'
import { joinParts } from './join.ts'
import { keyedSegments, voiceSamples } from './voices.ts'

/** A small generator with a seed, so that a failure can be repeated. */
function random(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return state % below
  }
}

interface Heard {
  /** Who really speaks. */
  person: number
  start: number
  end: number
}

const ROUNDS = 500
const MAX_PEOPLE = 6

/** Parts of a recording without pauses, each with several turns. */
function makeParts(next: (below: number) => number): Heard[][] {
  const people = 1 + next(MAX_PEOPLE)
  return Array.from({ length: 1 + next(5) }, () => {
    let at = 0
    return Array.from({ length: 1 + next(12) }, () => {
      const start = at
      at = (Math.round(at * 10) + 5 + next(120)) / 10
      return { person: next(people), start, end: at }
    })
  })
}

/** What a service answers that recognises the voices it was sent and calls the others by letters. */
const answered = (part: Heard[], known: Map<number, string>) =>
  part.map(({ person, start, end }, i) => ({
    ...{ start, end, text: `реплика ${i}` },
    speaker: known.get(person) ?? String.fromCharCode(65 + ((person * 7) % 26)),
  }))

test('joined parts have no gap, no overlap and stable names (S10.785)', () => {
  for (let seed = 1; seed <= ROUNDS; seed += 1) {
    const parts = makeParts(random(seed))
    const lengths = parts.map((part) => part.at(-1)?.end ?? 0)
    const starts = lengths.map((_, i) => lengths.slice(0, i).reduce((sum, length) => sum + length, 0))
    const personOf = new Map<string, number>()
    const done: { text: string; segments: ReturnType<typeof keyedSegments>; seconds: null }[] = []
    for (const part of parts) {
      const samples = voiceSamples(done, starts)
      expect(samples.length).toBeLessThanOrEqual(4)
      const known = new Map(samples.map(({ key }) => [personOf.get(key) ?? -1, key]))
      const segments = keyedSegments(
        answered(part, known),
        done,
        samples.map(({ key }) => key),
      )
      for (const [i, segment] of (segments ?? []).entries()) {
        const key = segment.speaker ?? ''
        const person = part[i]?.person ?? -1
        // A key never means two people, and a person whose voice was sent keeps the key.
        expect(personOf.get(key) ?? person, `seed ${seed}`).toBe(person)
        if (known.has(person)) expect(key).toBe(known.get(person))
        personOf.set(key, person)
      }
      for (const { key, start, end } of samples) checkSample(key, start, end)
      done.push({ text: '', segments, seconds: null })
    }
    function checkSample(key: string, start: number, end: number) {
      expect(end - start).toBeGreaterThanOrEqual(2 - 1e-9)
      expect(end - start).toBeLessThanOrEqual(10)
      const number = starts.findLastIndex((from) => from <= start + 1e-9)
      const speaking = parts[number]?.filter((heard) => {
        const from = (starts[number] ?? 0) + heard.start
        return from < end - 1e-9 && (starts[number] ?? 0) + heard.end > start + 1e-9
      })
      expect(new Set(speaking?.map(({ person }) => person))).toEqual(new Set([personOf.get(key)]))
    }
    const times = parts.map((_, i) => ({ start: starts[i] ?? 0, end: (starts[i] ?? 0) + (lengths[i] ?? 0) }))
    const { segments } = joinParts(done, times)
    expect(segments).toHaveLength(parts.flat().length)
    let at = 0
    for (const { start, end } of segments ?? []) {
      expect(start, `seed ${seed}`).toBeCloseTo(at, 2)
      expect(end).toBeGreaterThanOrEqual(start)
      at = end
    }
    expect(at).toBeCloseTo(times.at(-1)?.end ?? 0, 2)
  }
})

test('a sample is one that no other voice overlaps (S10.785, S10.1124)', () => {
  for (let seed = 1; seed <= ROUNDS; seed += 1) {
    const next = random(seed)
    const segments = Array.from({ length: 1 + next(30) }, () => {
      const start = next(400) / 10
      const speaker = next(9) === 0 ? null : `s${1 + next(4)}`
      return { start, end: start + 0.1 + next(60) / 10, text: 'а', speaker }
    })
    const isAlone = (one: (typeof segments)[number]) =>
      segments.every(({ speaker, start, end }) => speaker === one.speaker || start >= one.end || end <= one.start)
    for (const speaker of ['s1', 's2', 's3', 's4']) {
      const lengths = segments
        .filter((one) => one.speaker === speaker && isAlone(one))
        .map((one) => one.end - one.start)
      const longest = Math.max(0, ...lengths)
      const sample = voiceSamples([{ segments }], [0]).find(({ key }) => key === speaker)
      expect(sample ? sample.end - sample.start : 0, `seed ${seed}`).toBeCloseTo(longest < 2 ? 0 : Math.min(8, longest))
    }
  }
})

test('a person who never speaks alone for two seconds is not sampled', () => {
  const segments = [
    { start: 0, end: 5, text: 'а', speaker: 's1' },
    { start: 4, end: 9, text: 'б', speaker: 's2' },
    { start: 9, end: 12, text: 'в', speaker: 's2' },
    { start: 12, end: 13.5, text: 'г', speaker: 's3' },
  ]
  expect(voiceSamples([{ segments }], [100])).toEqual([{ key: 's2', start: 109, end: 112 }])
  expect(keyedSegments(null, [], [])).toBeNull()
})
