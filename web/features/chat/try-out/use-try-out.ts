import { useEffect, useRef, useState } from 'react'
import { assistantsApi, type Tried, TryEvent, type TryOut } from '#contract/assistants.ts'
import { FREE_STOPS } from '#contract/billing.ts'
import { apiErrorOf } from '#contract/call.ts'
import { ApiError } from '#contract/errors.ts'
import { readEvents } from '#contract/events.ts'

export type Tested = Omit<TryOut, 'messages'>

const STOPPED = `Остановлено до первого слова. Вопрос уже был у модели: его символы списываются, а первые ${FREE_STOPS} такие остановки за день бесплатны.`
const CUT = 'Связь прервалась. Спросите ещё раз.'

/** A conversation that lives as long as its page. Leaving ends the answer that is being written. */
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
    const body = { ...tested, messages: messagesFor(turns, question) }
    setTurns((all) => [...all, newTurn(id, question)])
    try {
      await askTry(body, abort.signal, (event) => change(id, (turn) => foldTurn(turn, event)))
      change(id, (turn) => (turn.isWriting ? { ...turn, isWriting: false, error: CUT } : turn))
    } catch (error) {
      const stopped = abort.signal.aborted
      const why = error instanceof ApiError ? error.message : CUT
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

/** A question of a try-out and what came of it. */
export interface Turn {
  id: number
  question: string
  answer: string
  /** How it ended well. */
  tried: Tried | null
  error: string | null
  /** What else its asker should know. */
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

export function foldTurn(turn: Turn, event: TryEvent): Turn {
  if (event.type === 'delta') return { ...turn, answer: turn.answer + event.text }
  if (event.type === 'error') return { ...turn, error: event.message, isWriting: false }
  const { type: _, ...tried } = event
  return { ...turn, answer: tried.text, tried, isWriting: false }
}

/** Twenty messages are taken at most: nine exchanges and the question. */
const REMEMBERED = 9

/** What was said so far and the next question; what failed was not said. */
export function messagesFor(turns: readonly Turn[], question: string): TryOut['messages'] {
  const said = turns.filter(({ answer, error }) => answer !== '' && error === null).slice(-REMEMBERED)
  return [
    ...said.flatMap((turn) => [
      { role: 'user' as const, content: turn.question },
      { role: 'assistant' as const, content: turn.answer },
    ]),
    { role: 'user' as const, content: question },
  ]
}

/** Asks, and tells each event as it comes. Fails when nothing could be asked at all. */
async function askTry(body: TryOut, signal: AbortSignal, notify: (event: TryEvent) => void): Promise<void> {
  const { method, path } = assistantsApi.tryOut
  const response = await fetch(path, {
    method,
    signal,
    headers: { accept: 'text/event-stream', 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!response.ok || !response.body) throw apiErrorOf(response.status, await response.json().catch(() => null))
  for await (const event of readEvents(response.body, TryEvent)) notify(event)
}
