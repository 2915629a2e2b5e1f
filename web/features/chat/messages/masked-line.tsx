import { useQueryClient } from '@tanstack/react-query'
import { useId, useState } from 'react'
import type { MaskedCounts, Message } from '#contract/threads.ts'
import { useProfile } from '#web/features/users/queries.ts'
import { classNames } from '#web/lib/class-names.ts'
import { paths } from '#web/lib/paths.ts'
import { ChevronDown, EyeOff } from '#web/ui/icons.ts'
import { TextLink } from '#web/ui/text-link.tsx'
import { maskedWords, useMaskedValues } from '../masking/masked-words.ts'
import { threadKey } from '../state/thread-data.ts'
import { useMessageActions } from './message-actions.ts'
import { useRepeatLabel } from './use-prices.ts'

/** Between question and answer: what was hidden from the model. A click shows the words and a button to send them. */
export function MaskedLine({ message, hidden }: { message: Message; hidden: MaskedCounts }) {
  const [isOpen, setOpen] = useState(false)
  const id = useId()
  return (
    <div data-screen-only className="mb-2 flex flex-col items-end text-sm text-muted">
      <button
        type="button"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
        className="inline-flex min-h-8 items-center gap-1.5 rounded-xs text-left hover:text-ink max-frame:min-h-11 pointer-coarse:min-h-11"
      >
        <EyeOff size={15} className="shrink-0" />
        Скрыто от модели: {maskedWords(hidden)}
        <ChevronDown size={16} className={classNames('shrink-0 transition-transform', isOpen && 'rotate-180')} />
      </button>
      {isOpen && (
        <div id={id} className="mt-1 w-full max-w-md rounded-md border bg-surface px-4 py-3">
          <Pairs message={message} hidden={hidden} />
        </div>
      )}
    </div>
  )
}

const none: string[] = []

function Pairs({ message, hidden }: { message: Message; hidden: MaskedCounts }) {
  const client = useQueryClient()
  const names = useProfile().data?.Settings.maskedNames ?? none
  const question = client.getQueryData(threadKey(message.threadId))?.Messages.find(({ id }) => id === message.parentId)
  const values = useMaskedValues(question?.content ?? '', names, true)
  const { regenerate } = useMessageActions(message)
  const label = useRepeatLabel('Отправить как есть', message)
  if (!values) return <p aria-busy="true">Загружается…</p>
  // The list of names may have changed since, so only kinds that were hidden then are shown.
  const shown = values.filter(({ kind }) => hidden[kind] !== undefined)
  const all = Object.values(hidden).reduce((sum, count) => sum + (count ?? 0), 0)
  return (
    <>
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 gap-y-1">
        {shown.map(({ token, text }) => (
          <div key={token} className="contents">
            <dt className="text-muted">{token}</dt>
            <dd className="text-ink wrap-anywhere">{text}</dd>
          </div>
        ))}
      </dl>
      {all > shown.length && (
        <p className="mt-2 text-pretty first:mt-0">
          {shown.length > 0 ? 'Остальное — в' : 'Это было в'} прежних сообщениях, файлах или инструкциях.
        </p>
      )}
      <p className="mt-3 flex flex-wrap gap-x-4 gap-y-2">
        <button
          type="button"
          onClick={() => regenerate({ asIs: true })}
          className="rounded-xs text-accent-ink underline underline-offset-4 pointer-coarse:py-2"
        >
          {label}
        </button>
        <TextLink inText href={paths.help('account/where-data-goes')}>
          Куда уходят данные
        </TextLink>
      </p>
    </>
  )
}
