import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { checkSound, expectedSeconds, measureSound } from './duration.ts'
import { findFfmpeg } from './ffmpeg.ts'
import { needsConversion, recogniseSound, soundOf } from './sound.ts'
import {
  asRf64,
  makeAac,
  makeAdpcm,
  makeAmr,
  makeCaf,
  makeFlac,
  makeMp3,
  makeMp4,
  makeOpus,
  makeWav,
  makeWebm,
} from './testing/make-sound.ts'

const FRAME = 1152 / 44_100

const longest = async (...given: Parameters<typeof measureSound>) => {
  const { counted, claimed } = await measureSound(...given)
  return Math.max(counted ?? 0, claimed ?? 0)
}

test.each([
  ['WAV', makeWav([{ seconds: 2.5, loud: 1 }]), 'audio/wav', 2.5],
  ['MP3 of one bitrate', makeMp3(1000), 'audio/mpeg', 1000 * FRAME],
  ['MP3 with a wrong number of frames in its header', makeMp3(5000, true), 'audio/mpeg', 21 * FRAME],
  ['FLAC', makeFlac(44_100, 441_000), 'audio/flac', 10],
  ['Opus', makeOpus(48_000 * 7), 'audio/ogg', 7],
  ['M4A', makeMp4(65), 'audio/mp4', 65],
  ['AMR', makeAmr(150), 'audio/amr', 3],
  ['AMR of the wide band', makeAmr(100, true), 'audio/amr', 2],
  ['AAC', makeAac(431), 'audio/aac', (431 * 1024) / 44_100],
  ['CAF', makeCaf(4), 'audio/x-caf', 4],
  ['CAF of unknown length', makeCaf(3, true), 'audio/x-caf', 3],
  ['RF64', asRf64(makeWav([{ seconds: 2.5, loud: 1 }])), 'audio/wav', 2.5],
  ['ADPCM with wrong bytes per second', makeAdpcm(100), 'audio/wav', (100 * 505) / 8000],
  ['WebM as browsers record it', makeWebm([0, 1000, 4990, 5010, 12_340]), 'audio/webm', 12.34],
] as const)('%s is recognised by its content and measured (S10.738)', async (_, bytes, mime, seconds) => {
  const sound = soundOf(bytes)
  expect((await recogniseSound(sound)).mime).toBe(mime)
  expect(await longest(sound, mime)).toBeCloseTo(seconds, 1)
})

test('texts and pictures are not recordings; an unsupported format is named', async () => {
  await expect(recogniseSound(soundOf(Buffer.from('просто текст')))).rejects.toMatchObject({ status: 415 })
  const aiff = soundOf(Buffer.from('FORM\0\0\0\x2eAIFFCOMM\0\0\0\x12', 'latin1'))
  await expect(recogniseSound(aiff)).rejects.toMatchObject({ status: 415, message: /AIF.*MP3 или WAV/ })
})

test('a video without sound and a file without its index are refused (S10.738)', async () => {
  await expect(checkSound(soundOf(makeMp4(5, 0, 'vide')), 'video/mp4')).rejects.toMatchObject({
    status: 415,
    message: /нет звуковой дорожки/,
  })
  const whole = makeMp4(5)
  await expect(checkSound(soundOf(whole.subarray(0, 400)), 'audio/mp4')).rejects.toMatchObject({
    status: 415,
    message: /оборвана/,
  })
  await checkSound(soundOf(whole), 'audio/mp4')
  await checkSound(soundOf(makeMp3(10)), 'audio/mpeg')
})

test('kinds that models do not take are converted first (S10.738)', () => {
  expect(['audio/amr', 'audio/aac', 'audio/x-caf', 'video/3gpp'].every(needsConversion)).toBe(true)
  expect(['audio/wav', 'audio/mpeg', 'audio/mp4', null].some(needsConversion)).toBe(false)
})

test('headers without a length give null instead of a wrong length', async () => {
  for (const mime of ['wav', 'mpeg', 'mp4', 'ogg', 'webm', 'flac', 'amr', 'aac', 'x-caf'].map(
    (kind) => `audio/${kind}`,
  ))
    for (const junk of [
      Buffer.alloc(0),
      Buffer.alloc(5000),
      Buffer.alloc(300, 0xff),
      Buffer.from('OggS fLaC ftyp moov'),
    ])
      expect(await measureSound(soundOf(junk), mime)).toEqual({ counted: null, claimed: null })
})

