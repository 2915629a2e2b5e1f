import { ArrowRightToLine, GitFork, Pencil, Trash2 } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Message } from '#contract/threads.ts'
import { Menu, MenuItem, MenuSeparator } from '#web/ui/menu.tsx'
import { useMessageActions } from './message-actions.ts'

interface MoreMenuProps {
  trigger: ReactNode
  message: Message
  isLast: boolean
  onEdit: () => void
}

/** Loaded by the click that asks for it, so it begins open. */
export function MoreMenu({ trigger, message, isLast, onEdit }: MoreMenuProps) {
  const { goOn, forkHere, remove } = useMessageActions(message)
  return (
    <Menu defaultOpen trigger={trigger}>
      {isLast && message.content !== '' && (
        <MenuItem icon={<ArrowRightToLine size={18} aria-hidden="true" />} onSelect={goOn}>
          Продолжить ответ
        </MenuItem>
      )}
      <MenuItem icon={<GitFork size={18} aria-hidden="true" />} onSelect={forkHere}>
        Новый чат отсюда
      </MenuItem>
      {message.content !== '' && (
        <MenuItem icon={<Pencil size={18} aria-hidden="true" />} onSelect={onEdit}>
          Исправить текст
        </MenuItem>
      )}
      <MenuSeparator />
      <MenuItem danger icon={<Trash2 size={18} aria-hidden="true" />} onSelect={remove}>
        {isLast ? 'Удалить ответ' : 'Удалить с продолжением'}
      </MenuItem>
    </Menu>
  )
}
