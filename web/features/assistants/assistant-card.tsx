import type { Assistant } from '#contract/assistants.ts'
import { paths } from '#web/lib/paths.ts'
import { ButtonLink, IconButton } from '#web/ui/button.tsx'
import { Emblem } from '#web/ui/emblem.tsx'
import { Copy, Ellipsis, MessageSquarePlus, Pencil, Trash2 } from '#web/ui/icons.ts'
import { Link } from '#web/ui/link.tsx'
import { Menu, MenuItem, MenuSeparator } from '#web/ui/menu.tsx'
import { filesSummary } from './file-labels.ts'

interface AssistantCardProps {
  assistant: Assistant
  /** Number of files being uploaded. */
  uploading: number
  onNavigate: (address: string) => void
  onDelete: (assistant: Assistant) => void
}

/** The name opens the editor, the button starts a chat. */
export function AssistantCard({ assistant, uploading, onNavigate, onDelete }: AssistantCardProps) {
  const { id, name, avatar, description, Model, files } = assistant
  const summary = filesSummary(files, uploading)
  const isFailed = files.some(({ state }) => state === 'failed')
  return (
    <article className="relative flex h-full flex-col gap-3 rounded-md border bg-surface p-4 transition-colors hover:border-line-strong">
      <div className="flex items-start gap-3">
        <Emblem value={avatar} size={44} />
        <div className="min-w-0 flex-1">
          <h2 className="leading-snug font-medium wrap-anywhere">
            <Link href={paths.assistantEdit(id)} className="rounded-xs after:absolute after:inset-0 after:rounded-md">
              {name}
            </Link>
          </h2>
          <p className="truncate text-sm text-muted">{Model?.name ?? 'Обычная модель'}</p>
        </div>
        <div className="relative -mt-1 -mr-1.5">
          <Menu
            align="end"
            trigger={<IconButton size="sm" label={`Действия: ${name}`} icon={<Ellipsis size={19} />} />}
          >
            <MenuItem icon={<Pencil size={18} />} onSelect={() => onNavigate(paths.assistantEdit(id))}>
              Изменить
            </MenuItem>
            <MenuItem icon={<Copy size={18} />} onSelect={() => onNavigate(paths.assistantCopy(id))}>
              Сделать копию
            </MenuItem>
            <MenuSeparator />
            <MenuItem danger icon={<Trash2 size={18} />} onSelect={() => onDelete(assistant)}>
              Удалить
            </MenuItem>
          </Menu>
        </div>
      </div>
      {description && <p className="line-clamp-3 text-[15px] text-pretty text-muted wrap-anywhere">{description}</p>}
      <div className="mt-auto flex items-center justify-between gap-3 pt-1">
        <p className={`min-w-0 text-sm ${isFailed ? 'text-danger' : 'text-muted'}`}>{summary}</p>
        <ButtonLink
          href={paths.assistantChat(id)}
          size="sm"
          className="relative shrink-0"
          aria-label={`Начать чат: ${name}`}
          icon={<MessageSquarePlus size={17} />}
        >
          Начать чат
        </ButtonLink>
      </div>
    </article>
  )
}
