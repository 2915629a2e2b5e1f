import { expect, test } from 'vitest'
import { soundSeconds } from './duration.ts'
import { findFfmpeg } from './ffmpeg.ts'
import { recogniseSound } from './kinds.ts'
import { soundOf } from './sound.ts'
import { makeFlac, makeMp3, makeMp4, makeOpus, makeWav, makeWebm } from './testing/make-sound.ts'

const FRAME = 1152 / 44_100

test.each([
  ['WAV', makeWav([{ seconds: 2.5, loud: 1 }]), 'audio/wav', 2.5],
  ['MP3 of one bitrate', makeMp3(1000), 'audio/mpeg', 1000 * FRAME],
  ['MP3 that tells its frames', makeMp3(5000, true), 'audio/mpeg', 5000 * FRAME],
  ['FLAC', makeFlac(44_100, 441_000), 'audio/flac', 10],
  ['Opus', makeOpus(48_000 * 7), 'audio/ogg', 7],
  ['M4A', makeMp4(65), 'audio/mp4', 65],
  ['WebM as browsers record it', makeWebm([0, 1000, 4990, 5010, 12_340]), 'audio/webm', 12.34],
] as const)('%s is recognised by its content and measured', async (_, bytes, mime, seconds) => {
  const sound = soundOf(bytes)
  expect((await recogniseSound(sound)).mime).toBe(mime)
  expect(await soundSeconds(sound, mime)).toBeCloseTo(seconds, 1)
})

test('a text or a picture is no recording, and a format nobody hears is said by its name', async () => {
  await expect(recogniseSound(soundOf(Buffer.from('просто текст')))).rejects.toMatchObject({ status: 415 })
  const amr = soundOf(Buffer.from('#!AMR\n0000000000'))
  await expect(recogniseSound(amr)).rejects.toMatchObject({ status: 415, message: /AMR.*MP3 или WAV/ })
})

test('headers that tell nothing give no length instead of a wrong one', async () => {
  for (const mime of ['audio/wav', 'audio/mpeg', 'audio/mp4', 'audio/ogg', 'audio/webm', 'audio/flac'])
    for (const junk of [
      Buffer.alloc(0),
      Buffer.alloc(5000),
      Buffer.alloc(300, 0xff),
      Buffer.from('OggS fLaC ftyp moov'),
    ])
      expect(await soundSeconds(soundOf(junk), mime)).toBeNull()
})

test('ffmpeg is used where the machine has it and done without where it has not', async () => {
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
