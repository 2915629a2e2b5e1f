import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { findScreen } from '#contract/screens.ts'
import type { SetupStep, SetupStepName } from '#contract/status.ts'
import { adminPaths } from '#web/lib/admin-paths.ts'
import { formatDateTime } from '#web/lib/format.ts'
import { paths } from '#web/lib/paths.ts'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { CircleCheck, CircleDashed } from '#web/ui/icons.ts'
import { QueryError } from '#web/ui/query-error.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { TextLink } from '#web/ui/text-link.tsx'
import { setupQuery } from './queries.ts'

/** What the step is called, and where it is done. */
const steps: Record<SetupStepName, { title: string; href: string }> = {
  address: { title: 'Адрес с https', href: `${paths.help('owners/first-day')}#adres` },
  mail: { title: 'Почта', href: paths.help('owners/mail') },
  model: { title: 'Модель', href: adminPaths.models() },
  prices: { title: 'Тарифы и пакеты символов', href: adminPaths.plans() },
  payments: { title: 'Оплата', href: adminPaths.payments() },
  documents: { title: 'Документы', href: adminPaths.documents() },
  support: { title: 'Поддержка', href: `${paths.help('owners/first-day')}#podderzhka` },
  backup: { title: 'Резервная копия', href: paths.help('owners/backups') },
}

const KEY = 'setup-folded'

/** On top of the statistics until all is done; folded for those who do not mean to sell. */
export function SetupCard() {
  const { data } = useQuery(setupQuery)
  const [isFolded, setFolded] = useState(() => localStorage.getItem(KEY) === 'yes')
  if (!data || data.every(({ isDone }) => isDone)) return null
  function fold() {
    setFolded(!isFolded)
    localStorage.setItem(KEY, isFolded ? 'no' : 'yes')
  }
  return (
    <Card className="flex flex-col gap-4">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
        <h2 className="text-lg font-semibold">
          Готово к продажам: <span className="figures">{countOf(data)}</span>
        </h2>
        <Button size="sm" variant="ghost" aria-expanded={!isFolded} onClick={fold}>
          {isFolded ? 'Показать' : 'Свернуть'}
        </Button>
      </div>
      {!isFolded && <Steps found={data} />}
    </Card>
  )
}

/** The same list in «Состояние», also when all is done. */
export function SetupSteps() {
  const found = useQuery(setupQuery)
  if (found.isError) return <QueryError query={found} />
  if (!found.data) return <Skeleton className="h-64" />
  return <Steps found={found.data} />
}

const countOf = (found: SetupStep[]) => `${found.filter(({ isDone }) => isDone).length} из ${found.length}`

function Steps({ found }: { found: SetupStep[] }) {
  return (
    <ul className="grid gap-x-8 gap-y-3 lg:grid-cols-2">
      {found.map((step) => (
        <Step key={step.name} step={step} />
      ))}
    </ul>
  )
}

function Step({ step: { name, isDone, text, at } }: { step: SetupStep }) {
  const { title, href } = steps[name]
  const Icon = isDone ? CircleCheck : CircleDashed
  return (
    <li className="flex gap-3">
      <Icon
        size={20}
        role="img"
        aria-label={isDone ? 'Сделано' : 'Осталось сделать'}
        className={isDone ? 'mt-0.5 shrink-0 text-success' : 'mt-0.5 shrink-0 text-muted'}
      />
      <div className="min-w-0">
        {findScreen(href) ? <TextLink href={href}>{title}</TextLink> : <span className="font-medium">{title}</span>}
        <p className="text-[15px] text-pretty wrap-anywhere text-muted">
          {text}
          {at && ` ${formatDateTime(at)}`}
        </p>
      </div>
    </li>
  )
}
