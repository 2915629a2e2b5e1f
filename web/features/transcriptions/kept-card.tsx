import { useQueryClient } from '@tanstack/react-query'
import { FileAudio, Mic, Trash2, X } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useProfile } from '#web/features/users/queries.ts'
import { actLater } from '#web/lib/act-later.ts'
import { paths } from '#web/lib/paths.ts'
import { Button, ButtonLink, IconButton } from '#web/ui/button.tsx'
import { Meter } from '#web/ui/meter.tsx'
import { dropKept, type KeptState } from './keep/kept.ts'
import { cancelUpload, startUpload } from './keep/uploads.ts'
import type { Wish } from './use-wish.ts'
import { clock, priceWords, sizeWords } from './words.ts'

interface KeptCardProps {
  kept: KeptState
  wish: Wish
}

/** A recording that waits for its owner's word, with its price, or is on its way. */
export function KeptCard({ kept, wish }: KeptCardProps) {
  const { name, title, kind, blob, seconds, sending, error } = kept
  const shown = title ?? name
  const facts = [seconds === null ? null : clock(seconds), sizeWords(blob.size)].filter(Boolean)
  return (
    <li aria-label={shown} className="flex flex-col gap-3 rounded-md border bg-surface p-4">
      <div className="flex items-start gap-3">
        <span aria-hidden="true" className="grid size-10 shrink-0 place-items-center rounded-md bg-hover text-muted">
          {kind === 'voice' ? <Mic size={20} /> : <FileAudio size={20} />}
        </span>
        <div className="min-w-0 flex-1">
          <p className="truncate font-medium" title={shown}>
            {shown}
          </p>
          <p className="figures text-sm text-muted">{facts.join(' · ')}</p>
        </div>
        {!sending && (
          <IconButton
            label={`Убрать «${shown}»`}
            icon={<Trash2 size={20} aria-hidden="true" />}
            onClick={() => discard(kept)}
          />
        )}
      </div>
      {kind === 'voice' && !sending && <Listen blob={blob} />}
      {sending ? <OnItsWay kept={kept} /> : <Offer kept={kept} wish={wish} />}
      {error && (
        <p role="alert" className="text-sm text-danger">
          {error}
        </p>
      )}
    </li>
  )
}

/** A voice cannot be said again: it goes only after a moment to change one's mind. */
function discard({ id, title, name }: KeptState) {
  actLater({
    id,
    title: `Запись «${title ?? name}» убрана`,
    failed: 'Не удалось убрать запись',
    act: () => dropKept(id),
  })
}

function Offer({ kept, wish }: KeptCardProps) {
  const client = useQueryClient()
  const { data: profile } = useProfile()
  const available = profile?.SingleSubscription.availableTokens ?? null
  const price = priceWords(kept.seconds, { minutePrice: wish.model?.minutePrice ?? null, available })
  return (
    <div className="flex flex-wrap items-center justify-between gap-3">
      <p className={price.isShort ? 'text-sm text-danger' : 'figures text-sm text-muted'}>{price.text}</p>
      <div className="flex flex-wrap gap-2">
        {price.isShort && <ButtonLink href={paths.profile()}>Пополнить</ButtonLink>}
        <Button
          variant="primary"
          disabled={!wish.model || price.isShort}
          onClick={() => void startUpload(client, kept.id, wish.body)}
        >
          {kept.error ? 'Попробовать снова' : 'Расшифровать'}
        </Button>
      </div>
    </div>
  )
}

function OnItsWay({ kept: { id, name, sending } }: { kept: KeptState }) {
  const client = useQueryClient()
  if (!sending) return null
  const percent = Math.floor(sending.share * 100)
  const words = sending.isWaiting ? `Нет связи, продолжим с ${percent}\u00a0%` : `Загружается: ${percent}\u00a0%`
  return (
    <div className="flex items-center gap-3">
      <div className="min-w-0 flex-1">
        <p role="status" className="figures mb-1.5 text-sm text-muted">
          {words}
        </p>
        <Meter share={sending.share} tone={sending.isWaiting ? 'warning' : 'calm'} className="h-1.5" />
      </div>
      <Button
        size="sm"
        variant="ghost"
        icon={<X size={16} aria-hidden="true" />}
        aria-label={`Отменить загрузку «${name}»`}
        onClick={() => void cancelUpload(client, id)}
      >
        Отменить
      </Button>
    </div>
  )
}

function Listen({ blob }: { blob: Blob }) {
  const [url, setUrl] = useState<string | null>(null)
  useEffect(() => {
    const made = URL.createObjectURL(blob)
    setUrl(made)
    return () => URL.revokeObjectURL(made)
  }, [blob])
  // biome-ignore lint/a11y/useMediaCaption: it is what is going to be written down
  return url && <audio controls preload="metadata" src={url} aria-label="Прослушать запись" className="h-10 w-full" />
}
