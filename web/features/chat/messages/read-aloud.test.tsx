import { screen, waitFor } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { aMessage } from '../testing/a-message.ts'
import { openThread } from '../testing/open-thread.tsx'

/** A fake voice whose sentences end when the test says so. */
function fakeVoice(langs = ['ru-RU']) {
  const spoken: { text: string; onend?: () => void }[] = []
  const cancel = vi.fn()
  class Utterance {
    readonly text: string
    constructor(text: string) {
      this.text = text
    }
  }
  vi.stubGlobal('SpeechSynthesisUtterance', Utterance)
  vi.stubGlobal('speechSynthesis', {
    getVoices: () => langs.map((lang) => ({ lang })),
    speak: (utterance: { text: string }) => spoken.push(utterance),
    cancel,
    addEventListener() {},
    removeEventListener() {},
  })
  return { texts: () => spoken.map(({ text }) => text), finish: () => spoken.at(-1)?.onend?.(), cancel }
}

const stored = [
  aMessage('q1', { content: 'Вопрос' }),
  aMessage('a1', { role: 'assistant', parentId: 'q1', content: 'Первое. Второе.', status: 'complete' }),
]
const read = () => screen.findByRole('button', { name: 'Прочитать вслух' })

test('an answer is read sentence by sentence until its end (S10.211)', async () => {
  const voice = fakeVoice()
  const { user } = await openThread({ messages: stored })
  await user.click(await read())
  await waitFor(() => expect(voice.texts()).toEqual(['Первое.']))
  expect(screen.getByRole('button', { name: 'Остановить чтение' })).toBeTruthy()
  voice.finish()
  expect(voice.texts()).toEqual(['Первое.', 'Второе.'])
  voice.finish()
  expect(await read()).toBeTruthy()
})

test('reading stops at the button and when the chat is left (S10.211)', async () => {
  const voice = fakeVoice()
  const { user, unmount } = await openThread({ messages: stored })
  await user.click(await read())
  await waitFor(() => expect(voice.texts()).toHaveLength(1))
  await user.click(screen.getByRole('button', { name: 'Остановить чтение' }))
  expect(voice.cancel).toHaveBeenCalledTimes(1)
  voice.finish()
  expect(voice.texts()).toHaveLength(1)
  await user.click(await read())
  await waitFor(() => expect(voice.texts()).toHaveLength(2))
  unmount()
  expect(voice.cancel).toHaveBeenCalledTimes(2)
})

test('reading is not offered without a Russian voice (S10.211)', async () => {
  fakeVoice(['en-US'])
  await openThread({ messages: stored })
  expect(screen.queryByRole('button', { name: 'Прочитать вслух' })).toBeNull()
})
