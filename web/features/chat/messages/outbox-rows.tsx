import { useQuery, useQueryClient } from '@tanstack/react-query'
import { modelsQuery } from '#web/features/models/queries.ts'
import { withPrice } from '#web/lib/format.ts'
import { useOnline } from '#web/lib/use-online.ts'
import { Button } from '#web/ui/button.tsx'
import { Clock, Pencil, X } from '#web/ui/icons.ts'
import { usualPriceFor } from '../sending/needed-symbols.ts'
import { cancelMessage, editMessage, retryMessage } from '../sending/send.ts'
import type { OutboxItem } from '../state/outbox.ts'
import { useRun } from '../state/runs.ts'
import { ToolButton } from './message-tools.tsx'

/** The state of a message that the server does not have yet. Empty while it is being sent. */
export function OutgoingState({ item }: { item: OutboxItem }) {
  const isOnline = useOnline()
  const run = useRun(item.threadId)
  const isBusy = isOnline && run?.isBusy === true && run.questionId === item.id
  if (item.failure) return <Failed item={item} message={item.failure.message} />
  if (isOnline && !run?.isDisconnected && !isBusy) return null
  return (
    <div data-screen-only className="mt-1.5 flex flex-wrap items-center justify-end gap-x-3 gap-y-1 text-sm text-muted">
      <span className="inline-flex items-center gap-1.5">
        <Clock size={15} />
        {isBusy ? 'Отправляется…' : waitingText(isOnline ? run?.problem : null)}
      </span>
      <Choices item={item} />
    </div>
  )
}

/** The server may fail while the network is fine: then one would wait for the network in vain. */
const waitingText = (problem: string | null | undefined) =>
  problem ? `Пробуем отправить ещё раз. ${problem}` : 'Отправится, когда появится связь'

function Failed({ item, message }: { item: OutboxItem; message: string }) {
  const client = useQueryClient()
  // Loads the models, which the price depends on.
  useQuery(modelsQuery)
  // Sending again asks for the consent that was declined.
  const lacksConsent = item.failure?.code === 'consent_required'
  return (
    <div className="mt-1.5 flex flex-col items-end gap-1.5 text-sm">
      <p role="alert" className="text-right text-danger wrap-anywhere">
        Не отправилось. {lacksConsent ? 'Нужно ваше согласие с документами.' : message}
      </p>
      <div data-screen-only className="flex flex-wrap items-center justify-end gap-x-3 gap-y-1 text-muted">
        <Button size="sm" onClick={() => retryMessage(client, item)}>
          {lacksConsent ? 'Открыть документы' : withPrice('Повторить', usualPriceFor(client, item), 'about')}
        </Button>
        <Choices item={item} />
      </div>
    </div>
  )
}

const linkStyle = 'rounded-xs underline-offset-4 hover:text-ink hover:underline'

function Choices({ item }: { item: OutboxItem }) {
  const client = useQueryClient()
  return (
    <>
      <button type="button" className={linkStyle} onClick={() => editMessage(client, item)}>
        Изменить
      </button>
      <button type="button" className={linkStyle} onClick={() => cancelMessage(client, item)}>
        Не отправлять
      </button>
    </>
  )
}

/** Messages that are sent later without a click. */
export function QueueList({ items }: { items: OutboxItem[] }) {
  const client = useQueryClient()
  const isOnline = useOnline()
  if (items.length === 0) return null
  const when = isOnline ? 'Отправится после ответа' : 'Отправится, когда появится связь'
  return (
    <ul aria-label={when} className="mb-2 flex flex-col gap-1">
      {items.map((item) => (
        <li key={item.id} className="flex items-center gap-2 rounded-md border bg-surface py-1 pr-1 pl-3">
          <Clock size={16} className="shrink-0 text-muted" />
          <span className="min-w-0 flex-1">
            <span className="block truncate text-[15px]">
              {item.content || item.files.map(({ name }) => name).join(', ')}
            </span>
            <span className="block text-[13px] leading-tight text-muted">{when}</span>
          </span>
          <ToolButton
            label="Вернуть в поле ввода"
            icon={<Pencil size={17} />}
            onClick={() => editMessage(client, item)}
          />
          <ToolButton label="Не отправлять" icon={<X size={18} />} onClick={() => cancelMessage(client, item)} />
        </li>
      ))}
    </ul>
  )
}
