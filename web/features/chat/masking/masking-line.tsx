import { useState } from 'react'
import type { Model } from '#contract/models.ts'
import type { Settings } from '#contract/users.ts'
import { useProfile, useUpdateProfile } from '#web/features/users/queries.ts'
import { leavesHome, placeLabel } from '#web/lib/data-place.ts'
import { EyeOff } from '#web/ui/icons.ts'
import { countValues, maskedWords, useMaskedValues } from './masked-words.ts'

interface MaskingLineProps {
  text: string
  model: Model
  asIs: boolean
  onAsIs: (asIs: boolean) => void
}

const none: string[] = []
const linkStyle = 'rounded-xs text-accent-ink underline underline-offset-4 pointer-coarse:py-2'

/** Below the field: what will be hidden from a model abroad, or the offer to hide it. Null without personal data. */
export function MaskingLine({ text, model, asIs, onAsIs }: MaskingLineProps) {
  const settings = useProfile().data?.Settings
  const isNeeded = text.trim() !== '' && model.kind === 'text' && settings !== undefined && leavesHome(model)
  const values = useMaskedValues(text, settings?.maskedNames ?? none, isNeeded)
  if (!values || values.length === 0 || !settings) return null
  const words = maskedWords(countValues(values))
  return settings.maskPersonal ? (
    <p role="status" className="flex flex-wrap items-center gap-x-3 px-2 pb-1 text-[13px] leading-5 text-muted">
      <span className="inline-flex items-center gap-1.5">
        <EyeOff size={14} className="shrink-0" />
        {asIs ? `Модель увидит: ${words}` : `Модель не увидит: ${words}`}
      </span>
      <label className="inline-flex min-h-8 cursor-pointer items-center gap-1.5 pointer-coarse:min-h-11">
        <input
          type="checkbox"
          checked={asIs}
          onChange={(event) => onAsIs(event.target.checked)}
          className="size-4 accent-accent"
        />
        Отправить как есть
      </label>
    </p>
  ) : (
    <Offer words={words} model={model} />
  )
}

const DECLINED = 'masking:declined'

/** Once declined, it is not offered in this browser again. */
function Offer({ words, model }: { words: string; model: Model }) {
  const [isDeclined, setDeclined] = useState(() => localStorage.getItem(DECLINED) !== null)
  const { mutate, isPending } = useUpdateProfile()
  if (isDeclined) return null
  const change: Partial<Settings> = { maskPersonal: true }
  return (
    <p role="status" className="flex flex-wrap gap-x-3 px-2 pb-1 text-[13px] leading-5 text-muted">
      <span>
        {placeLabel(model.country)}. В сообщении личное: {words}.
      </span>
      <button type="button" disabled={isPending} className={linkStyle} onClick={() => mutate({ Settings: change })}>
        Скрывать личное
      </button>
      <button
        type="button"
        className={linkStyle}
        onClick={() => {
          localStorage.setItem(DECLINED, '1')
          setDeclined(true)
        }}
      >
        Не предлагать
      </button>
    </p>
  )
}
