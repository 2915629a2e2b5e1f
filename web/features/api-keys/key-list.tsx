import { useState } from 'react'
import type { ApiKey, ApiKeys } from '#contract/api-keys.ts'
import { paths } from '#web/lib/paths.ts'
import { Button } from '#web/ui/button.tsx'
import { Callout } from '#web/ui/callout.tsx'
import { Card } from '#web/ui/card.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { ChevronRight, Plus } from '#web/ui/icons.ts'
import { Badge } from '#web/ui/table/badge.tsx'
import { TextLink } from '#web/ui/text-link.tsx'
import { KeyDialog, type MadeKey } from './key-dialog.tsx'
import { keyFacts, keyState, lastUse, shownKey } from './key-labels.ts'
import { useEndKey } from './queries.ts'

interface KeyListProps {
  data: ApiKeys
  onMade: (made: MadeKey) => void
}

export function KeyList({ data, onMade }: KeyListProps) {
  const [open, setOpen] = useState<ApiKey | 'new' | null>(null)
  const active = data.keys.filter(({ endedAt }) => endedAt === null)
  const ended = data.keys.filter(({ endedAt }) => endedAt !== null)
  const add = (
    <Button variant="primary" icon={<Plus size={18} />} disabled={!data.isOn} onClick={() => setOpen('new')}>
      Создать ключ
    </Button>
  )
  return (
    <div className="flex flex-col gap-4">
      {!data.isOn && (
        <Callout tone="warning" title="Ключи API отключены">
          Владелец сервиса отключил их для всех: программы сейчас получают отказ. Ваши ключи целы и заработают, когда он
          включит их снова.
        </Callout>
      )}
      {data.keys.length === 0 ? (
        <EmptyState
          glyph="key"
          title="Ключей пока нет"
          text="Ключ открывает модели вашим программам: Cline, Continue, n8n, LibreChat, своим скриптам. Тратятся символы с вашего баланса, а предел задаёте вы."
          action={add}
        />
      ) : (
        <>
          <div>
            {active.length < data.most ? add : <p className="text-muted">Ключей уже {data.most}: больше нельзя.</p>}
          </div>
          {active.length > 0 && (
            <Card>
              <KeyRows keys={active} onEdit={setOpen} />
            </Card>
          )}
          {ended.length > 0 && <EndedKeys keys={ended} />}
        </>
      )}
      {open && <KeyDialog edited={open === 'new' ? null : open} onMade={onMade} onClose={() => setOpen(null)} />}
    </div>
  )
}

function EndedKeys({ keys }: { keys: ApiKey[] }) {
  return (
    <details className="group">
      <summary className="inline-flex w-fit list-none items-center gap-1 rounded-xs text-accent-ink text-sm max-frame:min-h-11 [&::-webkit-details-marker]:hidden">
        <ChevronRight size={16} className="transition-transform group-open:rotate-90" />
        Отключённые: {keys.length}
      </summary>
      <Card className="mt-2">
        <KeyRows keys={keys} />
      </Card>
    </details>
  )
}

interface KeyRowsProps {
  keys: ApiKey[]
  /** Missing for ended keys. */
  onEdit?: (key: ApiKey) => void
}

function KeyRows({ keys, onEdit }: KeyRowsProps) {
  const end = useEndKey()
  return (
    <ul aria-label={onEdit ? 'Ключи API' : 'Отключённые ключи API'}>
      {keys.map((key) => (
        <li
          key={key.id}
          className="flex flex-wrap items-center gap-x-4 gap-y-2 border-b py-4 first:pt-0 last:border-0 last:pb-0"
        >
          <div className="min-w-0 flex-1 basis-64">
            <p className="flex flex-wrap items-center gap-x-2 gap-y-1 font-medium wrap-anywhere">
              {key.name}
              <StateBadge apiKey={key} />
            </p>
            <p className="font-mono text-sm">{shownKey(key)}</p>
            <p className="figures text-sm text-muted wrap-anywhere">{keyFacts(key).join(' · ')}</p>
            <p className="figures text-sm text-muted wrap-anywhere">{lastUse(key)}</p>
            <TextLink href={paths.profileOperations(key.id)}>Операции</TextLink>
          </div>
          {onEdit && (
            <div className="flex flex-wrap gap-2">
              <Button size="sm" aria-label={`Изменить ключ ${key.name}`} onClick={() => onEdit(key)}>
                Изменить
              </Button>
              <Button
                size="sm"
                aria-label={`Отключить ключ ${key.name}`}
                busy={end.isPending && end.variables === key.id}
                onClick={() => end.mutate(key.id)}
              >
                Отключить
              </Button>
            </div>
          )}
        </li>
      ))}
    </ul>
  )
}

function StateBadge({ apiKey }: { apiKey: ApiKey }) {
  const state = keyState(apiKey)
  return state && <Badge tone={state.tone}>{state.label}</Badge>
}
