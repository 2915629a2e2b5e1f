import type { ButtonHTMLAttributes, ReactNode, Ref } from 'react'
import type { Message } from '#contract/threads.ts'
import { classNames } from '#web/lib/class-names.ts'
import { useCopy } from '#web/lib/copy-text.ts'
import { Check, ChevronLeft, ChevronRight, Copy } from '#web/ui/icons.ts'
import { useSwitchVersion } from '../queries.ts'
import { getRun } from '../state/runs.ts'
import { notifyAnswerRunning } from './message-actions.ts'

/** Shown on hover and focus; always shown on touch devices. */
export const quietTools =
  'opacity-0 transition-opacity group-hover/row:opacity-100 group-focus-within/row:opacity-100 pointer-coarse:opacity-100'

interface ToolButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  label: string
  icon: ReactNode
  ref?: Ref<HTMLButtonElement>
}

export function ToolButton({ label, icon, className, ...rest }: ToolButtonProps) {
  return (
    <button
      {...rest}
      type="button"
      aria-label={label}
      title={label}
      className={classNames(
        'inline-grid h-8 w-8 shrink-0 place-items-center rounded-sm text-muted transition-colors max-frame:h-11 max-frame:w-11 pointer-coarse:h-11 pointer-coarse:w-11',
        'hover:bg-hover hover:text-ink disabled:pointer-events-none disabled:opacity-45 data-[state=open]:bg-hover data-[state=open]:text-ink',
        className,
      )}
    >
      {icon}
    </button>
  )
}

export function CopyButton({ text }: { text: string }) {
  const { isCopied, copy } = useCopy(text)
  return (
    <>
      <ToolButton
        label={isCopied ? 'Скопировано' : 'Копировать'}
        icon={isCopied ? <Check size={18} /> : <Copy size={18} />}
        onClick={copy}
      />
      <span role="status" className="sr-only">
        {isCopied && 'Скопировано'}
      </span>
    </>
  )
}

/** ‹ 2/3 › switches between the versions of a message. */
export function Versions({ message }: { message: Message }) {
  const { mutate, isPending, variables } = useSwitchVersion(message.threadId)
  const { siblings, id } = message
  if (siblings.length < 2) return null
  // The number changes before the text, which may have to be loaded.
  const shown = siblings.indexOf(isPending ? variables.to : id)

  function go(step: number) {
    const to = siblings[shown + step]
    if (getRun(message.threadId)) notifyAnswerRunning()
    else if (to) mutate({ from: message, to })
  }

  return (
    <fieldset className="flex items-center">
      <legend className="sr-only">Версии</legend>
      <ToolButton
        label="Прежняя версия"
        className="w-6"
        disabled={shown <= 0}
        icon={<ChevronLeft size={18} />}
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
        icon={<ChevronRight size={18} />}
        onClick={() => go(1)}
      />
    </fieldset>
  )
}
