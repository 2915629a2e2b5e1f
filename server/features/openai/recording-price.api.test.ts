import { afterEach, expect, test } from 'vitest'
import { makeFlac, makeMp3, makeWebm } from '#server/audio/testing/make-sound.ts'
import { transcribesPlainly } from '#server/llm/testing/fake-transcriber.ts'
import { closeAfterTests } from '#server/testing/close-after-tests.ts'
import { reconcile } from '../billing/invariants.ts'
import { balanceOf } from '../billing/ledger.ts'
import { startPrograms } from './testing/programs.ts'

const programs = await closeAfterTests(startPrograms())
const { app, db, baseURL, transcriber, makeKey } = programs
afterEach(async () => expect(await reconcile(db)).toEqual([]))

const spent = async (userId: string) => 100_000 - (await balanceOf(app.db, userId)).availableTokens

async function transcribe(secret: string, bytes: Uint8Array, name: string) {
  const body = new FormData()
  body.set('model', 'ear')
  body.set('response_format', 'verbose_json')
  body.set('file', new File([new Uint8Array(bytes)], name))
  const response = await fetch(`${baseURL}/audio/transcriptions`, {
    ...{ method: 'POST', body },
    headers: { authorization: `Bearer ${secret}` },
  })
  return (await response.json()) as object
}

// A second costs a symbol.
test.each([
  ['MP3', makeMp3(383), 'a.mp3', 11],
  ['FLAC with a forged header', makeFlac(40_960, 1000, 100), 'a.flac', 10],
  ['a kind that is not counted', makeWebm(Array.from({ length: 501 }, (_, block) => block * 20)), 'a.webm', 10],
])('a program pays the counted length of %s (S10.1120)', async (_, bytes, name, symbols) => {
  const { secret, userId } = await makeKey()
  transcriber.play(transcribesPlainly('текст', { seconds: 3600 }))
  expect(await transcribe(secret, bytes, name)).toMatchObject({ usage: { symbols: { charged: symbols } } })
  expect(await spent(userId)).toBe(symbols)
})
