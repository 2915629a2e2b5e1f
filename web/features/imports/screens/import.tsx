import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { ImportCard } from '#web/features/imports/import-card.tsx'
import { importsQuery, useImportEvents } from '#web/features/imports/queries.ts'
import { forget, isSameUpload, rejectionReason, sendArchive, useUploads } from '#web/features/imports/uploads.ts'
import { THREADS } from '#web/features/threads/thread-cache.ts'
import { classNames } from '#web/lib/class-names.ts'
import { notify } from '#web/lib/notify.ts'
import { paths } from '#web/lib/paths.ts'
import { usePageDrop } from '#web/lib/use-page-drop.ts'
import { Button } from '#web/ui/button.tsx'
import { ErrorNote } from '#web/ui/callout.tsx'
import { FileInput } from '#web/ui/file-input.tsx'
import { FolderInput, FolderOpen } from '#web/ui/icons.ts'
import { QueryError } from '#web/ui/query-error.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { TextLink } from '#web/ui/text-link.tsx'

/** Chats from other services: an archive, what is in it, the import and its report. */
export default function ImportScreen() {
  const client = useQueryClient()
  const list = useQuery(importsQuery)
  useImportEvents()
  const uploads = useUploads()
  const rows = list.data ?? []
  useThreadsRefresh(rows.filter(({ status }) => status === 'done' || status === 'undone').length)
  // An upload that the server refused has no row.
  const refused = Object.entries(uploads).filter(([id, { error }]) => error && !rows.some((row) => row.id === id))

  function take(files: File[]) {
    const reason = rejectionReason(files)
    if (files.length === 0) return
    if (reason) notify.error({ title: 'Файл не подошёл', description: reason })
    else
      void sendArchive(
        client,
        files,
        rows.find((row) => isSameUpload(files, row)),
      )
  }

  return (
    <div className="flex flex-col gap-6">
      <header>
        <h1 className="text-2xl font-semibold">Перенос чатов</h1>
        <p className="mt-1 text-pretty text-muted">
          Чаты из ChatGPT, Claude, DeepSeek или другого «Символа» станут вашими чатами здесь: с ветками, датами и
          картинками.{' '}
          <TextLink inText href={paths.help('start/import')}>
            Где взять архив
          </TextLink>
        </p>
      </header>
      <ArchiveDrop onFiles={take} />
      {refused.map(([id, { error }]) => (
        <ErrorNote
          key={id}
          title="Загрузка не началась"
          text={error ?? undefined}
          action={
            <Button size="sm" onClick={() => forget(id)}>
              Понятно
            </Button>
          }
        />
      ))}
      {list.isError && !list.data && <QueryError query={list} title="Переносы не загрузились" />}
      {list.isPending && <Skeleton className="h-32" />}
      {rows.length > 0 && (
        <section aria-labelledby="imports" className="flex flex-col gap-4">
          <h2 id="imports" className="text-lg font-semibold">
            Ваши переносы
          </h2>
          {rows.map((row) => (
            <ImportCard key={row.id} row={row} sending={uploads[row.id]} />
          ))}
        </section>
      )}
    </div>
  )
}

/** Lists of chats are read anew when an import or its undo has ended. */
function useThreadsRefresh(ended: number) {
  const client = useQueryClient()
  const before = useRef(ended)
  useEffect(() => {
    if (before.current !== ended) void client.invalidateQueries({ queryKey: [THREADS] })
    before.current = ended
  }, [client, ended])
}

function ArchiveDrop({ onFiles }: { onFiles: (files: File[]) => void }) {
  const input = useRef<HTMLInputElement>(null)
  const isOver = usePageDrop(onFiles)
  return (
    <div
      className={classNames(
        'flex flex-col items-center gap-4 rounded-lg border-2 border-dashed px-4 py-8 text-center transition-colors',
        isOver ? 'border-accent-ink bg-accent-soft' : 'border-line bg-surface',
      )}
    >
      <span
        aria-hidden="true"
        className="grid size-14 place-items-center rounded-lg bg-accent-soft text-accent-ink [&>svg]:stroke-[1.6]"
      >
        <FolderInput size={28} />
      </span>
      <div>
        <p className="font-medium">
          {isOver ? (
            'Отпускайте'
          ) : (
            <>
              <span className="pointer-coarse:hidden">Перетащите архив сюда</span>
              <span className="hidden pointer-coarse:inline">Выберите архив</span>
            </>
          )}
        </p>
        <p className="mt-0.5 text-sm text-pretty text-muted">
          ZIP или JSON, который прислал сервис, до 2 ГБ. Если архивов несколько, выберите все сразу.
        </p>
      </div>
      <Button variant="primary" icon={<FolderOpen size={18} />} onClick={() => input.current?.click()}>
        Выбрать файл
      </Button>
      <FileInput
        ref={input}
        multiple
        accept=".zip,.json,application/zip,application/json"
        label="Архив с чатами"
        onFiles={onFiles}
      />
    </div>
  )
}
