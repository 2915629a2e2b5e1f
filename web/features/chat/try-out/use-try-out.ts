import { useEffect, useRef, useState } from 'react'
import type { TryOut } from '#contract/assistants.ts'
import { FREE_STOPS } from '#contract/billing.ts'
import { ApiError } from '#contract/errors.ts'
import { askTry } from './ask-try.ts'
import { foldTurn, messagesFor, newTurn, type Turn } from './turns.ts'

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
