import { useMemo } from 'react'
import { countSymbols } from '#contract/billing.ts'
import type { Attachment } from '#contract/files.ts'
import type { Model } from '#contract/models.ts'
import type { Message } from '#contract/threads.ts'
import { personalInstructions } from '#contract/users.ts'
import { useProfile } from '#web/features/users/queries.ts'
import { useEnterSends } from '#web/lib/enter-setting.ts'
import { Late, lazy } from '#web/lib/lazy.tsx'
import { type AssistantSymbols, type Estimate, estimate, historySizes, pricedFor } from './estimate.ts'
import type { EstimateLineProps } from './estimated-price.tsx'

interface EstimateProps {
  text: string
  files: Attachment[]
  /** The image that is to be changed. */
  imageId: string | undefined
  history: Message[]
  model: Model | null
  added: AssistantSymbols | null
  /** Symbols of the summary before the history. */
  summary: number
}

/** The price of the current draft. The history is counted only when it changes. */
export function useEstimate({ text, files, imageId, history, model, added, summary }: EstimateProps): Estimate | null {
  const { data: profile } = useProfile()
  const settings = profile?.Settings
  const sizes = useMemo(
    () => (settings && model ? historySizes(history, settings, model) : []),
    [history, settings, model],
  )
  const personal = useMemo(() => (settings ? countSymbols(personalInstructions(settings)) : 0), [settings])
  if (!model || !profile) return null
  return estimate(sizes, text, files, pricedFor(model, imageId), added, personal, summary)
}

/** Loaded when typing begins, not with the page. */
const estimatedPrice = lazy(async () => (await import('./estimated-price.tsx')).EstimatedPrice)

const addedHint = lazy(async () => (await import('./estimated-price.tsx')).AddedHint)

/** The price of the question and its answer, and a link to buy symbols when the balance is too low. */
export function EstimateLine(props: EstimateLineProps) {
  const { isEmpty, model, added, web } = props
  const { data: profile } = useProfile()
  const isImage = model.kind === 'image'
  if (profile && (!isEmpty || (web && !isImage)))
    return <Late key="price" component={estimatedPrice} props={{ ...props, profile }} />
  // Keys, because a part that loads late must not get the properties of the other one.
  const adds = added && !isImage && added.instructions + added.passages > 0
  return adds ? (
    <Late key="hint" component={addedHint} props={{ added, symbols: estimate([], '', [], model, added).symbols }} />
  ) : (
    <FieldHint />
  )
}

const WEEK_MS = 7 * 24 * 60 * 60_000

/** In a person's first week: the keys of the field; on a touch screen Enter only begins a new line. */
export function FieldHint() {
  const enterSends = useEnterSends()
  const begun = useProfile().data?.createdAt
  const [send, line] = enterSends ? ['Enter', 'Shift + Enter'] : ['Shift + Enter', 'Enter']
  if (!begun || Date.now() - Date.parse(begun) > WEEK_MS) return null
  return (
    <>
      <span className="max-frame:hidden pointer-coarse:hidden">
        {send} — отправить, {line} — новая строка
      </span>
      <span className="max-frame:hidden pointer-coarse:hidden"> · </span>
      <span>/ — промпты, @ — ассистенты</span>
    </>
  )
}
