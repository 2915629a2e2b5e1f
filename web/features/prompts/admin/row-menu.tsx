import { Ellipsis, Eye, EyeOff, History, Pencil, RotateCcw, Trash2 } from 'lucide-react'
import type { AdminPrompt } from '#contract/prompts-admin.ts'
import { useSession } from '#web/lib/session.ts'
import { IconButton } from '#web/ui/button.tsx'
import { Menu, MenuItem, MenuSeparator } from '#web/ui/menu.tsx'

export type RowAction = 'edit' | 'history' | 'publish' | 'unpublish' | 'delete' | 'restore'

export function RowMenu({ row, onAction }: { row: AdminPrompt; onAction: (action: RowAction) => void }) {
  const canPublish = useSession()?.role === 'admin'
  return (
    <Menu
      align="end"
      trigger={
        <IconButton size="sm" label={`Действия с «${row.title}»`} icon={<Ellipsis size={18} aria-hidden="true" />} />
      }
    >
      {row.deletedAt ? (
        <MenuItem icon={<RotateCcw size={18} aria-hidden="true" />} onSelect={() => onAction('restore')}>
          Вернуть из корзины
        </MenuItem>
      ) : (
        <>
          {row.canEdit && (
            <MenuItem icon={<Pencil size={18} aria-hidden="true" />} onSelect={() => onAction('edit')}>
              Изменить
            </MenuItem>
          )}
          <MenuItem icon={<History size={18} aria-hidden="true" />} onSelect={() => onAction('history')}>
            История изменений
          </MenuItem>
          {row.published ? (
            <MenuItem icon={<EyeOff size={18} aria-hidden="true" />} onSelect={() => onAction('unpublish')}>
              Снять с публикации
            </MenuItem>
          ) : (
            canPublish && (
              <MenuItem icon={<Eye size={18} aria-hidden="true" />} onSelect={() => onAction('publish')}>
                Опубликовать
              </MenuItem>
            )
          )}
          <MenuSeparator />
          <MenuItem danger icon={<Trash2 size={18} aria-hidden="true" />} onSelect={() => onAction('delete')}>
            Удалить
          </MenuItem>
        </>
      )}
    </Menu>
  )
}
