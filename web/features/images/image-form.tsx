import { type KeyboardEvent, type ReactNode, useId, useState } from 'react'
import { ApiError } from '#contract/errors.ts'
import { MAX_IMAGE_PROMPT } from '#contract/image-address.ts'
import { type ImageSize, imageSizes, usualSizes } from '#contract/image-skills.ts'
import { type Image, type ImageRequest, MAX_IMAGES_AT_ONCE } from '#contract/images.ts'
import type { Model } from '#contract/models.ts'
import { classNames } from '#web/lib/class-names.ts'
import { callErrorText } from '#web/lib/error-text.ts'
import { formatNumber, withPrice } from '#web/lib/format.ts'
import { paths } from '#web/lib/paths.ts'
import { Button } from '#web/ui/button.tsx'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { GrowingField } from '#web/ui/growing-field.tsx'
import { ChevronDown, Sparkles } from '#web/ui/icons.ts'
import { Menu, MenuChoice } from '#web/ui/menu.tsx'
import { Segmented } from '#web/ui/segmented.tsx'
import { TextLink } from '#web/ui/text-link.tsx'
import type { ImageDraft } from './form-draft.ts'
import { formatPrice, sizeNames } from './image-labels.ts'
import { useMakeImages } from './queries.ts'

type DrawingModel = Model & { imagePrice: number }

interface ImageFormProps {
  draft: ImageDraft
  onChange: (part: Partial<ImageDraft>) => void
  models: DrawingModel[]
  model: DrawingModel
  /** Undefined until the balance is known. */
  available: number | undefined
  making: { isPending: boolean; rejection: ReactNode; start: () => void }
}

const counts = Array.from({ length: MAX_IMAGES_AT_ONCE }, (_, i) => ({ value: String(i + 1), label: String(i + 1) }))
export const PROMPT_FIELD = 'image-prompt'

export function ImageForm({ draft, onChange, models, model, available, making }: ImageFormProps) {
  const noteId = useId()
  const over = draft.prompt.trim().length - MAX_IMAGE_PROMPT
  const cost = available === undefined ? null : formatPrice(draft.n, model.imagePrice, available)
  const canMake = draft.prompt.trim() !== '' && over <= 0 && cost?.isShort !== true && !making.isPending
  const start = () => canMake && making.start()

  function onKeyDown(event: KeyboardEvent) {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    start()
  }

  return (
    <form
      aria-label="Новое изображение"
      className="rounded-lg border bg-surface transition-colors focus-within:border-accent-ink"
      onSubmit={(event) => {
        event.preventDefault()
        start()
      }}
    >
      <GrowingField
        id={PROMPT_FIELD}
        aria-label="Что нарисовать"
        aria-describedby={noteId}
        placeholder="Рыжий кот на подоконнике, утро, акварель"
        value={draft.prompt}
        onChange={(event) => onChange({ prompt: event.target.value })}
        onKeyDown={onKeyDown}
        className="min-h-20 px-4 pt-3.5 pb-2"
      />
      <div className="flex flex-wrap items-center gap-2 px-3 pb-3">
        <ModelChoice models={models} model={model} onChange={(modelId) => onChange({ modelId })} />
        <SizeChoice
          value={offeredSize(draft.size, model)}
          sizes={model.imageSkills?.sizes ?? usualSizes}
          onChange={(size: ImageSize) => onChange({ size })}
        />
        <Segmented
          label="Сколько"
          value={String(draft.n)}
          options={counts}
          onChange={(n) => onChange({ n: Number(n) })}
        />
        {model.imageSkills?.transparent && (
          <div className="px-1 text-sm">
            <Checkbox
              label="Прозрачный фон"
              checked={draft.transparent}
              onChange={(transparent) => onChange({ transparent })}
            />
          </div>
        )}
      </div>
      {/* A row of its own: beside a long name of a model there would be no room for the button. */}
      <div className="flex items-center justify-between gap-x-4 gap-y-2 border-t py-2 pr-3 pl-4 max-sm:flex-col max-sm:items-stretch max-sm:px-3">
        <div id={noteId} className="figures text-sm text-muted max-sm:px-1">
          {making.rejection ?? <Note over={over} cost={cost} />}
        </div>
        <Button
          type="submit"
          variant="primary"
          busy={making.isPending}
          disabled={!canMake}
          title="Ctrl + Enter"
          icon={<Sparkles size={18} />}
          className="shrink-0"
        >
          {withPrice('Нарисовать', draft.n * model.imagePrice)}
        </Button>
      </div>
    </form>
  )
}

function Note({ over, cost }: { over: number; cost: ReturnType<typeof formatPrice> | null }) {
  if (over > 0)
    return (
      <span role="alert" className="text-warning">
        Описание длиннее {formatNumber(MAX_IMAGE_PROMPT)} символов на {formatNumber(over)}. Сократите его.
      </span>
    )
  if (!cost) return <span>&nbsp;</span>
  if (!cost.isShort) return <span>{cost.text}</span>
  return (
    <span role="status" className="text-warning">
      {cost.text}.{' '}
      <TextLink inText href={paths.profile('bundles')}>
        Пополнить
      </TextLink>
    </span>
  )
}

