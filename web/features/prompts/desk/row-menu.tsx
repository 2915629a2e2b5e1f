import { Ellipsis, Eye, EyeOff, History, Pencil, RotateCcw, Trash2 } from 'lucide-react'
import type { DeskPrompt } from '#contract/prompt-desk.ts'
import { useSession } from '#web/lib/session.ts'
import { IconButton } from '#web/ui/button.tsx'
import { Menu, MenuItem, MenuSeparator } from '#web/ui/menu.tsx'

export type RowAct = 'edit' | 'history' | 'publish' | 'unpublish' | 'delete' | 'restore'

export function RowMenu({ row, onAct }: { row: DeskPrompt; onAct: (act: RowAct) => void }) {
  const canPublish = useSession()?.role === 'admin'
  return (
    <Menu
      align="end"
      trigger={
        <IconButton size="sm" label={`Действия с «${row.title}»`} icon={<Ellipsis size={18} aria-hidden="true" />} />
      }
    >
      {row.deletedAt ? (
        <MenuItem icon={<RotateCcw size={18} aria-hidden="true" />} onSelect={() => onAct('restore')}>
          Вернуть из корзины
        </MenuItem>
      ) : (
        <>
          {row.canEdit && (
            <MenuItem icon={<Pencil size={18} aria-hidden="true" />} onSelect={() => onAct('edit')}>
              Изменить
            </MenuItem>
          )}
          <MenuItem icon={<History size={18} aria-hidden="true" />} onSelect={() => onAct('history')}>
            История изменений
          </MenuItem>
          {row.published ? (
            <MenuItem icon={<EyeOff size={18} aria-hidden="true" />} onSelect={() => onAct('unpublish')}>
              Снять с публикации
            </MenuItem>
          ) : (
            canPublish && (
              <MenuItem icon={<Eye size={18} aria-hidden="true" />} onSelect={() => onAct('publish')}>
                Опубликовать
              </MenuItem>
            )
          )}
          <MenuSeparator />
          <MenuItem danger icon={<Trash2 size={18} aria-hidden="true" />} onSelect={() => onAct('delete')}>
            Удалить
          </MenuItem>
        </>
      )}
    </Menu>
  )
}
