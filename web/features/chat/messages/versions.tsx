import { ChevronLeft, ChevronRight } from 'lucide-react'
import type { Message } from '#contract/threads.ts'
import { getRun } from '../answers/runs.ts'
import { useSwitchVersion } from '../queries.ts'
import { toastBusy } from './toast-busy.ts'
import { ToolButton } from './tool-button.tsx'

/** ‹ 2/3 › — the other messages in this place of the conversation. */
export function Versions({ message }: { message: Message }) {
  const { mutate, isPending, variables } = useSwitchVersion(message.threadId)
  const { siblings, id } = message
  if (siblings.length < 2) return null
  // The number goes ahead of the text: a version that was never seen takes a moment to come.
  const shown = siblings.indexOf(isPending ? variables.to : id)

  function go(step: number) {
    const to = siblings[shown + step]
    if (getRun(message.threadId)) toastBusy()
    else if (to) mutate({ from: message, to })
  }

  return (
    <fieldset className="flex items-center">
      <legend className="sr-only">Версии</legend>
      <ToolButton
        label="Прежняя версия"
        className="w-6"
        disabled={shown <= 0}
        icon={<ChevronLeft size={18} aria-hidden="true" />}
        onClick={() => go(-1)}
      />
      <span className="figures min-w-8 text-center text-[13px] text-muted">
        <span className="sr-only">Версия </span>
        {shown + 1}/{siblings.length}
      </span>
      <ToolButton
        label="Следующая версия"
        className="w-6"
        disabled={shown >= siblings.length - 1}
        icon={<ChevronRight size={18} aria-hidden="true" />}
        onClick={() => go(1)}
      />
    </fieldset>
  )
}
