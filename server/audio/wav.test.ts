import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import '#server/testing/property-seed.ts'
import { soundOf } from './sound.ts'
import { makeWav } from './testing/make-sound.ts'
import { partOf, planCuts, readWav, recordingLoudness, secondsOf } from './wav.ts'

const formats = [
  { bits: 8 },
  { bits: 16, channels: 2, rate: 44_100 },
  { bits: 24, channels: 2, rate: 48_000 },
  { bits: 32 },
  { bits: 32, sample: 'float' as const },
]

describe('a WAV header is read to the frame', () => {
  test.each(formats)('%j', async (format) => {
    const sound = soundOf(makeWav([{ seconds: 1.5, loud: 0.5 }], format))
    const wav = await readWav(sound)
    expect(wav).toMatchObject({ sample: 'int', channels: 1, rate: 8000, ...format })
    expect(wav && secondsOf(wav)).toBe(1.5)
    const [level] = wav ? await recordingLoudness(sound, wav, wav.frames) : []
    expect(Math.sqrt(level ?? 0)).toBeCloseTo(0.5 / Math.SQRT2, 1)
  })
})

test('other chunks are skipped, and a wrong length is corrected', async () => {
  const plain = makeWav([{ seconds: 1, loud: 1 }])
  const extra = Buffer.concat([Buffer.from('LIST\x05\0\0\0abcde\0', 'latin1'), plain.subarray(36)])
  const withList = Buffer.concat([plain.subarray(0, 36), extra])
  expect((await readWav(soundOf(withList)))?.frames).toBe(8000)
  for (const length of [0, 0xffffffff, 1_000_000]) {
    const patched = Buffer.from(plain)
    patched.writeUInt32LE(length, 40)
    expect((await readWav(soundOf(patched)))?.frames).toBe(8000)
  }
})

test('anything but an uncompressed WAV is null', async () => {
  const good = makeWav([{ seconds: 0.1, loud: 1 }])
  const changed = (at: number, value: number) => {
    const copy = Buffer.from(good)
    copy.writeUInt16LE(value, at)
    return copy
  }
  for (const bad of [
    Buffer.from('nothing'),
    good.subarray(0, 40),
    good.subarray(0, 44),
    changed(20, 6),
    changed(22, 0),
    changed(32, 3),
    changed(34, 17),
  ])
    expect(await readWav(soundOf(bad))).toBeNull()
})

const limits = { maxBytes: 44 + 16_000, maxSeconds: 60 }

test('a cut is made in a pause', async () => {
  const sound = soundOf(
    makeWav([
      { seconds: 0.7, loud: 0.8 },
      { seconds: 0.25, loud: 0 },
      { seconds: 1, loud: 0.8 },
    ]),
  )
  const wav = await readWav(sound)
  if (!wav) throw new Error('No WAV')
  const [first] = await planCuts(sound, wav, limits)
  expect((first?.to ?? 0) / wav.rate).toBeGreaterThan(0.7)
  expect((first?.to ?? 0) / wav.rate).toBeLessThan(0.95)
})

test('the parts of any recording fit and join without overlaps', async () => {
  const stretch = fc.record({
    seconds: fc.double({ min: 0.05, max: 1.2, noNaN: true }),
    loud: fc.constantFrom(0, 0.3, 0.9),
  })
  const given = fc.record({
    stretches: fc.array(stretch, { minLength: 1, maxLength: 6 }),
    format: fc.constantFrom(...formats.map((format) => ({ ...format, rate: 2000 }))),
    maxSeconds: fc.double({ min: 0.3, max: 1.5, noNaN: true }),
    maxBytes: fc.integer({ min: 44 + 800, max: 44 + 8000 }),
  })
  await fc.assert(
    fc.asyncProperty(given, async ({ stretches, format, maxSeconds, maxBytes }) => {
      const whole = makeWav(stretches, format)
      const sound = soundOf(whole)
      const wav = await readWav(sound)
      if (!wav) throw new Error('No WAV')
      const plan = await planCuts(sound, wav, { maxBytes, maxSeconds })
      const parts = await Promise.all(plan.map((range) => partOf(sound, wav, range)))
      expect(Buffer.concat(parts.map((part) => part.subarray(44))).equals(whole.subarray(44))).toBe(true)
      for (const part of parts) {
        expect(part.length).toBeLessThanOrEqual(maxBytes)
        const own = await readWav(soundOf(part))
        expect(own && secondsOf(own)).toBeLessThanOrEqual(maxSeconds)
        expect(own).toMatchObject({ bits: wav.bits, channels: wav.channels, rate: wav.rate })
      }
    }),
    { numRuns: 40 },
  )
})
