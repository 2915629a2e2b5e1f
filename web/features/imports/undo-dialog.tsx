import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { QueryError } from '#web/ui/query-error.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { chatsLabel } from './labels.ts'
import { importQuery, useUndo } from './queries.ts'

interface UndoDialogProps {
  id: string
  onClose: () => void
}

/** Names the chats that their owner has continued before anything is removed. */
export function UndoDialog({ id, onClose }: UndoDialogProps) {
  const query = useQuery({ ...importQuery(id), staleTime: 0 })
  const undo = useUndo(id)
  const [alsoContinued, setAlsoContinued] = useState(false)
  const { count = 0, titles = [] } = query.data?.continued ?? {}
  return (
    <ConfirmDialog
      title="Отменить перенос?"
      cancel="Оставить"
      action="Отменить перенос"
      isDanger
      isBusy={undo.isPending}
      isDisabled={!query.data}
      onAction={() => undo.mutate(alsoContinued, { onSuccess: onClose })}
      onClose={onClose}
    >
      <p>Чаты и файлы, которые пришли с этим архивом, удалятся навсегда. Архив можно перенести ещё раз.</p>
      {(query.data?.result?.projects ?? 0) > 0 && (
        <p>Проекты тоже удалятся, кроме тех, которые вы изменили или в которые добавили свои чаты и файлы.</p>
      )}
      {query.isError && <QueryError query={query} />}
      {!query.data && !query.isError && <Skeleton className="h-12" />}
      {count > 0 && (
        <>
          <p>
            {chatsLabel(count)} вы уже продолжили, они останутся:{' '}
            <span className="wrap-anywhere">{titles.map((title) => `«${title}»`).join(', ')}</span>
            {count > titles.length && ' и другие'}.
          </p>
          <Checkbox
            label="Удалить и их, вместе с новыми сообщениями"
            checked={alsoContinued}
            onChange={setAlsoContinued}
          />
        </>
      )}
    </ConfirmDialog>
  )
}
