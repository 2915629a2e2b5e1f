import type { AdminPrompt } from '#contract/prompts-admin.ts'
import { formatDay, formatNumber } from '#web/lib/format.ts'
import { paths } from '#web/lib/paths.ts'
import { Eye, EyeOff, History, Pencil, RotateCcw, Trash2 } from '#web/ui/icons.ts'
import { MenuItem, MenuSeparator } from '#web/ui/menu.tsx'
import { Badge } from '#web/ui/table/badge.tsx'
import type { Column } from '#web/ui/table/columns.ts'
import { DataTable, type Sorting } from '#web/ui/table/data-table.tsx'
import { RowMenu } from '#web/ui/table/row-menu.tsx'
import type { SelectionControl } from '#web/ui/table/selection.ts'
import type { RowSpec } from '#web/ui/table/table-row.tsx'
import { useMove } from './queries.ts'
import { findMove } from './reorder.ts'
import { isOrderable, type PromptTableFilter } from './table-filter.ts'

export type RowAction = 'edit' | 'history' | 'publish' | 'unpublish' | 'delete' | 'restore'

interface PromptTableProps {
  rows: AdminPrompt[]
  isBusy: boolean
  filter: PromptTableFilter
  sort: Sorting
  selection: SelectionControl
  /** Publishing and other users' prompts. */
  isAdmin: boolean
  onAction: (row: AdminPrompt, action: RowAction) => void
}

export function PromptTable({ rows, isBusy, filter, sort, selection, isAdmin, onAction }: PromptTableProps) {
  const move = useMove(filter)
  const rowSpec: RowSpec<AdminPrompt> = {
    key: ({ id }) => id,
    name: ({ title }) => title,
    ...(filter.state !== 'trash' && { href: ({ id }) => paths.prompt(id) }),
    canMove: ({ canEdit }) => canEdit,
    menu: (row) => <PromptMenu row={row} canPublish={isAdmin} onAction={(action) => onAction(row, action)} />,
  }
  const moveTo = (ids: string[], id: string) => {
    const to = findMove(rows, ids, id)
    if (to) move.mutate(to)
  }
  return (
    <DataTable
      label="Промпты"
      columns={isAdmin ? adminColumns : promptColumns}
      rows={rows}
      rowSpec={rowSpec}
      sort={sort}
      selection={selection}
      onMove={isOrderable(filter) ? moveTo : undefined}
      canPlace={(ids, id) => findMove(rows, ids, id) !== null}
      isBusy={isBusy}
    />
  )
}

const titleColumn: Column<AdminPrompt> = {
  id: 'title',
  title: 'Название',
  isSortable: true,
  isWide: true,
  cell: ({ title }) => title,
  note: ({ description }) =>
    description && <span className="line-clamp-2 basis-full text-pretty text-muted max-sm:hidden">{description}</span>,
}

/** Without `text`: the server writes the export. */
export const promptColumns: Column<AdminPrompt>[] = [
  titleColumn,
  { id: 'category', title: 'Категория', isSortable: true, cell: ({ category }) => category },
  { id: 'published', title: 'Состояние', isSortable: true, cell: (row) => <State row={row} /> },
  { id: 'uses', title: 'Использован', isSortable: true, isNumeric: true, cell: ({ uses }) => formatNumber(uses) },
  {
    id: 'updatedAt',
    title: 'Изменён',
    isSortable: true,
    cell: ({ updatedAt }) => <span className="figures whitespace-nowrap text-muted">{formatDay(updatedAt)}</span>,
  },
]

/** A user's prompt has its owner under the title: a column of its own would take the width from titles. */
const adminColumns: Column<AdminPrompt>[] = [
  {
    ...titleColumn,
    note: (row) => (
      <>
        {titleColumn.note?.(row)}
        {row.owner && (
          <span className="basis-full text-[13px] text-muted wrap-anywhere">
            <span className="sr-only">Автор: </span>
            {row.owner}
          </span>
        )}
      </>
    ),
  },
  ...promptColumns.slice(1),
]

function State({ row: { published, deletedAt } }: { row: AdminPrompt }) {
  if (deletedAt) return <Badge>В корзине</Badge>
  return published ? <Badge tone="success">Общий</Badge> : <Badge>Закрытый</Badge>
}

interface PromptMenuProps {
  row: AdminPrompt
  canPublish: boolean
  onAction: (action: RowAction) => void
}

function PromptMenu({ row, canPublish, onAction }: PromptMenuProps) {
  if (row.deletedAt)
    return (
      <RowMenu name={row.title}>
        <MenuItem icon={<RotateCcw size={18} />} onSelect={() => onAction('restore')}>
          Вернуть из корзины
        </MenuItem>
      </RowMenu>
    )
  return (
    <RowMenu name={row.title}>
      {row.canEdit && (
        <MenuItem icon={<Pencil size={18} />} onSelect={() => onAction('edit')}>
          Изменить
        </MenuItem>
      )}
      <MenuItem icon={<History size={18} />} onSelect={() => onAction('history')}>
        История изменений
      </MenuItem>
      {row.published && (
        <MenuItem icon={<EyeOff size={18} />} onSelect={() => onAction('unpublish')}>
          Снять с публикации
        </MenuItem>
      )}
      {!row.published && canPublish && (
        <MenuItem icon={<Eye size={18} />} onSelect={() => onAction('publish')}>
          Опубликовать
        </MenuItem>
      )}
      <MenuSeparator />
      <MenuItem danger icon={<Trash2 size={18} />} onSelect={() => onAction('delete')}>
        Удалить
      </MenuItem>
    </RowMenu>
  )
}
