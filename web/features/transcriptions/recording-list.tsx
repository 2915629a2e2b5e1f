import { useInfiniteQuery } from '@tanstack/react-query'
import type { TranscriptionRow } from '#contract/transcriptions.ts'
import { classNames } from '#web/lib/class-names.ts'
import { callErrorText } from '#web/lib/error-text.ts'
import { formatSymbols, formatTimeOrDay, withPrice } from '#web/lib/format.ts'
import { usePendingRemovals } from '#web/lib/undoable.ts'
import { Button, ButtonLink, IconButton } from '#web/ui/button.tsx'
import { Callout } from '#web/ui/callout.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { RotateCcw, Trash2 } from '#web/ui/icons.ts'
import { Link } from '#web/ui/link.tsx'
import { MarkedText } from '#web/ui/marked-text.tsx'
import { Meter } from '#web/ui/meter.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { errorLabel, formatClock, retryPrice, stateLabel } from './labels.ts'
import { useLocalRecordings } from './local/recordings.ts'
import { transcriptionsQuery, useDeleteTranscription, useRetryFor, useSpeechModels } from './queries.ts'

/** All recordings, newest first. */
export function RecordingList({ query, hrefOf }: { query: string; hrefOf: (id: string) => string }) {
  const list = useInfiniteQuery(transcriptionsQuery(query))
  const pendingRemovals = usePendingRemovals()
  const here = new Set(useLocalRecordings().map(({ id }) => id))
  if (list.isError && !list.data)
    return (
      <Callout tone="danger" action={<Button onClick={() => void list.refetch()}>Повторить</Button>}>
        {callErrorText(list.error)}
      </Callout>
    )
  if (!list.data) return <Waiting />
  const rows = list.data.pages
    .flatMap(({ items }) => items)
    .filter(({ id, status }) => !pendingRemovals.has(id) && !(status === 'uploading' && here.has(id)))
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
    <EmptyState glyph="search" title="Ничего не нашлось" text="Попробуйте другие слова." />
  ) : (
    <EmptyState
      glyph="sound"
      title="Записей пока нет"
      text="Здесь появятся ваши записи с текстом: его можно править, искать и скачать."
    />
  )
}

/** The row is a link, so the button lies above it. */
function Failed({ row }: { row: TranscriptionRow }) {
  const { data: models = [] } = useSpeechModels()
  const retry = useRetryFor(row.id)
  const model = models.find(({ id }) => id === row.modelId) ?? models[0]
  const price = model ? retryPrice(row, model) : null
  return (
    <>
      <p className="mt-1 text-sm text-muted">{errorLabel(row.error, row.charged)}</p>
      <Button
        size="sm"
        className="relative mt-2"
        icon={<RotateCcw size={16} />}
        busy={retry.isPending}
        onClick={() => void retry.start(model?.id ?? null, price)}
      >
        {withPrice('Повторить', price)}
      </Button>
    </>
  )
}

function RecordingRow({ row, href }: { row: TranscriptionRow; href: string }) {
  const remove = useDeleteTranscription()
  const { title, status, durationMs, charged, progress } = row
  const state = stateLabel(row)
  const facts = [
    formatTimeOrDay(row.createdAt),
    durationMs === null ? null : formatClock(durationMs / 1000),
    charged > 0 ? formatSymbols(charged) : null,
  ].filter(Boolean)
  return (
    <li className="relative flex items-start gap-2 p-4 pr-2 transition-colors hover:bg-hover">
      <div className="min-w-0 flex-1">
        <Link href={href} className="block truncate rounded-xs font-medium before:absolute before:inset-0">
          {title}
        </Link>
        <p className="figures flex flex-wrap gap-x-2 text-sm text-muted">
          <span>{facts.join(' · ')}</span>
          {state && (
            <span className={classNames(status === 'failed' ? 'text-danger' : 'text-accent-ink')}>{state}</span>
          )}
        </p>
        {status === 'working' && <Meter share={Math.max(progress, 3) / 100} className="mt-2 h-1" />}
        {status === 'failed' ? (
          <Failed row={row} />
        ) : (
          row.fragment.length > 0 && (
            <p className="mt-1 line-clamp-2 text-sm text-muted">
              <MarkedText parts={row.fragment} />
            </p>
          )
        )}
      </div>
      {status === 'ready' && (
        <ButtonLink href={href} size="sm" aria-label={`Открыть «${title}»`} className="relative shrink-0">
          Открыть
        </ButtonLink>
      )}
      <IconButton
        label={`Удалить «${title}»`}
        icon={<Trash2 size={20} />}
        onClick={() => remove(row)}
        className="relative"
      />
    </li>
  )
}
