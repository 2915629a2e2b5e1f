import { useMemo, useState } from 'react'
import type { Thread, ThreadRow } from '#contract/threads.ts'
import { plural } from '#web/lib/format.ts'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { nothingSelected, toggleAll, toggleRow } from '#web/ui/table/selection.ts'
import { ThreadSelectionBar } from './selection-bar.tsx'
import { lineMenuStyle, ThreadLine } from './thread-line.tsx'
import type { View } from './thread-pages.ts'
import { followRow, useRowKeys, useRowTools } from './use-row-tools.tsx'
import { useThreadActions } from './use-thread-actions.ts'

interface TableRowsProps {
  view: View
  rows: ThreadRow[]
}

export function TableRows({ view, rows }: TableRowsProps) {
  const ids = useMemo(() => rows.map(({ id }) => id), [rows])
  const [selection, setSelection] = useState(nothingSelected)
  const [renamingId, setRenamingId] = useState<string | null>(null)
  const [deleting, setDeleting] = useState<Thread[]>([])
  const actions = useThreadActions()
  const { focusRow, listProps } = useRowKeys(ids, null, setRenamingId)
  const { onMenu, onRenamed, menuOf, dialog } = useRowTools({
    rows,
    menuStyle: lineMenuStyle,
    focusRow,
    onRename: setRenamingId,
  })
  const on = useMemo(
    () => ({
      toggle: (id: string, withShift: boolean) => setSelection((before) => toggleRow(before, id, ids, withShift)),
      menu: onMenu,
      renamed: onRenamed,
      restore: actions.restore,
      removeForever: setDeleting,
    }),
    [ids, onMenu, onRenamed, actions],
  )
  const selected = rows.filter(({ id }) => selection.ids.has(id))

  return (
    <>
      <SelectAll
        isAll={selected.length === rows.length}
        isSome={selected.length > 0}
        onToggle={() => setSelection((before) => toggleAll(before, ids))}
      />
      {/* biome-ignore lint/a11y/noStaticElementInteractions: one handler serves the links of thousands of rows */}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: Enter on a link is a click */}
      <div {...listProps} onClick={followRow}>
        <ul aria-label="Список чатов">
          {rows.map((thread) => (
            <ThreadLine
              key={thread.id}
              thread={thread}
              isSelected={selection.ids.has(thread.id)}
              isRenaming={thread.id === renamingId}
              menu={menuOf(thread)}
              on={on}
            />
          ))}
        </ul>
      </div>
      <ThreadSelectionBar
        view={view}
        threads={selected}
        actions={actions}
        onForever={setDeleting}
        onClear={() => setSelection(nothingSelected)}
      />
      <ForeverDialog
        count={deleting.length}
        onClose={() => setDeleting([])}
        onConfirm={() => {
          actions.removeForever(deleting)
          setDeleting([])
          setSelection(nothingSelected)
        }}
      />
      {dialog}
    </>
  )
}

interface SelectAllProps {
  isAll: boolean
  isSome: boolean
  onToggle: () => void
}

function SelectAll({ isAll, isSome, onToggle }: SelectAllProps) {
  return (
    <label className="flex w-fit items-center text-sm text-muted">
      <span className="grid size-11 place-items-center">
        <input
          type="checkbox"
          ref={(box) => {
            if (box) box.indeterminate = isSome && !isAll
          }}
          checked={isAll}
          onChange={onToggle}
          className="size-5 accent-accent"
        />
      </span>
      <span className="pl-1">Выбрать все</span>
    </label>
  )
}

interface ForeverDialogProps {
  count: number
  onConfirm: () => void
  onClose: () => void
}

/** Confirms the only action on this page that cannot be undone. */
function ForeverDialog({ count, onConfirm, onClose }: ForeverDialogProps) {
  const what = count === 1 ? 'чат' : `${count} ${plural(count, 'чат', 'чата', 'чатов')}`
  return (
    <ConfirmDialog
      open={count > 0}
      title={`Удалить ${what} навсегда?`}
      cancel="Оставить"
      action="Удалить навсегда"
      isDanger
      onAction={onConfirm}
      onClose={onClose}
    >
      <p className="text-pretty text-muted">Сообщения исчезнут сразу, вернуть их будет нельзя.</p>
    </ConfirmDialog>
  )
}
