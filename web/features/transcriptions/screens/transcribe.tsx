import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Suspense } from 'react'
import { useLocation } from 'wouter'
import { ApiError } from '#contract/errors.ts'
import type { Attachment } from '#contract/files.ts'
import { focusComposer } from '#web/features/chat/composer/focus-composer.ts'
import { draftKey, drafts } from '#web/features/chat/state/drafts.ts'
import { NewRecording } from '#web/features/transcriptions/new-recording.tsx'
import {
  transcriptionQuery,
  transcriptionsQuery,
  useTranscriptionEvents,
} from '#web/features/transcriptions/queries.ts'
import { RecordingList } from '#web/features/transcriptions/recording-list.tsx'
import { type RecordingTie, RecordingView } from '#web/features/transcriptions/view/recording-view.tsx'
import { lazyComponent } from '#web/lib/lazy-component.ts'
import { paths } from '#web/lib/paths.ts'
import { useSession } from '#web/lib/session.ts'
import { textParam, useUrlState } from '#web/lib/url-state.ts'
import { ItemNotFound } from '#web/ui/form/form-loading.tsx'
import { QueryError } from '#web/ui/query-error.tsx'
import { SearchField } from '#web/ui/search-field.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'

const MinutesPanel = lazyComponent(async () => (await import('#web/features/minutes/minutes-panel.tsx')).MinutesPanel)

const params = { id: textParam(), query: textParam() }

/** Recordings and their transcripts. The open recording and the search are in the address. */
export default function TranscribeScreen() {
  const userId = useSession()?.id ?? ''
  const { id } = useUrlState(params).state
  useTranscriptionEvents()
  return id ? <One key={id} id={id} userId={userId} /> : <All userId={userId} />
}

function All({ userId }: { userId: string }) {
  const { state, change } = useUrlState(params)
  const { query } = state
  const list = useInfiniteQuery(transcriptionsQuery(query))
  // There is nothing to search in yet.
  const isEmpty = query === '' && list.data?.pages[0]?.items.length === 0
  return (
    <div className="flex flex-col gap-6">
      <header>
        <h1 className="text-2xl font-semibold">Расшифровка</h1>
        <p className="mt-1 text-pretty text-muted">
          Запись голоса станет текстом, который можно править, искать и обсуждать.
        </p>
      </header>
      <NewRecording userId={userId} />
      <section aria-labelledby="recordings" className="flex flex-col gap-4">
        <h2 id="recordings" className="text-lg font-semibold">
          Ваши записи
        </h2>
        {!isEmpty && (
          <SearchField
            label="Поиск по записям"
            placeholder="Например, договор"
            value={query}
            onChange={(text) => change({ query: text })}
          />
        )}
        <RecordingList query={query} hrefOf={paths.transcription} />
      </section>
    </div>
  )
}

function One({ id, userId }: { id: string; userId: string }) {
  const [, navigate] = useLocation()
  const query = useQuery(transcriptionQuery(id))
  function ask(file: Attachment) {
    const key = draftKey(userId, null)
    drafts().append(key, { text: '', files: [file] })
    drafts().flush()
    navigate(paths.home())
    focusComposer()
  }
  if (query.error instanceof ApiError && query.error.status === 404)
    return <ItemNotFound title="Такой записи нет" back={{ label: 'Все записи', href: paths.transcribe() }} />
  if (query.data)
    return (
      <RecordingView
        recording={query.data}
        back={paths.transcribe()}
        onAsk={ask}
        onGone={() => navigate(paths.transcribe())}
        belowPlayer={(tie) => <Documents {...tie} />}
      />
    )
  return query.isError ? <QueryError query={query} /> : <Waiting />
}

function Documents({ recording, ...tie }: RecordingTie) {
  const { id, title, durationMs, segments } = recording
  const lastSecond = Math.ceil(durationMs === null ? (segments?.at(-1)?.end ?? 0) : durationMs / 1000)
  return (
    <Suspense fallback={<Skeleton className="h-32 w-full" />}>
      <MinutesPanel id={id} href={paths.transcription(id)} title={title} lastSecond={lastSecond} {...tie} />
    </Suspense>
  )
}

function Waiting() {
  return (
    <div className="flex flex-col gap-5">
      <Skeleton className="h-8 w-2/3" />
      <Skeleton className="h-10 w-full" />
      <Skeleton className="h-14 w-full" />
      {['one', 'two', 'three', 'four'].map((key) => (
        <Skeleton key={key} className="h-6 w-full" />
      ))}
    </div>
  )
}
