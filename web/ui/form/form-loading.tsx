import { ButtonLink } from '#web/ui/button.tsx'
import { ErrorText } from '#web/ui/error-text.tsx'
import { QueryError } from '#web/ui/query-error.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'

interface FormLoadingProps {
  query: { error: Error | null; refetch: () => unknown }
}

/** Shown instead of a form while its data loads or when loading failed. */
export function FormLoading({ query }: FormLoadingProps) {
  if (!query.error)
    return (
      <div aria-busy="true" className="flex flex-col gap-6">
        <Skeleton className="h-10 w-2/3" />
        <Skeleton className="h-52" />
        <Skeleton className="h-64" />
      </div>
    )
  return <QueryError title="Страница не загрузилась" query={query} />
}

interface ItemNotFoundProps {
  title: string
  back: { label: string; href: string }
}

/** The address of a screen names something that does not exist. */
export function ItemNotFound({ title, back }: ItemNotFoundProps) {
  return (
    <ErrorText title="404" text={title}>
      <p className="text-pretty text-muted">Удалено, или в адресе ошибка.</p>
      <ButtonLink href={back.href} variant="primary">
        {back.label}
      </ButtonLink>
    </ErrorText>
  )
}
