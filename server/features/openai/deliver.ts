import type { ToolDelta } from '#server/llm/llm.ts'
import { type DeliveredKind, type Meter, wholeCharacters } from '../billing/meter.ts'

export interface ChatListener {
  onText: (text: string) => void
  onThought: (text: string) => void
  onTool: (delta: ToolDelta) => void
}

interface Reader {
  /** Null while the client keeps up; else settles when it has read what waits for it, or is gone. */
  ready: () => Promise<void> | null
  /** The model is so much faster than the client that it must stop. */
  onSlow: () => void
  onRunOut: () => void
}

/** Symbols that wait for a client which reads more slowly than the model writes. */
const MAX_WAITING = 1_000_000

/** A part of an answer that waits for its payment, or for a client that has not read what it was sent. */
type Part = { as: DeliveredKind; text: string } | { as: 'tool'; call: ToolDelta }

/**
 * Delivers an answer in its order, each part as far as it is paid for. Nearly all parts are covered by the hold and go
 * through without a promise.
 */
export function createDelivery(meter: Meter, listener: ChatListener, signal: AbortSignal, reader: Reader) {
  const { ready, onSlow, onRunOut } = reader
  const waiting: Part[] = []
  let symbolsWaiting = 0
  let paying: Promise<void> | null = null
  let isClosed = false
  let failure: { error: unknown } | null = null
  /** A first half of a surrogate pair waits for the second. */
  const halves = { output: '', thought: '' }
  const sent = { output: 0, thought: 0 }

  const wordsOf = (part: Part) => (part.as === 'tool' ? `${part.call.name ?? ''}${part.call.arguments}` : part.text)
  const kindOf = (part: Part): DeliveredKind => (part.as === 'tool' ? 'output' : part.as)

  function give(part: Part, paid: string): void {
    if (part.as === 'tool') giveCall(part.call, paid.length)
    else if (paid !== '') {
      sent[part.as] += paid.length
      listener[part.as === 'output' ? 'onText' : 'onThought'](paid)
    }
    if (paid.length === wordsOf(part).length) return
    isClosed = true
    waiting.length = 0
    onRunOut()
  }

  /** A call whose name is not paid for is not delivered at all. */
  function giveCall(call: ToolDelta, paid: number): void {
    const left = paid - (call.name?.length ?? 0)
    if (left < 0) return
    sent.output += paid
    listener.onTool({ ...call, arguments: call.arguments.slice(0, left) })
  }

  async function pay(): Promise<void> {
    for (let part = waiting.shift(); part && !isClosed; part = waiting.shift()) {
      await ready()
      symbolsWaiting -= wordsOf(part).length
      const paid = await meter.payFor(wordsOf(part), signal, kindOf(part))
      if (!isClosed) give(part, paid)
    }
  }

  function push(part: Part): void {
    if (isClosed) return
    const isNext = paying === null && ready() === null
    const paid = isNext ? meter.payForNow(wordsOf(part), signal, kindOf(part)) : null
    if (paid !== null) {
      give(part, paid)
      return
    }
    wait(part)
    paying ??= pay()
      .catch((error: unknown) => {
        failure = { error }
        isClosed = true
        onRunOut()
      })
      .finally(() => {
        paying = null
      })
  }

  function wait(part: Part): void {
    const last = waiting.at(-1)
    if (part.as !== 'tool' && last?.as === part.as) last.text += part.text
    else waiting.push(part)
    symbolsWaiting += wordsOf(part).length
    if (symbolsWaiting > MAX_WAITING) onSlow()
  }

  function pushText(as: DeliveredKind, chunk: string): void {
    const whole = halves[as] + chunk
    const text = wholeCharacters(whole)
    halves[as] = whole.slice(text.length)
    if (text !== '') push({ as, text })
  }

  return {
    text: (chunk: string) => pushText('output', chunk),
    thought: (chunk: string) => pushText('thought', chunk),
    tool: (call: ToolDelta) => push({ as: 'tool', call }),
    /** Nothing more is delivered: the client has left. */
    close: () => {
      isClosed = true
      waiting.length = 0
    },
    /** Waits for the parts that are not paid yet. */
    finish: async () => {
      while (paying !== null) await paying
    },
    /** An error of our own while parts were paid for. */
    failure: () => failure,
    sent,
  }
}
