import { useEffect, useSyncExternalStore } from 'react'
import type { Message } from '#contract/threads.ts'
import { createStore } from '#web/lib/create-store.ts'
import { message as toast } from '#web/lib/notify.ts'

/** Answers read aloud by the voice of the browser, one at a time. */

const reading = createStore<string | null>(null)
const voices = () => (typeof speechSynthesis === 'undefined' ? null : speechSynthesis)

/** Whether the browser has a Russian voice; browsers may load the list of voices after the page. */
export function useCanReadAloud(): boolean {
  return useSyncExternalStore(
    (listener) => {
      voices()?.addEventListener?.('voiceschanged', listener)
      return () => voices()?.removeEventListener?.('voiceschanged', listener)
    },
    () => russianVoice() !== undefined,
  )
}

const russianVoice = () =>
  voices()
    ?.getVoices()
    .find(({ lang }) => /^ru\b/i.test(lang.replace('_', '-')))

export const useReading = reading.use

export async function readAloud({ id, content }: Pick<Message, 'id' | 'content'>): Promise<void> {
  stopReading()
  reading.set(id)
  try {
    const { speechOf } = await import('./speech-text.ts')
    if (reading.get() === id) speak(id, speechOf(content))
  } catch {
    stopReading()
    toast.error('Не загрузилось. Проверьте связь или обновите страницу.')
  }
}

export function stopReading(): void {
  if (reading.get() === null) return
  reading.set(null)
  voices()?.cancel()
}

/** One sentence at a time: Chrome falls silent in the middle of a long one. */
function speak(id: string, [sentence, ...rest]: string[]) {
  if (sentence === undefined) return stopReading()
  const utterance = new SpeechSynthesisUtterance(sentence)
  const voice = russianVoice()
  utterance.lang = 'ru-RU'
  if (voice) utterance.voice = voice
  utterance.onend = () => {
    if (reading.get() === id) speak(id, rest)
  }
  utterance.onerror = () => {
    if (reading.get() !== id) return
    stopReading()
    toast.error('Браузер не смог прочитать ответ вслух.')
  }
  // Chrome garbage collects an utterance without a reference and then never reports its end.
  current = utterance
  voices()?.speak(current)
}

let current: SpeechSynthesisUtterance | null = null

/** Stops reading when the chat is left, or when the answer is no longer in it. */
export function useReadingEnds(threadId: string, messages: readonly Message[]): void {
  const id = useReading()
  const isHere = messages.some((message) => message.id === id)
  useEffect(() => {
    if (!isHere) stopReading()
  }, [isHere])
  // biome-ignore lint/correctness/useExhaustiveDependencies: another chat in the same place is another chat
  useEffect(() => {
    addEventListener('pagehide', stopReading)
    return () => {
      removeEventListener('pagehide', stopReading)
      stopReading()
    }
  }, [threadId])
}