test('ffmpeg is optional', async () => {
  expect(await findFfmpeg(() => Promise.reject(new Error('ENOENT')))).toBeNull()
  const ran: string[][] = []
  const ffmpeg = await findFfmpeg(async (program, args) => {
    ran.push([program, ...args])
    return program === 'ffprobe' ? '12.5\n' : ''
  })
  await ffmpeg?.toWav('/in', '/out', AbortSignal.timeout(1000))
  expect(ran.at(-1)?.join(' ')).toMatch(/^ffmpeg .*file:\/in .*-ac 1 -ar 16000 .*file:\/out$/)
  expect(await ffmpeg?.seconds('/in')).toBe(12.5)
})

test('the length of a recording is what its decoder plays', async () => {
  const ffmpeg = await findFfmpeg(async () => 'out_time_us=5000000\nprogress=continue\nout_time_us=61500000\n')
  expect(await ffmpeg?.decodedSeconds('/in', AbortSignal.timeout(1000))).toBe(61.5)
  const silent = await findFfmpeg(async () => '')
  expect(await silent?.decodedSeconds('/in', AbortSignal.timeout(1000))).toBeNull()
})

test.each([
  ['Opus', makeOpus(480, 312, 500), 'audio/ogg', 10],
  ['M4A', makeMp4(0.03, 2000), 'audio/mp4', (2000 * 1024) / 48_000],
  ['WebM', makeWebm([0, 1, 2], 5000, 500), 'audio/webm', 10],
] as const)('%s whose headers state too little is counted by its sound', async (_, bytes, mime, seconds) => {
  const measure = await measureSound(soundOf(bytes), mime)
  expect(measure.claimed ?? 0).toBeLessThan(1)
  expect(measure.counted).toBeCloseTo(seconds, 1)
  expect(expectedSeconds(measure, bytes.length, mime)).toBeCloseTo(seconds, 1)
})

test('a header cannot make a recording shorter or longer than its bytes', () => {
  const megabyte = 1_000_000
  expect(expectedSeconds({ counted: null, claimed: 0.1 }, megabyte, 'audio/mp4')).toBe(12.5)
  expect(expectedSeconds({ counted: null, claimed: 36_000 }, 20_000, 'audio/flac')).toBeCloseTo(26.7, 1)
  expect(expectedSeconds({ counted: null, claimed: 60 }, megabyte, 'audio/ogg')).toBe(60)
  expect(expectedSeconds({ counted: null, claimed: null }, megabyte, 'audio/ogg')).toBeNull()
})

const silence = (name: string) => readFileSync(new URL(`./testing/silence/${name}`, import.meta.url))

test.each(
  ['silence.flac', 'silence.m4a', 'fragments.m4a', 'alac.m4a', 'silence.aac', 'silence.ogg', 'flac.oga'].concat(
    'vorbis.webm',
    'aac.mka',
  ),
)('half a minute of silence in %s is counted by its frames (S10.1122)', async (name) => {
  const sound = soundOf(silence(name))
  const { counted } = await measureSound(sound, (await recogniseSound(sound)).mime)
  expect(counted).toBeGreaterThan(29.99)
  expect(counted).toBeLessThan(30.4)
})

/** Writes what each header says about the length anew. */
const forged: Record<string, (bytes: Buffer, seconds: number) => unknown> = {
  'silence.flac': (bytes, seconds) => bytes.writeUInt32BE(8000 * seconds, 22),
  'silence.m4a': (bytes, seconds) => {
    const at = (box: string) => bytes.indexOf(box) + 4
    bytes.writeUInt32BE(seconds * 1000, at('mvhd') + 16)
    bytes.writeUInt32BE(seconds * 8000, at('mdhd') + 16)
    // The length of a frame in the table of times.
    bytes.writeUInt32BE(seconds === 1 ? 34 : 1_000_000, at('stts') + 12)
  },
  'silence.ogg': (bytes, seconds) => bytes.writeBigInt64LE(BigInt(seconds * 8000), bytes.lastIndexOf('OggS') + 6),
  'vorbis.webm': (bytes, seconds) =>
    bytes.writeUIntBE(seconds === 1 ? 33_333 : 0xffffff, bytes.indexOf('2ad7b1', 0, 'hex') + 4, 3),
}

