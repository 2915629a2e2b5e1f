import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { OwnDispute, Transaction } from '#contract/transactions.ts'
import { keysQuery } from '#web/features/api-keys/queries.ts'
import { modelsQuery } from '#web/features/models/queries.ts'
import { chargeOfOperation } from '#web/lib/charge.ts'
import { classNames } from '#web/lib/class-names.ts'
import { formatDate, formatDateTime, formatNumber, formatSymbols } from '#web/lib/format.ts'
import { message } from '#web/lib/notify.ts'
import { paths } from '#web/lib/paths.ts'
import { Button } from '#web/ui/button.tsx'
import { ChargeSum } from '#web/ui/charge-sum.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { ChevronDown } from '#web/ui/icons.ts'
import { Link } from '#web/ui/link.tsx'
import { Badge } from '#web/ui/table/badge.tsx'
import { TextArea } from '#web/ui/text-area.tsx'
import { canDispute, disputeLabel, explainOperation, isSpend, operationTitle } from './operation-labels.ts'
import { useDispute } from './queries.ts'

const MINUS = '\u2212'

export function OperationRow({ operation }: { operation: Transaction }) {
  const { symbols, dispute, createdAt } = operation
  const isGain = symbols > 0
  return (
    <li className="border-b last:border-0">
      <details className="group">
        <summary className="flex list-none items-center gap-3 rounded-md px-4 py-3 transition-colors hover:bg-hover [&::-webkit-details-marker]:hidden">
          <span className="min-w-0 flex-1">
            <span className="flex flex-wrap items-center gap-x-2 gap-y-0.5">
              {operationTitle(operation)}
              {dispute && <Badge tone={disputeLabel(dispute).tone}>{disputeLabel(dispute).label}</Badge>}
            </span>
            <span className="block text-sm text-muted wrap-anywhere">
              {operation.subject && `${operation.subject} · `}
              {formatDateTime(createdAt)}
              <ModelName id={operation.modelId} />
              {operation.apiKeyId && <KeyName id={operation.apiKeyId} />}
            </span>
          </span>
          <span className={classNames('figures shrink-0 font-medium', isGain && 'text-success')}>
            {isGain ? '+' : MINUS}
            {formatNumber(Math.abs(symbols))}
          </span>
          <ChevronDown size={18} className="shrink-0 text-muted transition-transform group-open:rotate-180" />
        </summary>
        <Breakdown operation={operation} />
      </details>
    </li>
  )
}

function ModelName({ id }: { id: string | null }) {
  const { data: models } = useQuery(modelsQuery)
  const name = models?.find((model) => model.id === id)?.name
  return name ? ` · ${name}` : null
}

function KeyName({ id }: { id: string }) {
  const name = useQuery(keysQuery).data?.keys.find((key) => key.id === id)?.name
  return name ? ` · ключ «${name}»` : ' · ключ API'
}

const linkStyle = 'rounded-xs text-accent-ink underline underline-offset-2 hover:no-underline'

function Breakdown({ operation }: { operation: Transaction }) {
  const [isDisputing, setIsDisputing] = useState(false)
  const { note, threadId, subject, dispute } = operation
  const charge = chargeOfOperation(operation)
  return (
    <div className="flex flex-col gap-3 px-4 pt-1.5 pb-4">
      {charge && (
        <div className="max-w-120">
          <ChargeSum charge={charge} />
        </div>
      )}
      <p className="figures text-pretty">{explainOperation(operation)}</p>
      {note && <p className="text-sm text-muted wrap-anywhere">{note}</p>}
      {dispute && <OwnDisputeNote dispute={dispute} />}
      <div className="flex flex-wrap items-center gap-x-5 gap-y-2 text-sm">
        {isSpend(operation) && (
          <Link href={paths.help('money/why')} className={linkStyle}>
            Почему списано столько?
          </Link>
        )}
        {threadId && subject !== null && (
          <Link href={paths.thread(threadId)} className={linkStyle}>
            Открыть чат «{subject}»
          </Link>
        )}
        {canDispute(operation) && (
          <Button size="sm" onClick={() => setIsDisputing(true)}>
            Оспорить
          </Button>
        )}
      </div>
      {isDisputing && <DisputeDialog operationId={operation.id} onClose={() => setIsDisputing(false)} />}
    </div>
  )
}

function OwnDisputeNote({ dispute }: { dispute: OwnDispute }) {
  return (
    <div className="flex flex-col gap-1.5 rounded-md bg-hover/60 px-4 py-3 text-sm wrap-anywhere">
      <p>
        <span className="text-muted">Вы написали:</span> {dispute.reason}
      </p>
      <p className="font-medium">{outcome(dispute)}</p>
      {dispute.answer && (
        <p className="whitespace-pre-line">
          <span className="text-muted">Ответ:</span> {dispute.answer}
        </p>
      )}
    </div>
  )
}

function outcome({ status, returned, decidedAt }: OwnDispute): string {
  if (status === 'open' || !decidedAt) return 'Мы проверяем это списание. О решении придёт письмо.'
  if (status === 'refused') return `Проверено ${formatDate(decidedAt)}: списание верное.`
  return `Проверено ${formatDate(decidedAt)}: на баланс вернулось ${formatSymbols(returned ?? 0)}.`
}

interface DisputeDialogProps {
  operationId: string
  onClose: () => void
}

function DisputeDialog({ operationId, onClose }: DisputeDialogProps) {
  const dispute = useDispute()
  const [reason, setReason] = useState('')

  function submit() {
    dispute.mutate(
      { id: operationId, reason },
      {
        onSuccess: () => {
          message.success('Отправлено. Мы проверим это списание.')
          onClose()
        },
      },
    )
  }

  return (
    <Dialog open onClose={onClose} title="Оспорить списание">
      <form
        noValidate
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        <TextArea
          label="Что не так?"
          maxLength={2000}
          value={reason}
          onChange={(event) => setReason(event.target.value)}
          hint="Например: ответ не пришёл, а символы списаны. Если вы правы, символы вернутся на баланс."
          error={dispute.errors.form ?? null}
        />
        <div className="flex flex-wrap justify-end gap-2">
          <Button variant="ghost" onClick={onClose}>
            Не оспаривать
          </Button>
          <Button type="submit" variant="primary" busy={dispute.isPending}>
            Отправить на проверку
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
