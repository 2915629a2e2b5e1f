import { useQuery } from '@tanstack/react-query'
import { type ModelRatings, ratingReasons } from '#contract/ratings.ts'
import { formatDate, formatNumber, plural } from '#web/lib/format.ts'
import { FormSection } from '#web/ui/form/form-section.tsx'
import { QueryError } from '#web/ui/query-error.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { ratingsQuery } from './queries.ts'

export function ModelRatingsCard({ modelId }: { modelId: string }) {
  const query = useQuery(ratingsQuery(modelId))
  return (
    <div className="mt-8">
      <FormSection
        title="Оценки ответов"
        description="За всё время. Кто оценил и что было в чате, здесь не видно: только причина и комментарий для вас."
      >
        {query.data ? (
          <Figures ratings={query.data} />
        ) : query.isError ? (
          <QueryError query={query} />
        ) : (
          <Skeleton className="h-16" />
        )}
      </FormSection>
    </div>
  )
}

function Figures({ ratings: { good, bad, reasons, comments } }: { ratings: ModelRatings }) {
  if (good + bad === 0) return <p className="text-muted">Пока никто не оценил ответы этой модели.</p>
  return (
    <>
      <p>
        {formatNumber(good)} {plural(good, 'хорошая оценка', 'хорошие оценки', 'хороших оценок')}, {formatNumber(bad)}{' '}
        {plural(bad, 'плохая', 'плохие', 'плохих')}
      </p>
      {reasons.length > 0 && (
        <dl aria-label="За что" className="figures flex max-w-80 flex-col gap-1">
          {reasons.map(({ reason, count }) => (
            <div key={reason} className="flex justify-between gap-4">
              <dt className="text-muted">{ratingReasons[reason]}</dt>
              <dd>{formatNumber(count)}</dd>
            </div>
          ))}
        </dl>
      )}
      {comments.length > 0 && (
        <ul aria-label="Комментарии" className="flex flex-col gap-3 border-t pt-4">
          {comments.map(({ reason, comment, createdAt }) => (
            <li key={`${createdAt} ${comment}`}>
              <p className="whitespace-pre-wrap break-words">{comment}</p>
              <p className="text-sm text-muted">
                {ratingReasons[reason]} · {formatDate(createdAt)}
              </p>
            </li>
          ))}
        </ul>
      )}
    </>
  )
}
