import { Clock, Pencil, X } from 'lucide-react'
import type { OutboxItem } from '#web/lib/outbox.ts'
import { useOnline } from '#web/lib/use-online.ts'
import { ToolButton } from '../messages/tool-button.tsx'
import { cancelMessage, takeBack } from '../outbox/outgoing.ts'

/** What will be sent by itself, and when. */
export function QueueList({ items }: { items: OutboxItem[] }) {
  const isOnline = useOnline()
  if (items.length === 0) return null
  const when = isOnline ? 'Отправится после ответа' : 'Отправится, когда появится связь'
  return (
    <ul aria-label={when} className="mb-2 flex flex-col gap-1">
      {items.map((item) => (
        <li key={item.id} className="flex items-center gap-2 rounded-md border bg-surface py-1 pr-1 pl-3">
          <Clock size={16} aria-hidden="true" className="shrink-0 text-muted" />
          <span className="min-w-0 flex-1">
            <span className="block truncate text-[15px]">
              {item.content || item.files.map(({ name }) => name).join(', ')}
            </span>
            <span className="block text-[13px] leading-tight text-muted">{when}</span>
          </span>
          <ToolButton
            label="Вернуть в поле ввода"
            icon={<Pencil size={17} aria-hidden="true" />}
            onClick={() => takeBack(item)}
          />
          <ToolButton
            label="Не отправлять"
            icon={<X size={18} aria-hidden="true" />}
            onClick={() => cancelMessage(item)}
          />
        </li>
      ))}
    </ul>
  )
}
