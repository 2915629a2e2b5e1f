import { useEffect, useRef, useState } from 'react'
import type { Message, MessageStatus } from '#contract/threads.ts'

const words: Record<MessageStatus, string> = {
  streaming: 'Ответ пишется',
  complete: 'Ответ готов',
  stopped: 'Ответ остановлен',
  interrupted: 'Ответ прервался',
  failed: 'Ответ не получился',
  out_of_symbols: 'Закончились символы в подписке',
}

/** Says when an answer begins and how it ends, not every word of it. */
export function LiveRegion({ last }: { last: Message | undefined }) {
  const [said, setSaid] = useState('')
  const before = useRef<string | undefined>(undefined)
  const status = last?.role === 'assistant' ? last.status : undefined
  useEffect(() => {
    // What was there when the thread was opened is no news.
    if (before.current === 'streaming' || status === 'streaming') setSaid(status ? words[status] : '')
    before.current = status
  }, [status])
  return (
    <p role="status" className="sr-only">
      {said}
    </p>
  )
}
