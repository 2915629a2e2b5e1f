import { useQuery } from '@tanstack/react-query'
import { useLocation } from 'wouter'
import { ApiError } from '#contract/errors.ts'
import type { HelpPage } from '#contract/help.ts'
import { Article } from '#web/features/help/article.tsx'
import { Feedback } from '#web/features/help/feedback.tsx'
import { Neighbours, PageContents } from '#web/features/help/page-navigation.tsx'
import { helpPageQuery } from '#web/features/help/queries.ts'
import { PublishedDocuments } from '#web/features/legal/published-documents.tsx'
import { classNames } from '#web/lib/class-names.ts'
import { paths } from '#web/lib/paths.ts'
import { useSession } from '#web/lib/session.ts'
import { useTitle } from '#web/lib/use-title.ts'
import { BackLink } from '#web/ui/back-link.tsx'
import { ButtonLink } from '#web/ui/button.tsx'
import { pageColumn, readingWidth } from '#web/ui/page-column.ts'
import { QueryError } from '#web/ui/query-error.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'

export default function HelpPageScreen({ params }: { params: Record<string, string> }) {
  const page = useQuery(helpPageQuery(params['*'] ?? ''))
  if (page.data) return <Read page={page.data} />
  if (page.error instanceof ApiError && page.error.status === 404) throw page.error
  return (
    <div className={pageColumn}>
      <div className={`${readingWidth} flex flex-col gap-4`}>
        {page.isError ? <QueryError query={page} /> : <PageSkeleton />}
      </div>
    </div>
  )
}

function Read({ page }: { page: HelpPage }) {
  const isSignedIn = useSession() !== null
  const [, navigate] = useLocation()
  useTitle(page.title)
  return (
    <div className={classNames(pageColumn, 'flex gap-10', !isSignedIn && 'max-w-[760px]! frame:px-4!')}>
      <article className="flex w-full min-w-0 max-w-[672px] flex-col gap-8">
        <header>
          {isSignedIn && <BackLink href={paths.help()}>Помощь</BackLink>}
          <h1 className="mt-1 text-3xl font-semibold">{page.title}</h1>
        </header>
        {pagesWithDocuments.has(page.slug) && <PublishedDocuments />}
        <Article html={page.html} onFollow={navigate} />
        <footer data-screen-only className="flex flex-col gap-8 border-t pt-6">
          {isSignedIn ? <Feedback page={page} /> : <Invitation />}
          <Neighbours page={page} />
        </footer>
      </article>
      {isSignedIn && (
        <div className="hidden w-56 shrink-0 xl:block">
          <PageContents headings={page.headings} />
        </div>
      )}
    </div>
  )
}

/** Help pages that also link to the documents published by the seller. */
const pagesWithDocuments = new Set(['account/terms', 'account/privacy', 'money/refunds'])

function Invitation() {
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-3">
      <p className="text-muted">Остальная помощь открывается после входа.</p>
      <ButtonLink href={paths.signIn()} size="sm">
        Войти
      </ButtonLink>
    </div>
  )
}

function PageSkeleton() {
  return (
    <>
      <Skeleton className="h-10 w-2/3" />
      <Skeleton className="mt-4 h-24" />
      <Skeleton className="h-24" />
      <Skeleton className="h-24" />
    </>
  )
}
