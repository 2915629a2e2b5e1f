import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { type Summary, summaryPrice } from '#contract/summaries.ts'
import { modelsQuery } from '#web/features/models/queries.ts'
import { useProfile } from '#web/features/users/queries.ts'
import { classNames } from '#web/lib/class-names.ts'
import { formatSymbols, withPrice } from '#web/lib/format.ts'
import { Button } from '#web/ui/button.tsx'
import { ChevronDown, FoldVertical, TriangleAlert } from '#web/ui/icons.ts'
import { LazyMarkdown } from '#web/ui/markdown/markdown-part.tsx'
import { findThreadModel } from '../composer/model-labels.ts'
import { planFor } from '../composer/sent-history.ts'
import { MessageEditor } from '../messages/message-editor.tsx'
import { threadKey } from '../state/thread-data.ts'
import { useBuySummary, useEditSummary, useRemoveSummary } from './queries.ts'
import { summaryTitle } from './summary-labels.ts'

interface SummaryRowProps {
  threadId: string
  summary: Summary
}

/** A row after the messages that a summary replaces; a click opens the summary. */
export function SummaryRow(props: SummaryRowProps) {
  return props.summary.text === '' ? <GoneSummary {...props} /> : <StoredSummary {...props} />
}

/** The text of the summary was deleted together with messages that it covered. */
function GoneSummary({ threadId, summary }: SummaryRowProps) {
  const remove = useRemoveSummary(threadId, summary.id)
  return (
    <li className="px-4 py-2">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5 text-sm text-muted">
        <p className="flex min-w-0 flex-1 basis-60 items-start gap-2">
          <FoldVertical size={16} className="mt-0.5 shrink-0" />
          <span className="text-pretty">
            Сжатое начало удалено вместе с сообщениями, которые оно заменяло. История снова отправляется целиком.
          </span>
        </p>
        <div data-screen-only className="flex items-center gap-1">
          <MakeAgain threadId={threadId} summary={summary} />
          <Button size="sm" variant="ghost" busy={remove.isPending} onClick={() => remove.mutate()}>
            Понятно
          </Button>
        </div>
      </div>
    </li>
  )
}

function StoredSummary({ threadId, summary }: SummaryRowProps) {
  const [isOpen, setOpen] = useState(false)
  const partId = useId()
  const Icon = summary.stale ? TriangleAlert : FoldVertical
  return (
    <li className="px-4 py-2">
      <div className={classNames('rounded-md border', summary.stale ? 'bg-warning-soft' : 'bg-panel')}>
        <button
          type="button"
          aria-expanded={isOpen}
          aria-controls={partId}
          onClick={() => setOpen(!isOpen)}
          className="flex min-h-11 w-full items-center gap-2.5 rounded-md px-4 py-2 text-left text-sm transition-colors hover:bg-hover"
        >
          <Icon size={16} className="shrink-0 text-muted" />
          <span className="figures min-w-0 flex-1">{summaryTitle(summary)}</span>
          <ChevronDown
            size={18}
            className={classNames('shrink-0 text-muted transition-transform', isOpen && 'rotate-180')}
          />
        </button>
        <div id={partId} hidden={!isOpen}>
          {isOpen && <OpenSummary threadId={threadId} summary={summary} />}
        </div>
      </div>
    </li>
  )
}

function OpenSummary({ threadId, summary }: SummaryRowProps) {
  const [isEditing, setEditing] = useState(false)
  const edit = useEditSummary(threadId, summary.id)
  return (
    <div className="flex flex-col gap-3 border-t px-4 pt-3 pb-4">
      <p className="text-sm text-pretty text-muted">{aboutText(summary)}</p>
      {isEditing ? (
        <MessageEditor
          label="Сжатое начало чата"
          text={summary.text}
          action="Сохранить"
          note="Бесплатно"
          onCancel={() => setEditing(false)}
          onSave={(text) => edit.mutate(text, { onSuccess: () => setEditing(false) })}
        />
      ) : (
        <>
          <div className="text-[15px] wrap-anywhere">
            <LazyMarkdown text={summary.text} isStreaming={false} />
          </div>
          <div data-screen-only className="flex flex-wrap gap-2">
            {summary.stale && (
              <Button size="sm" busy={edit.isPending} onClick={() => edit.mutate(summary.text)}>
                Использовать как есть
              </Button>
            )}
            <Button size="sm" onClick={() => setEditing(true)}>
              Исправить текст
            </Button>
            <MakeAgain threadId={threadId} summary={summary} />
            <Remove threadId={threadId} summary={summary} />
          </div>
        </>
      )}
    </div>
  )
}

function aboutText({ stale, edited, charged }: Summary): string {
  const use = stale
    ? 'История снова отправляется целиком. Проверьте текст: сохранённый, он заменит сообщения выше.'
    : 'Модель читает это вместо сообщений выше, сами они остались в чате.'
  const cost = charged > 0 ? ` Сжатие стоило ${formatSymbols(charged)}.` : ''
  return `${use}${cost}${edited ? ' Текст исправлен вами.' : ''}`
}

function MakeAgain({ threadId, summary }: SummaryRowProps) {
  const client = useQueryClient()
  const make = useBuySummary(threadId)
  const settings = useProfile().data?.Settings
  const { data: models } = useQuery(modelsQuery)
  const data = client.getQueryData(threadKey(threadId))
  const model = models && data && findThreadModel(models, data.Model)?.model
  const plan = model && settings && data ? planFor(data, settings, model, summary.id) : null
  if (!plan || !model) return null
  const cost = summaryPrice(plan, model)
  return (
    <Button
      size="sm"
      busy={make.isPending}
      title="Прочитать сообщения ещё раз и сжать их заново"
      onClick={() => void make.start({ instead: summary.id, most: cost.high })}
    >
      {withPrice('Сжать заново', cost.high, 'most')}
    </Button>
  )
}

function Remove({ threadId, summary }: SummaryRowProps) {
  const [isAsking, setAsking] = useState(false)
  const remove = useRemoveSummary(threadId, summary.id)
  if (!isAsking)
    return (
      <Button size="sm" variant="ghost" onClick={() => setAsking(true)}>
        Убрать
      </Button>
    )
  return (
    <span className="flex flex-wrap items-center gap-2 text-sm">
      Убрать без возврата? История будет отправляться целиком.
      <Button size="sm" variant="danger" busy={remove.isPending} onClick={() => remove.mutate()}>
        Убрать
      </Button>
      <Button size="sm" variant="ghost" onClick={() => setAsking(false)}>
        Оставить
      </Button>
    </span>
  )
}
