import { useState } from 'react'
import type { DisputeDetails } from '#contract/disputes.ts'
import { adminPaths } from '#web/lib/admin-paths.ts'
import { chargeOfOperation } from '#web/lib/charge.ts'
import { formatDateTime, formatSymbols } from '#web/lib/format.ts'
import { BackLink } from '#web/ui/back-link.tsx'
import { Button } from '#web/ui/button.tsx'
import { Callout } from '#web/ui/callout.tsx'
import { Card } from '#web/ui/card.tsx'
import { ChargeSum } from '#web/ui/charge-sum.tsx'
import { Badge } from '#web/ui/table/badge.tsx'
import { TextLink } from '#web/ui/text-link.tsx'
import { RefuseDialog, ReturnDialog } from './decision-dialogs.tsx'
import { answerEnds, statusLabel } from './dispute-labels.ts'

interface DisputeCardProps {
  dispute: DisputeDetails
  /** The charge as the user sees it: its name and its size. */
  charge: { name: string; total: string }
}

export function DisputeCard({ dispute, charge }: DisputeCardProps) {
  const { user, entry, reason, createdAt, status } = dispute
  return (
    <div className="flex flex-col gap-6">
      <header>
        <BackLink href={adminPaths.disputes()}>Оспоренные списания</BackLink>
        <h1 className="mt-1 flex flex-wrap items-center gap-x-3 gap-y-1 text-2xl font-semibold">
          {formatSymbols(-entry.symbols)}
          <Badge tone={statusLabel[status].tone}>{statusLabel[status].label}</Badge>
        </h1>
      </header>
      <Card className="flex flex-col gap-3">
        <p className="text-sm text-muted">
          <TextLink href={adminPaths.user(user.id)}>{user.email}</TextLink>
          {`, ${formatDateTime(createdAt)}`}
        </p>
        <blockquote className="border-l-2 border-line-strong pl-4 whitespace-pre-line wrap-anywhere">
          {reason}
        </blockquote>
      </Card>
      <Charge dispute={dispute} charge={charge} />
      {status === 'open' ? <Decide dispute={dispute} /> : <Decided dispute={dispute} />}
    </div>
  )
}

function Charge({ dispute, charge }: DisputeCardProps) {
  const { entry, model, messageStatus } = dispute
  const sum = chargeOfOperation(entry)
  return (
    <section aria-labelledby="charge">
      <h2 id="charge" className="text-lg font-semibold">
        Состав списания
      </h2>
      <p className="mt-0.5 text-sm text-pretty text-muted">
        Здесь только размеры: сами тексты принадлежат пользователю, и их не видно.
      </p>
      <Card className="mt-3 flex flex-col gap-4">
        <p>
          {charge.name}
          <span className="block text-sm text-muted">
            {[formatDateTime(entry.createdAt), model, `операция № ${entry.id}`].filter(Boolean).join(' · ')}
          </span>
        </p>
        {sum && <ChargeSum charge={sum} />}
        <p className="figures text-pretty">{charge.total}</p>
        {messageStatus && <p className="text-sm text-muted">Ответ {answerEnds[messageStatus]}.</p>}
      </Card>
    </section>
  )
}

function Decide({ dispute }: { dispute: DisputeDetails }) {
  const [open, setOpen] = useState<'return' | 'refuse' | null>(null)
  const close = () => setOpen(null)
  return (
    <div className="flex flex-wrap gap-2">
      <Button variant="primary" onClick={() => setOpen('return')}>
        Вернуть символы
      </Button>
      <Button onClick={() => setOpen('refuse')}>Отказать с объяснением</Button>
      {open === 'return' && <ReturnDialog dispute={dispute} onClose={close} />}
      {open === 'refuse' && <RefuseDialog dispute={dispute} onClose={close} />}
    </div>
  )
}

function Decided({ dispute: { status, returned, answer, decidedAt, decidedBy } }: { dispute: DisputeDetails }) {
  const by = [decidedAt && formatDateTime(decidedAt), decidedBy].filter(Boolean).join(', ')
  return (
    <Callout
      tone={status === 'returned' ? 'success' : 'info'}
      title={status === 'returned' ? `Возвращено: ${formatSymbols(returned ?? 0)}` : 'В возврате отказано'}
    >
      <p className="text-sm text-muted">{by}</p>
      {answer && <p className="mt-2 whitespace-pre-line wrap-anywhere">{answer}</p>}
    </Callout>
  )
}
