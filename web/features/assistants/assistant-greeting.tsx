import { Settings2 } from 'lucide-react'
import { Link } from 'wouter'
import type { Assistant } from '#contract/assistants.ts'
import { paths } from '#web/lib/paths.ts'
import { Emblem } from '#web/ui/emblem.tsx'

/** Whom a new chat is with. */
export function AssistantGreeting({
  assistant,
}: {
  assistant: Pick<Assistant, 'id' | 'name' | 'avatar' | 'description'>
}) {
  const { id, name, avatar, description } = assistant
  return (
    <div className="flex flex-col items-center gap-3 text-center">
      <Emblem value={avatar} size={72} />
      <h1 className="text-2xl font-semibold wrap-anywhere">{name}</h1>
      {description && <p className="max-w-lg text-pretty text-muted wrap-anywhere">{description}</p>}
      <Link
        href={paths.assistantEdit(id)}
        className="inline-flex items-center gap-1.5 rounded-xs text-sm text-muted hover:text-ink"
      >
        <Settings2 size={16} aria-hidden="true" />
        Настроить
      </Link>
    </div>
  )
}
