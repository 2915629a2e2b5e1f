import { useInfiniteQuery } from '@tanstack/react-query'
import { AudioLines, SearchX } from 'lucide-react'
import type { ReactNode } from 'react'
import { useLeaving } from '#web/lib/undoable.ts'
import { Button } from '#web/ui/button.tsx'
import { Callout } from '#web/ui/callout.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { useLocalRecordings } from './local/recordings.ts'
import { listQuery } from './queries.ts'
import { RecordingRow } from './recording-row.tsx'

/** Everything that was ever transcribed here, the newest first. */
export function RecordingList({ query, hrefOf }: { query: string; hrefOf: (id: string) => string }) {
  const list = useInfiniteQuery(listQuery(query))
  const leaving = useLeaving()
  const here = new Set(useLocalRecordings().map(({ id }) => id))
  if (list.isError && !list.data)
    return (
      <Callout tone="danger" action={<Button onClick={() => void list.refetch()}>Повторить</Button>}>
        {list.error.message}
      </Callout>
    )
  if (!list.data) return <Waiting />
  const rows = list.data.pages
    .flatMap(({ items }) => items)
    .filter(({ id, status }) => !leaving.has(id) && !(status === 'uploading' && here.has(id)))
  if (rows.length === 0) return <Nothing isSearch={query !== ''} />
  return (
    <>
      <ul aria-label="Записи" className="divide-y rounded-md border bg-surface">
        {rows.map((row) => (
          <RecordingRow key={row.id} row={row} href={hrefOf(row.id)} />
        ))}
      </ul>
      {list.hasNextPage && (
        <Button className="self-center" busy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
          Показать ещё
        </Button>
      )}
    </>
  )
}

function Waiting() {
  return (
    <div className="divide-y rounded-md border bg-surface">
      {['one', 'two', 'three'].map((key) => (
        <div key={key} className="flex flex-col gap-2 p-4">
          <Skeleton className="h-5 w-1/2" />
          <Skeleton className="h-4 w-1/3" />
        </div>
      ))}
    </div>
  )
}

function Nothing({ isSearch }: { isSearch: boolean }) {
  return isSearch ? (
    <Quiet icon={<SearchX size={24} />}>Ничего не нашлось. Попробуйте другие слова.</Quiet>
  ) : (
    <Quiet icon={<AudioLines size={24} />}>
      Здесь появятся ваши записи с текстом: его можно править, искать и скачать.
    </Quiet>
  )
}

function Quiet({ icon, children }: { icon: ReactNode; children: ReactNode }) {
  return (
    <div className="flex flex-col items-center gap-2 rounded-md border px-4 py-10 text-center text-muted">
      <span aria-hidden="true">{icon}</span>
      <p className="max-w-sm text-pretty">{children}</p>
    </div>
  )
}
