import type { Tried, TryEvent, TryOut } from '#contract/assistants.ts'

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
