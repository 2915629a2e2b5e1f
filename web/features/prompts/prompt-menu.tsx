import { Copy, Ellipsis, Files, History, Link2, Pencil, Trash2 } from 'lucide-react'
import type { Prompt } from '#contract/prompts.ts'
import { IconButton } from '#web/ui/button.tsx'
import { Menu, MenuItem, MenuSeparator } from '#web/ui/menu.tsx'
import { copyText } from './copy-text.ts'

export type PromptAction = 'edit' | 'share' | 'history' | 'duplicate' | 'delete'

interface PromptMenuProps {
  prompt: Prompt
  /** Allows deleting and viewing the history. */
  isManaged: boolean
  onAction: (action: PromptAction) => void
}

export function PromptMenu({ prompt, isManaged, onAction }: PromptMenuProps) {
  return (
    <Menu align="end" trigger={<IconButton label="Ещё" icon={<Ellipsis size={20} aria-hidden="true" />} />}>
      {prompt.canEdit && (
        <MenuItem icon={<Pencil size={18} aria-hidden="true" />} onSelect={() => onAction('edit')}>
          Изменить
        </MenuItem>
      )}
      <MenuItem icon={<Copy size={18} aria-hidden="true" />} onSelect={() => void copyText(prompt.content)}>
        Скопировать текст
      </MenuItem>
      <MenuItem icon={<Files size={18} aria-hidden="true" />} onSelect={() => onAction('duplicate')}>
        {prompt.own ? 'Сделать копию' : 'Сохранить себе'}
      </MenuItem>
      {isManaged && (
        <>
          <MenuItem icon={<Link2 size={18} aria-hidden="true" />} onSelect={() => onAction('share')}>
            Поделиться
          </MenuItem>
          <MenuItem icon={<History size={18} aria-hidden="true" />} onSelect={() => onAction('history')}>
            История изменений
          </MenuItem>
          <MenuSeparator />
          <MenuItem danger icon={<Trash2 size={18} aria-hidden="true" />} onSelect={() => onAction('delete')}>
            Удалить
          </MenuItem>
        </>
      )}
    </Menu>
  )
}
