import { Bot } from 'lucide-react'
import { Link } from 'wouter'
import type { ThreadWithMessages } from '#contract/threads.ts'
import { paths } from '#web/lib/paths.ts'
import { Emblem } from '#web/ui/emblem.tsx'

/** Whom the chat is with, before its title. */
export function ThreadAssistantSign({ thread }: { thread: Pick<ThreadWithMessages, 'assistantId' | 'Assistant'> }) {
  const { assistantId, Assistant } = thread
  if (Assistant)
    return (
      <Link
        href={paths.assistantEdit(Assistant.id)}
        title={`Ассистент «${Assistant.name}»`}
        className="flex max-w-[40%] shrink-0 items-center gap-2 rounded-sm py-1 pr-2 pl-1 text-sm text-muted transition-colors hover:bg-hover hover:text-ink"
      >
        <Emblem value={Assistant.avatar} size={26} />
        <span className="truncate max-sm:sr-only">{Assistant.name}</span>
      </Link>
    )
  if (assistantId === null) return null
  return (
    <span className="flex shrink-0 items-center gap-1.5 px-1 text-sm text-muted" title="Чат идёт дальше без него">
      <Bot size={18} aria-hidden="true" />
      Ассистент удалён
    </span>
  )
}
