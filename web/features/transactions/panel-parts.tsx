import { ChevronRight } from '#web/ui/icons.ts'
import { QueryError } from '#web/ui/query-error.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'

export function PanelState({ query }: { query: { error: Error | null; refetch: () => unknown } }) {
  if (!query.error)
    return (
      <div aria-busy="true" className="flex flex-col gap-4">
        <Skeleton className="h-9 w-1/3" />
        <Skeleton className="h-40" />
        <Skeleton className="h-28" />
      </div>
    )
  return <QueryError title="Не загрузилось" query={query} />
}

/** The stored event body; the server removes card data from it. Null when no message came. */
export function EventBody({ body }: { body: unknown }) {
  if (body === null) return null
  return (
    <details className="group text-sm">
      <summary className="inline-flex w-fit list-none items-center gap-1 rounded-xs text-accent-ink max-frame:min-h-11 [&::-webkit-details-marker]:hidden">
        <ChevronRight size={16} className="transition-transform group-open:rotate-90" />
        Сообщение целиком
      </summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a long text is scrolled with the keyboard too */}
      <pre tabIndex={0} className="mt-2 max-h-80 overflow-auto rounded-sm bg-panel p-3 text-[13px] leading-relaxed">
        {JSON.stringify(body, null, 2)}
      </pre>
      <p className="mt-1 text-muted">Данные карты и секреты скрыты.</p>
    </details>
  )
}