test.each(Object.keys(forged))('a header of %s neither cuts nor raises the length (S10.1122)', async (name) => {
  for (const seconds of [1, 36_000]) {
    const bytes = silence(name)
    forged[name]?.(bytes, seconds)
    const sound = soundOf(bytes)
    const { mime } = await recogniseSound(sound)
    const measure = await measureSound(sound, mime)
    expect(measure.claimed).not.toBeCloseTo(30, 0)
    expect(expectedSeconds(measure, bytes.length, mime)).toBeGreaterThan(29.99)
    expect(expectedSeconds(measure, bytes.length, mime)).toBeLessThan(30.4)
  }
})

test('recordings one behind another are added up (S10.1122)', async () => {
  for (const [name, mime] of [
    ['silence.ogg', 'audio/ogg'],
    ['silence.aac', 'audio/aac'],
  ] as const) {
    const twice = soundOf(Buffer.concat([silence(name), Buffer.from('junk'), silence(name)]))
    expect((await measureSound(twice, mime)).counted ?? 0).toBeCloseTo(60, 0)
  }
})

test('packets that share a block are counted (S10.1122)', async () => {
  const single = makeWebm([0, 1, 2], 5000, 500)
  const block = Buffer.from([0xa3, 0x94, 0x81])
  // Fixed sizes, four packets in each block: Opus of 20 ms with the code of its first byte at every fourth place.
  const laced = Buffer.from(single)
  for (let at = laced.indexOf(block); at >= 0; at = laced.indexOf(block, at + 1)) {
    laced[at + 5] = 0x04
    laced[at + 6] = 3
    for (const packet of [7, 10, 13, 16]) laced[at + packet] = 0x78
  }
  const counted = async (bytes: Buffer) => (await measureSound(soundOf(bytes), 'audio/webm')).counted
  expect([await counted(single), await counted(laced)]).toEqual([10, 40])
})

test.each([
  ['audio/flac', Buffer.concat([makeFlac(8000, 8000), Buffer.alloc(3_000_000, 0xff)])],
  ['audio/webm', Buffer.concat([makeWebm([0]), Buffer.from('ec80'.repeat(300_000), 'hex')])],
] as const)('what only looks like frames of %s is refused as damaged (S10.1123)', async (mime, bytes) => {
  await expect(measureSound(soundOf(bytes), mime)).rejects.toMatchObject({ status: 415, message: /Запись повреждена/ })
})

test('frames of other layers count as those of MP3 do (S10.1122)', async () => {
  const frame = Buffer.alloc(417)
  frame.set([0xff, 0xfd, 0x80, 0x00])
  const mixed = Buffer.concat([makeMp3(100), ...Array.from({ length: 900 }, () => frame)])
  expect((await measureSound(soundOf(mixed), 'audio/mpeg')).counted).toBeCloseTo(1000 * FRAME, 1)
})

test('junk between MP3 frames and a picture before them do not count', async () => {
  const junk = Buffer.from([0, 0xff, 0xfb, 1, 2, 0xff, 0xff, 3])
  const tag = Buffer.concat([Buffer.from([0x49, 0x44, 0x33, 4, 0, 0, 0, 0, 7, 0x68]), Buffer.alloc(1000, 0xff)])
  const parts = [tag, makeMp3(300), junk, makeMp3(300), Buffer.alloc(5000, 0xff), makeMp3(400)]
  const { counted } = await measureSound(soundOf(Buffer.concat(parts)), 'audio/mpeg')
  expect(counted).toBeCloseTo(1000 * FRAME, 1)
})

test('an MP3 with false first frames is measured by all frames', async () => {
  const claimsOneFrame = makeMp3(5000)
  claimsOneFrame.write('Xing', 36, 'latin1')
  // Flags for both fields, one frame, the true number of bytes.
  for (const [at, value] of [
    [40, 3],
    [44, 1],
    [48, claimsOneFrame.length],
  ] as const)
    claimsOneFrame.writeUInt32BE(value, at)
  const frameOf = (bytes: number, bitrate: number) => {
    const frame = Buffer.alloc(bytes)
    frame.set([0xff, 0xfb, bitrate << 4])
    return frame
  }
  // 320 kbit/s, then 32 kbit/s: dividing the size by the first bitrate gives a tenth of the length.
  const startsLarge = Buffer.concat([
    ...Array.from({ length: 5 }, () => frameOf(1044, 14)),
    ...Array.from({ length: 4995 }, () => frameOf(104, 1)),
  ])
  for (const bytes of [claimsOneFrame, startsLarge]) {
    const { counted, claimed } = await measureSound(soundOf(bytes), 'audio/mpeg')
    expect(claimed).toBeNull()
    expect(counted).toBeCloseTo(5000 * FRAME, 1)
  }
})
