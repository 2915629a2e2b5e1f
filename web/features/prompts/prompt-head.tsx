import type { ReactNode } from 'react'
import type { Prompt } from '#contract/prompts.ts'
import { copyAndReport } from '#web/lib/copy-text.ts'
import { formatDay, formatNumber, plural } from '#web/lib/format.ts'
import { IconButton } from '#web/ui/button.tsx'
import { Copy, Ellipsis, Files, History, Link2, Pencil, Trash2 } from '#web/ui/icons.ts'
import { Menu, MenuItem, MenuSeparator } from '#web/ui/menu.tsx'
import { FavouriteButton } from './favourite-button.tsx'
import { Badge, Tag } from './prompt-badge.tsx'

export function PromptHead({ prompt, menu }: { prompt: Prompt; menu: ReactNode }) {
  const { title, description, category, published, own, uses, updatedAt, shareId } = prompt
  return (
    <header className="mb-6">
      <div className="flex items-start gap-2">
        <h1 className="min-w-0 flex-1 text-2xl font-semibold wrap-anywhere">{title}</h1>
        <div className="-mr-2 flex shrink-0">
          <FavouriteButton prompt={prompt} size="md" />
          {menu}
        </div>
      </div>
      {description && <p className="mt-1 text-pretty text-muted">{description}</p>}
      <p className="mt-3 flex flex-wrap items-center gap-x-3 gap-y-1.5 text-muted text-sm">
        <Badge prompt={prompt} />
        {published && !own && <Tag tone="success">Общий</Tag>}
        {shareId && <Tag tone="muted">Открыт по ссылке</Tag>}
        <span>{category}</span>
        {uses > 0 && (
          <span className="figures">
            использован {formatNumber(uses)} {plural(uses, 'раз', 'раза', 'раз')}
          </span>
        )}
        <span>изменён {formatDay(updatedAt)}</span>
      </p>
    </header>
  )
}

export type PromptAction = 'edit' | 'share' | 'history' | 'duplicate' | 'delete'

interface PromptMenuProps {
  prompt: Prompt
  /** Allows deleting and viewing the history. */
  isManaged: boolean
  onAction: (action: PromptAction) => void
}

export function PromptMenu({ prompt, isManaged, onAction }: PromptMenuProps) {
  return (
    <Menu align="end" trigger={<IconButton label="Ещё" icon={<Ellipsis size={20} />} />}>
      {prompt.canEdit && (
        <MenuItem icon={<Pencil size={18} />} onSelect={() => onAction('edit')}>
          Изменить
        </MenuItem>
      )}
      <MenuItem icon={<Copy size={18} />} onSelect={() => void copyAndReport(prompt.content)}>
        Скопировать текст
      </MenuItem>
      <MenuItem icon={<Files size={18} />} onSelect={() => onAction('duplicate')}>
        {prompt.own ? 'Сделать копию' : 'Сохранить себе'}
      </MenuItem>
      {isManaged && (
        <>
          <MenuItem icon={<Link2 size={18} />} onSelect={() => onAction('share')}>
            Поделиться
          </MenuItem>
          <MenuItem icon={<History size={18} />} onSelect={() => onAction('history')}>
            История изменений
          </MenuItem>
          <MenuSeparator />
          <MenuItem danger icon={<Trash2 size={18} />} onSelect={() => onAction('delete')}>
            Удалить
          </MenuItem>
        </>
      )}
    </Menu>
  )
}
