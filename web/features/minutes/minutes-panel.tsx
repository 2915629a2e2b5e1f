import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { ApiError } from '#contract/errors.ts'
import { type Minutes, type MinutesKind, minutesTitles } from '#contract/minutes.ts'
import { modelsQuery, textModels } from '#web/features/models/queries.ts'
import { useProfile } from '#web/features/users/queries.ts'
import { useSession } from '#web/lib/session.ts'
import { maySpend } from '#web/lib/spend-rule.ts'
import { Button, IconButton } from '#web/ui/button.tsx'
import { ChevronDown, FileText } from '#web/ui/icons.ts'
import { Menu, MenuChoice, MenuItem, MenuSeparator } from '#web/ui/menu.tsx'
import { QueryError } from '#web/ui/query-error.tsx'
import { Segmented } from '#web/ui/segmented.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { DocumentView, type ShownRecording } from './document-view.tsx'
import { isRunning, priceLabel } from './labels.ts'
import { minutesQuery, useMakeMinutes, useMinutesEvents } from './queries.ts'

interface MinutesPanelProps extends ShownRecording {
  /** Saves pending corrections of the transcript: the server's text is read. */
  savePending: () => Promise<void>
}

/** The documents about a recording, and the button that makes them. */
export function MinutesPanel({ savePending, ...recording }: MinutesPanelProps) {
  const [modelId, setModelId] = useState<string>()
  const query = useQuery(minutesQuery(recording.id, modelId))
  useMinutesEvents(recording.id)
  // The server has no such feature.
  if (query.error instanceof ApiError && query.error.status === 404) return null
  if (!query.data) return query.isError ? <QueryError query={query} /> : <Skeleton className="h-32 w-full" />
  if (query.data.offers.length === 0 && query.data.documents.length === 0) return null
  return <Documents recording={recording} data={query.data} savePending={savePending} onModel={setModelId} />
}

interface DocumentsProps {
  recording: ShownRecording
  data: Minutes
  savePending: () => Promise<void>
  onModel: (id: string) => void
}

function Documents({ recording, data, savePending, onModel }: DocumentsProps) {
  const { documents, offers, modelId } = data
  const headingId = useId()
  const userId = useSession()?.id ?? ''
  const { data: profile } = useProfile()
  const make = useMakeMinutes(recording.id)
  const [chosen, setChosen] = useState<MinutesKind | null>(null)
  const shown = documents.find(({ kind }) => kind === chosen) ?? documents[0]
  const offerOf = (kind: MinutesKind) => offers.find((offer) => offer.kind === kind)

  async function start(kind: MinutesKind) {
    const offer = offerOf(kind)
    const document = documents.find((known) => known.kind === kind)
    if (!offer || (document && isRunning(document))) return setChosen(kind)
    const isEdited = document?.edited === true && document.text !== ''
    if (isEdited && !(await mayReplace())) return
    const spend = { what: minutesTitles[kind], action: 'Сделать', most: offer.most }
    if (!(await maySpend(profile?.SingleSubscription, spend))) return
    await savePending()
    setChosen(kind)
    make.mutate({ kind, modelId, most: offer.most, overwrite: isEdited })
  }
  const minutesOffer = offerOf('minutes')
  const isMade = documents.some(({ kind }) => kind === 'minutes')
  return (
    <section aria-labelledby={headingId} className="flex flex-col gap-4 rounded-md border bg-surface p-4">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <h2 id={headingId} className="mr-auto text-lg font-semibold">
          {shown && documents.length === 1 ? minutesTitles[shown.kind] : 'Документы по записи'}
        </h2>
        <div className="flex items-center gap-2">
          {!isMade && (
            <Button
              variant="primary"
              icon={<FileText size={18} />}
              busy={make.isPending}
              onClick={() => void start('minutes')}
            >
              Протокол встречи
            </Button>
          )}
          <KindMenu data={data} onStart={(kind) => void start(kind)} onModel={onModel} />
        </div>
      </div>
      {!isMade && minutesOffer && <About data={data} price={priceLabel(minutesOffer)} />}
      {documents.length > 1 && shown && (
        <Segmented
          label="Документ"
          value={shown.kind}
          options={documents.map(({ kind }) => ({ value: kind, label: shortTitles[kind] }))}
          onChange={setChosen}
        />
      )}
      {shown && (
        <DocumentView
          key={shown.kind}
          document={shown}
          offer={offerOf(shown.kind)}
          recording={recording}
          userId={userId}
          isStarting={make.isPending}
          onMake={() => void start(shown.kind)}
        />
      )}
    </section>
  )
}

const shortTitles: Record<MinutesKind, string> = { minutes: 'Протокол', letter: 'Письмо', tasks: 'Задачи' }

function About({ data, price }: { data: Minutes; price: string }) {
  const { data: models = [] } = useQuery(modelsQuery)
  const model = models.find(({ id }) => id === data.modelId)
  return (
    <p className="text-sm text-pretty text-muted">
      Кратко, решения, поручения со сроками и открытые вопросы, со временем в записи.
      {model && ` Пишет ${model.name}:`} <span className="figures">{price}</span>.
    </p>
  )
}

interface KindMenuProps {
  data: Minutes
  onStart: (kind: MinutesKind) => void
  onModel: (id: string) => void
}

/** The documents that are not made yet, with their prices, and the model that writes. */
function KindMenu({ data, onStart, onModel }: KindMenuProps) {
  const { data: models = [] } = useQuery(modelsQuery)
  const visible = textModels(models)
  const left = data.offers.filter(
    ({ kind }) => kind !== 'minutes' && !data.documents.some((document) => document.kind === kind),
  )
  if (left.length === 0 && visible.length < 2) return null
  return (
    <Menu align="end" trigger={<IconButton label="Другие документы и модель" icon={<ChevronDown size={20} />} />}>
      {left.map((offer) => (
        <MenuItem key={offer.kind} onSelect={() => onStart(offer.kind)}>
          <span className="flex flex-col">
            {minutesTitles[offer.kind]}
            <span className="figures text-[13px] text-muted">{priceLabel(offer)}</span>
          </span>
        </MenuItem>
      ))}
      {left.length > 0 && visible.length > 1 && <MenuSeparator />}
      {visible.length > 1 && (
        <MenuChoice
          label="Пишет модель"
          value={data.modelId ?? ''}
          options={visible.map(({ id, name }) => ({ value: id, label: name }))}
          onChange={onModel}
        />
      )}
    </Menu>
  )
}

async function mayReplace(): Promise<boolean> {
  const { ask } = await import('#web/ui/ask.tsx')
  return ask({ title: 'Вы правили этот текст. Новый заменит его вместе с правками.', action: 'Заменить' })
}
