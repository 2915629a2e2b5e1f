import { Radio } from 'lucide-react'
import type { AdminModel } from '#contract/models.ts'
import { formatNumber } from '#web/lib/format.ts'
import { Button } from '#web/ui/button.tsx'
import { Callout } from '#web/ui/callout.tsx'
import { useCheckModel } from './admin-queries.ts'

type Asked = Pick<AdminModel, 'provider' | 'providerModel'>

/** A real question to the model as it is typed now, saved or not. */
export function ModelCheck({ provider, providerModel, kind }: Asked & { kind: string }) {
  const check = useCheckModel()
  const { data, error, isPending, variables } = check
  // What was found out about another model says nothing about this one.
  const isAboutThis = variables?.provider === provider && variables.providerModel === providerModel
  if (kind !== 'text')
    return (
      <p className="text-sm text-muted">Проверка задаёт вопрос словами, поэтому она есть только у текстовых моделей.</p>
    )
  return (
    <div className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center gap-3">
        <Button
          icon={<Radio size={18} aria-hidden="true" />}
          busy={isPending}
          disabled={provider === '' || providerModel.trim() === ''}
          onClick={() => check.mutate({ provider, providerModel: providerModel.trim() })}
        >
          Проверить
        </Button>
        <p className="text-sm text-muted">
          {isPending ? 'Спрашиваем модель, это до 30 секунд…' : 'Один короткий вопрос поставщику. Символы не спишутся.'}
        </p>
      </div>
      <div role="status">
        {isAboutThis && data && (
          <Callout tone="success" title={`Ответила за ${formatNumber(data.ms)}\u00a0мс`}>
            {data.text.trim() ? `«${data.text.trim()}»` : 'Ответ пришёл пустым: проверьте, та ли это модель.'}
          </Callout>
        )}
        {isAboutThis && error && (
          <Callout tone="danger" title="Модель не ответила">
            {error.message}
          </Callout>
        )}
      </div>
    </div>
  )
}
