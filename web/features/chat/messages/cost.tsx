import type { Message } from '#contract/threads.ts'
import { usePart } from '#web/lib/use-part.ts'
import { costTitle } from './cost-labels.ts'
import { loadCost, preload } from './parts.ts'

/** What an answer cost; a click tells why so much. */
export function Cost({ message }: { message: Message }) {
  const [CostBreakdown, ask] = usePart(loadCost)
  if (message.status === 'streaming') return null
  const trigger = (
    <button
      type="button"
      aria-haspopup="dialog"
      title="Из чего сложилась цена"
      onPointerEnter={() => preload(loadCost)}
      onFocus={() => preload(loadCost)}
      onClick={CostBreakdown ? undefined : ask}
      className="figures rounded-sm px-2 py-1.5 text-[13px] text-muted transition-colors hover:bg-hover hover:text-ink data-[state=open]:bg-hover"
    >
      {costTitle(message.charged)}
    </button>
  )
  return CostBreakdown ? <CostBreakdown trigger={trigger} message={message} /> : trigger
}