interface ModelChoiceProps<Choice extends DrawingModel> {
  models: Choice[]
  model: Choice
  priceOf?: (model: Choice) => number
  onChange: (modelId: string) => void
}

export function ModelChoice<Choice extends DrawingModel>({
  models,
  model,
  priceOf = ({ imagePrice }) => imagePrice,
  onChange,
}: ModelChoiceProps<Choice>) {
  return (
    <Menu
      trigger={
        <button
          type="button"
          aria-label={`Модель: ${model.name}`}
          className="flex h-10 max-w-full min-w-0 items-center gap-1.5 rounded-md border border-line-strong px-3 text-sm transition-colors hover:bg-hover data-[state=open]:bg-hover max-frame:h-11 max-sm:w-full max-sm:justify-between"
        >
          <span className="truncate">{model.name}</span>
          <ChevronDown size={16} className="shrink-0 text-muted" />
        </button>
      }
    >
      <MenuChoice
        label="Модель и цена картинки"
        value={model.id}
        options={models.map((one) => ({ value: one.id, label: `${one.name} · ${formatNumber(priceOf(one))}` }))}
        onChange={onChange}
        closesOnChange
      />
    </Menu>
  )
}

interface SizeChoiceProps {
  value: ImageSize
  sizes: readonly ImageSize[]
  /** The name of the size that is left to the model; null leaves it out. */
  auto?: string | null
  /** Beside an image: each name stands below its shape, and all are in one row. */
  isNarrow?: boolean
  onChange: (size: ImageSize) => void
}

const optionStyle =
  'flex flex-1 items-center justify-center rounded-sm text-muted transition-colors hover:bg-hover has-checked:bg-accent-soft has-checked:text-accent-ink has-focus-visible:ring-focus'
const narrowStyle = 'h-14 flex-col gap-1 px-1 text-[13px]'
const rowStyle =
  'h-8.5 gap-1.5 px-2.5 text-sm max-frame:h-11 max-sm:h-14 max-sm:flex-col max-sm:px-1 max-sm:text-[13px]'

const shapes: Record<ImageSize, string> = {
  auto: 'size-4 rounded-xs border-dashed',
  '1024x1024': 'size-4 rounded-xs',
  '1536x1024': 'h-3.5 w-5 rounded-xs',
  '1024x1536': 'h-5 w-3.5 rounded-xs',
  '1536x1152': 'h-3.75 w-5 rounded-xs',
  '1152x1536': 'h-5 w-3.75 rounded-xs',
  '1536x864': 'h-3 w-5 rounded-xs',
  '864x1536': 'h-5 w-3 rounded-xs',
}
/** «Auto» first: it is the default. */
const order = imageSizes.toSorted((a, b) => Number(b === 'auto') - Number(a === 'auto'))

export function SizeChoice({ value, sizes, auto = sizeNames.auto, isNarrow = false, onChange }: SizeChoiceProps) {
  const name = useId()
  return (
    <fieldset
      className={classNames(
        'rounded-md border border-line-strong bg-surface p-0.5',
        isNarrow ? 'grid grid-cols-4' : 'flex flex-wrap max-sm:grid max-sm:w-full max-sm:grid-cols-4',
      )}
    >
      <legend className="sr-only">Форма</legend>
      {order
        .filter((size) => (size === 'auto' ? auto !== null : sizes.includes(size)))
        .map((size) => (
          <label
            key={size}
            title={size === 'auto' ? undefined : `${sizeNames[size]}: ${size.replace('x', ' × ')}`}
            className={classNames(optionStyle, isNarrow ? narrowStyle : rowStyle)}
          >
            <input
              type="radio"
              name={name}
              value={size}
              checked={value === size}
              onChange={() => onChange(size)}
              className="sr-only"
            />
            <span aria-hidden="true" className="grid h-5 shrink-0 place-items-center">
              <span className={`block border-[1.5px] border-current ${shapes[size]}`} />
            </span>
            {size === 'auto' ? auto : sizeNames[size]}
          </label>
        ))}
    </fieldset>
  )
}

/** A size that the model does not draw is left to it. */
export const offeredSize = (size: ImageSize, { imageSkills }: Pick<Model, 'imageSkills'>): ImageSize =>
  (imageSkills?.sizes ?? usualSizes).some((offered) => offered === size) ? size : 'auto'

/** Starts drawing; an error is shown in the form. */
export function useMakeImagesForm() {
  const { mutate, isPending } = useMakeImages()
  const [rejection, setRejection] = useState<ReactNode>(null)

  function make(order: Omit<ImageRequest, 'id'>, onMade: (images: Image[]) => void = () => undefined) {
    setRejection(null)
    mutate(order, { onSuccess: onMade, onError: (error) => setRejection(<Rejection error={error} />) })
  }

  return { make, isPending, rejection, forgive: () => setRejection(null) }
}

export function Rejection({ error }: { error: Error }) {
  return (
    <span role="alert" className="text-danger">
      {callErrorText(error)}{' '}
      {error instanceof ApiError && error.code === 'out_of_symbols' && (
        <TextLink inText href={paths.profile('bundles')}>
          Пополнить
        </TextLink>
      )}
    </span>
  )
}
