import { useQuery } from '@tanstack/react-query'
import { ApiError } from '#contract/errors.ts'
import type { SharedThread } from '#contract/threads.ts'
import { sharedThreadQuery } from '#web/features/threads/queries.ts'
import { SharedMessages } from '#web/features/threads/shared-messages.tsx'
import { formatDate } from '#web/lib/format.ts'
import { pageConfig } from '#web/lib/page-state.ts'
import { paths } from '#web/lib/paths.ts'
import { useTitle } from '#web/lib/use-title.ts'
import { ButtonLink } from '#web/ui/button.tsx'
import { SquarePen } from '#web/ui/icons.ts'
import { QueryError } from '#web/ui/query-error.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'

/** A chat that its owner opened to everyone with the link; no sign-in is needed. */
export default function SharedScreen({ params }: { params: Record<string, string> }) {
  const shared = useQuery(sharedThreadQuery(params.id ?? ''))
  if (shared.data) return <Read thread={shared.data} />
  if (shared.error instanceof ApiError && shared.error.status === 404) throw linkClosed()
  return (
    <div className="mx-auto flex w-full max-w-[760px] flex-col gap-6 px-4 py-6 frame:py-10">
      {shared.isError ? <QueryError query={shared} /> : <Loading />}
    </div>
  )
}

const linkClosed = () =>
  new ApiError({
    status: 404,
    code: 'not_found',
    message: 'Такой ссылки нет: может быть, автор закрыл к ней доступ. Попросите у него новую.',
  })

function Read({ thread }: { thread: SharedThread }) {
  const { appName } = pageConfig()
  useTitle(thread.title)
  return (
    <article className="mx-auto flex w-full max-w-[760px] flex-col gap-8 px-4 py-2 frame:py-6">
      <header>
        <h1 className="text-2xl font-semibold wrap-anywhere">{thread.title}</h1>
        <p className="mt-1 text-sm text-muted">
          Чат с моделью, открыт по ссылке <time dateTime={thread.sharedAt}>{formatDate(thread.sharedAt)}</time>
        </p>
        {thread.cut && <p className="mt-1 text-sm text-muted">Чат очень длинный: по ссылке видно его окончание.</p>}
      </header>
      <SharedMessages messages={thread.Messages} />
      <footer
        data-screen-only
        className="flex flex-wrap items-center justify-between gap-x-4 gap-y-3 rounded-md border bg-surface p-4"
      >
        <p className="text-pretty text-muted">Это чат из сервиса «{appName}». Вы тоже можете задать свой вопрос.</p>
        <ButtonLink href={paths.home()} variant="primary" icon={<SquarePen size={18} />}>
          Начать свой чат
        </ButtonLink>
      </footer>
    </article>
  )
}

function Loading() {
  return (
    <>
      <Skeleton className="h-9 w-2/3" />
      <Skeleton className="h-12 w-1/2 self-end" />
      <Skeleton className="h-40" />
    </>
  )
}
