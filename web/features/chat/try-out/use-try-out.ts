import { useEffect, useRef, useState } from 'react'
import { readTryEvents } from '#contract/answers.ts'
import { assistantsApi, type TryEvent, type TryOut, type TryOutResult } from '#contract/assistants.ts'
import { FREE_STOPS } from '#contract/billing.ts'
import { ApiError } from '#contract/errors.ts'
import { openStream } from '#web/lib/api.ts'
import { callErrorText } from '#web/lib/error-text.ts'

export type Tested = Omit<TryOut, 'messages'>

const STOPPED = `Остановлено до первого слова. Вопрос уже был у модели: его символы списываются, а первые ${FREE_STOPS} такие остановки за день бесплатны.`
const CUT = 'Связь прервалась. Спросите ещё раз.'

/** A conversation that is lost with the page. Leaving it stops the running answer. */
export function useTryOut(tested: Tested) {
  const [turns, setTurns] = useState<Turn[]>([])
  const asking = useRef<AbortController | null>(null)
  useEffect(() => () => asking.current?.abort(), [])
  const isWriting = turns.at(-1)?.isWriting === true

  function change(id: number, next: (turn: Turn) => Turn) {
    setTurns((all) => all.map((turn) => (turn.id === id ? next(turn) : turn)))
  }

  async function ask(question: string) {
    if (isWriting) return
    const id = (turns.at(-1)?.id ?? 0) + 1
    const abort = new AbortController()
    asking.current = abort
    const body = { ...tested, messages: toTryMessages(turns, question) }
    setTurns((all) => [...all, newTurn(id, question)])
    try {
      await streamTryOut(body, abort.signal, (event) => change(id, (turn) => applyTryEvent(turn, event)))
      change(id, (turn) => (turn.isWriting ? { ...turn, isWriting: false, error: CUT } : turn))
    } catch (error) {
      const stopped = abort.signal.aborted
      const why = error instanceof ApiError ? callErrorText(error) : CUT
      change(id, (turn) => ({
        ...turn,
        isWriting: false,
        error: stopped ? null : why,
        note: stopped && turn.answer === '' ? STOPPED : undefined,
      }))
    }
  }

  return {
    turns,
    isWriting,
    ask,
    stop: () => asking.current?.abort(),
    clear: () => {
      asking.current?.abort()
      setTurns([])
    },
  }
}

export interface Turn {
  id: number
  question: string
  answer: string
  /** The final event of an answer that was finished. */
  tried: TryOutResult | null
  error: string | null
  note?: string | undefined
  isWriting: boolean
}

export const newTurn = (id: number, question: string): Turn => ({
  id,
  question,
  answer: '',
  tried: null,
  error: null,
  isWriting: true,
})

export function applyTryEvent(turn: Turn, event: TryEvent): Turn {
  if (event.type === 'delta') return { ...turn, answer: turn.answer + event.text }
  if (event.type === 'error') return { ...turn, error: event.message, isWriting: false }
  const { type: _, ...tried } = event
  return { ...turn, answer: tried.text, tried, isWriting: false }
}

/** The server accepts twenty messages: nine exchanges and the question. */
const REMEMBERED = 9

/** The answered turns and the next question. Failed turns are left out. */
export function toTryMessages(turns: readonly Turn[], question: string): TryOut['messages'] {
  const answered = turns.filter(({ answer, error }) => answer !== '' && error === null).slice(-REMEMBERED)
  return [
    ...answered.flatMap((turn) => [
      { role: 'user' as const, content: turn.question },
      { role: 'assistant' as const, content: turn.answer },
    ]),
    { role: 'user' as const, content: question },
  ]
}

/** Streams the events of an answer; throws when the request is rejected. */
async function streamTryOut(body: TryOut, signal: AbortSignal, onEvent: (event: TryEvent) => void): Promise<void> {
  const { method, path } = assistantsApi.tryOut
  const events = await openStream(path, {
    method,
    signal,
    headers: { accept: 'text/event-stream', 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  for await (const event of readTryEvents(events)) onEvent(event)
}
