import type { Assistant } from '#contract/assistants.ts'
import { paths } from '#web/lib/paths.ts'
import { Emblem } from '#web/ui/emblem.tsx'
import { Settings2 } from '#web/ui/icons.ts'
import { Link } from '#web/ui/link.tsx'

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
        <Settings2 size={16} />
        Настроить
      </Link>
    </div>
  )
}

interface StarterChipsProps {
  starters: readonly string[]
  onPick: (text: string) => void
}

const chip =
  'max-w-full rounded-lg border bg-surface px-3.5 py-2 text-left text-[15px] text-muted transition-colors wrap-anywhere hover:border-line-strong hover:text-ink'

/** Conversation starters; a click fills the message field, to be edited before sending. */
export function StarterChips({ starters, onPick }: StarterChipsProps) {
  if (starters.length === 0) return null
  return (
    <ul aria-label="С чего начать" className="flex flex-wrap justify-center gap-2">
      {starters.map((starter) => (
        <li key={starter} className="max-w-full">
          <button type="button" onClick={() => onPick(starter)} className={chip}>
            {starter}
          </button>
        </li>
      ))}
    </ul>
  )
}
