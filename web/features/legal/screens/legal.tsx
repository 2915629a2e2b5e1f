import { useQuery } from '@tanstack/react-query'
import { useSearch } from 'wouter'
import { ApiError } from '#contract/errors.ts'
import { documentTitles, type LegalDocument } from '#contract/legal.ts'
import { legalDocumentQuery } from '#web/features/legal/queries.ts'
import { formatDate } from '#web/lib/format.ts'
import { paths } from '#web/lib/paths.ts'
import { useTitle } from '#web/lib/use-title.ts'
import { Callout } from '#web/ui/callout.tsx'
import { LazyMarkdown } from '#web/ui/markdown/markdown-part.tsx'
import { QueryError } from '#web/ui/query-error.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { TextLink } from '#web/ui/text-link.tsx'

/** A document of the seller, for everyone; `version` in the address opens an earlier text. */
export default function LegalScreen({ params: { kind = '' } }: { params: Record<string, string> }) {
  const version = Number(new URLSearchParams(useSearch()).get('version')) || undefined
  const document = useQuery(legalDocumentQuery(kind, version))
  if (document.data) return <Read document={document.data} />
  if (document.error instanceof ApiError && document.error.status === 404) throw document.error
  return (
    <div className={columnStyle}>
      {document.isError ? (
        <QueryError query={document} />
      ) : (
        <>
          <Skeleton className="h-10 w-2/3" />
          <Skeleton className="h-64" />
        </>
      )}
    </div>
  )
}

const columnStyle = 'mx-auto flex w-full max-w-[760px] flex-col gap-6 px-4 py-2 frame:py-6'

function Read({ document }: { document: LegalDocument }) {
  const { kind, version, currentVersion, publishedAt, text, hash, others } = document
  useTitle(documentTitles[kind])
  return (
    <article className={columnStyle}>
      <header>
        <h1 className="text-3xl font-semibold text-balance">{documentTitles[kind]}</h1>
        <p className="mt-2 text-sm text-muted">
          Версия {version} от <time dateTime={publishedAt}>{formatDate(publishedAt)}</time>
        </p>
      </header>
      {version !== currentVersion && (
        <Callout tone="warning">
          Это прежний текст.{' '}
          <TextLink inText href={paths.legal(kind)}>
            Сейчас действует версия {currentVersion}
          </TextLink>
        </Callout>
      )}
      <LazyMarkdown text={text} />
      <footer className="flex flex-col gap-3 border-t pt-5 text-sm text-muted">
        {others.length > 0 && (
          <nav data-screen-only aria-label="Другие документы" className="flex flex-wrap gap-x-5 gap-y-2">
            {others.map((other) => (
              <TextLink key={other} href={paths.legal(other)}>
                {documentTitles[other]}
              </TextLink>
            ))}
          </nav>
        )}
        <p className="wrap-anywhere">Контрольная сумма текста (SHA-256): {hash}</p>
      </footer>
    </article>
  )
}
