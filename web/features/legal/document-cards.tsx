import { useQuery } from '@tanstack/react-query'
import { type DocumentKind, type DocumentSummary, documentsForSale, documentTitles } from '#contract/legal.ts'
import { adminPaths } from '#web/lib/admin-paths.ts'
import { formatDate, formatNumber } from '#web/lib/format.ts'
import { Callout } from '#web/ui/callout.tsx'
import { Card } from '#web/ui/card.tsx'
import { CircleCheck, CircleDashed } from '#web/ui/icons.ts'
import { Link } from '#web/ui/link.tsx'
import { QueryError } from '#web/ui/query-error.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { Badge } from '#web/ui/table/badge.tsx'
import { documentsQuery } from './queries.ts'

export function DocumentCards() {
  const documents = useQuery(documentsQuery)
  if (documents.isError) return <QueryError query={documents} />
  if (!documents.data) return <Skeleton className="h-80" />
  return (
    <>
      <Readiness documents={documents.data} />
      <ul className="flex flex-col rounded-md border bg-surface">
        {documents.data.map((document) => (
          <DocumentRow key={document.kind} document={document} />
        ))}
      </ul>
    </>
  )
}

const duties: Record<(typeof documentsForSale)[number], string> = {
  offer: 'Оферта опубликована',
  'personal-data': 'Согласие на обработку персональных данных опубликовано',
  requisites: 'Реквизиты продавца опубликованы',
}

/** The documents that must be published before anything is sold. */
function Readiness({ documents }: { documents: DocumentSummary[] }) {
  const has = (kind: DocumentKind) => documents.some((one) => one.kind === kind && one.current !== null)
  const isReady = documentsForSale.every(has)
  return (
    <Card className="flex flex-col gap-4">
      <h2 className="flex flex-wrap items-center gap-x-3 gap-y-1 text-lg font-semibold">
        Документы для продаж
        <Badge tone={isReady ? 'success' : 'warning'}>{isReady ? 'готовы' : 'ещё не все'}</Badge>
      </h2>
      <ul className="flex flex-col gap-2">
        {documentsForSale.map((kind) => (
          <li key={kind} className="flex items-start gap-2.5">
            {has(kind) ? (
              <CircleCheck size={20} aria-label="Сделано:" className="mt-0.5 shrink-0 text-success" />
            ) : (
              <CircleDashed size={20} aria-label="Не сделано:" className="mt-0.5 shrink-0 text-muted" />
            )}
            <span>{duties[kind]}</span>
          </li>
        ))}
      </ul>
      {!has('offer') && (
        <Callout tone="warning" title="Оферты пока нет, есть образец">
          Пока оферта не опубликована, люди видят в справке образец условий. Он не является офертой, и согласиться с ним
          не просят: вход работает как обычно.
        </Callout>
      )}
      {has('offer') && !has('personal-data') && (
        <Callout tone="warning">
          С офертой люди уже соглашаются, а согласия на обработку персональных данных у них не спрашивают: его текст не
          опубликован.
        </Callout>
      )}
    </Card>
  )
}

function DocumentRow({ document: { kind, current, agreed } }: { document: DocumentSummary }) {
  return (
    <li className="border-b last:border-0">
      <Link
        href={adminPaths.document(kind)}
        className="flex min-h-14 flex-wrap items-center gap-x-4 gap-y-1 px-4 py-3 hover:bg-hover"
      >
        <span className="font-medium">{documentTitles[kind]}</span>
        {current ? (
          <Badge tone="success">версия {current.version}</Badge>
        ) : (
          <Badge tone="warning">не опубликовано</Badge>
        )}
        <span className="text-sm text-muted sm:ml-auto">{current && facts(current.publishedAt, agreed)}</span>
      </Link>
    </li>
  )
}

function facts(publishedAt: string, agreed: number | null): string {
  const since = `от ${formatDate(publishedAt)}`
  return agreed === null ? since : `${since} · согласий: ${formatNumber(agreed)}`
}
