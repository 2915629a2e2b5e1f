import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useId, useState } from 'react'
import { ApiError } from '#contract/errors.ts'
import { changePrice, MAX_IMAGE_PROMPT } from '#contract/image-address.ts'
import type { AreaStep } from '#contract/image-area.ts'
import { type ImageSize, sizeInPixels } from '#contract/image-skills.ts'
import type { Image } from '#contract/images.ts'
import { formatNumber, formatSymbols, withPrice } from '#web/lib/format.ts'
import { paths } from '#web/lib/paths.ts'
import { Button } from '#web/ui/button.tsx'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { GrowingField } from '#web/ui/growing-field.tsx'
import { Sparkles } from '#web/ui/icons.ts'
import { QueryError } from '#web/ui/query-error.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { TextLink } from '#web/ui/text-link.tsx'
import { AreaBrush, BrushTools } from './area-brush.tsx'
import { Examples } from './examples.tsx'
import { besidePanel, FullScreen } from './full-screen.tsx'
import { ModelChoice, offeredSize, Rejection, SizeChoice } from './image-form.tsx'
import { type ChangingModel, skillsNote } from './image-labels.ts'
import { areaQuery, imageQuery, useChangeImage } from './queries.ts'
import type { OpenedChange } from './use-changes.ts'

export interface ChangeDialogProps extends OpenedChange {
  userId: string
  models: ChangingModel[]
  available: number | undefined
  /** Asks before a large part of the balance is spent. */
  maySpend: (price: number) => Promise<boolean>
  onClose: () => void
  onStarted: (image: Image) => void
}

/** A change of an image: what, where, and like which examples. The price is on the button. */
export function ChangeDialog(props: ChangeDialogProps) {
  const { imageId, retried, isReshaping, onClose } = props
  const query = useQuery(imageQuery(imageId))
  const area = useQuery({ ...areaQuery(retried?.id ?? ''), enabled: retried?.hasArea === true })
  const { data: image } = query
  const { data: stored } = area
  const failed = [query, area].find(({ error }) => error)
  const isReady = image?.status === 'ready' && (!retried?.hasArea || stored !== undefined)
  return (
    <FullScreen
      title={isReshaping ? 'Другие пропорции' : 'Изменить картинку'}
      onClose={onClose}
      className={besidePanel}
    >
      {isReady ? (
        <ChangeForm {...props} image={image} area={stored?.area ?? []} />
      ) : query.error instanceof ApiError && query.error.status === 404 ? (
        <p className="m-auto text-muted">Картинки больше нет: её удалили.</p>
      ) : failed ? (
        <QueryError query={failed} />
      ) : (
        <Skeleton className="m-auto aspect-square w-full max-w-lg rounded-md" />
      )}
    </FullScreen>
  )
}

function ChangeForm({
  image,
  area: firstArea,
  retried,
  isReshaping = false,
  userId,
  models,
  available,
  maySpend,
  onStarted,
}: ChangeDialogProps & { image: Image; area: AreaStep[] }) {
  const description = useDescription(userId, image.id, retried?.prompt ?? (isReshaping ? RESHAPING : ''))
  const [area, setArea] = useState<AreaStep[]>(firstArea)
  const [examples, setExamples] = useState<string[]>(retried?.exampleIds ?? [])
  const [chosenSize, setSize] = useState<ImageSize | null>(retried?.size ?? null)
  const [isTransparent, setTransparent] = useState(retried?.transparent ?? false)
  const [modelId, setModelId] = useState(retried?.modelId ?? image.modelId)
  const [brush, setBrush] = useState<{ width: number; tool: 'brush' | 'eraser' }>({ width: 800, tool: 'brush' })
  const { mutate, isPending, error, reset } = useChangeImage(image.id)
  const noteId = useId()
  const model = models.find(({ id }) => id === modelId) ?? models[0]
  if (!model) return <NoChangingModel />
  const { imageSkills: skills } = model
  const price = changePrice(model)
  const size = chosenSize ?? (isReshaping ? otherShape(image, skills.sizes) : 'auto')
  const prompt = description.text.trim()
  const over = prompt.length - MAX_IMAGE_PROMPT
  const isShort = available !== undefined && price > available
  const hasArea = area.length > 0
  const canStart = prompt !== '' && over <= 0 && !isShort && !isPending

  async function start() {
    if (!canStart || !model || !(await maySpend(price))) return
    mutate(
      {
        prompt,
        modelId: model.id,
        size: hasArea ? 'auto' : offeredSize(size, model),
        transparent: isTransparent && skills.transparent,
        area: hasArea ? area : null,
        exampleIds: examples.slice(0, skills.examples),
        most: price,
      },
      {
        onSuccess: (made) => {
          description.forget()
          onStarted(made)
        },
      },
    )
  }

  return (
    <>
      <div
        style={{ containerType: 'size' }}
        className="grid min-h-0 shrink-0 place-items-center bg-panel p-3 max-md:h-[52dvh] md:flex-1 md:shrink md:p-6"
      >
        <AreaBrush image={image} area={area} onChange={isReshaping ? null : setArea} {...brush} />
      </div>
      <form
        aria-label={isReshaping ? 'Другие пропорции' : 'Изменить картинку'}
        className="flex w-full flex-col gap-4 p-5 md:w-96 md:shrink-0 md:overflow-y-auto md:pt-14"
        onSubmit={(event) => {
          event.preventDefault()
          void start()
        }}
      >
        <div className="rounded-md border bg-surface focus-within:border-accent-ink">
          <GrowingField
            aria-label="Что изменить"
            aria-describedby={noteId}
            placeholder="Сделай небо закатным"
            value={description.text}
            onChange={({ target }) => {
              reset()
              description.write(target.value)
            }}
            className="min-h-20 px-3.5 py-3"
          />
        </div>
        {isReshaping ? (
          <p className="text-sm text-muted">Модель дорисует края под новую форму. Середина может немного измениться.</p>
        ) : (
          <section className="flex flex-col gap-2">
            <h3 className="text-sm font-medium">Где менять</h3>
            <p className="text-sm text-muted">
              {hasArea
                ? 'Изменится только отмеченное, остальное останется прежним.'
                : 'Вся картинка. Отметьте часть кистью.'}
            </p>
            <BrushTools
              area={area}
              onChange={setArea}
              {...brush}
              onWidth={(width) => setBrush({ ...brush, width })}
              onTool={(tool) => setBrush({ ...brush, tool })}
            />
          </section>
        )}
        {skills.examples > 0 && !isReshaping && (
          <Examples chosen={examples} most={skills.examples} without={image.id} onChange={setExamples} />
        )}
        {!hasArea && (
          <SizeChoice
            isNarrow
            value={offeredSize(size, model)}
            sizes={skills.sizes}
            auto={isReshaping ? null : 'Прежняя'}
            onChange={setSize}
          />
        )}
        {skills.transparent && <Checkbox label="Прозрачный фон" checked={isTransparent} onChange={setTransparent} />}
        <ModelChoice
          models={models}
          model={model}
          priceOf={changePrice}
          onChange={(id) => {
            reset()
            setModelId(id)
          }}
        />
        {!isReshaping && <p className="text-sm text-pretty text-muted empty:hidden">{skillsNote(skills)}</p>}
        <div id={noteId} className="figures text-sm text-muted">
          {error ? <Rejection error={error} /> : <PriceNote over={over} price={price} available={available} />}
        </div>
        <Button type="submit" variant="primary" busy={isPending} disabled={!canStart} icon={<Sparkles size={18} />}>
          {withPrice(isReshaping ? 'Дорисовать' : 'Изменить', price)}
        </Button>
      </form>
    </>
  )
}

const RESHAPING = 'Продолжи картинку за её краями, ничего не меняя внутри'

/** The first shape that the image does not have yet. */
function otherShape({ width, height }: Image, sizes: readonly ImageSize[]): ImageSize {
  const differs = (size: ImageSize) => {
    const pixels = sizeInPixels(size)
    return size !== 'auto' && Math.abs((pixels.width / pixels.height) * (height / width) - 1) > 0.03
  }
  return sizes.find(differs) ?? 'auto'
}

/** What is typed for a change, kept in the browser until it is sent. */
function useDescription(userId: string, imageId: string, first: string) {
  // The name begins as that of the drawing form, whose words are sealed when their owner signs out.
  const key = `image-draft:${userId}:${imageId}`
  const [text, setText] = useState(() => first || localStorage.getItem(key) || '')
  return {
    text,
    write: (next: string) => {
      setText(next)
      try {
        localStorage.setItem(key, next)
      } catch {
        // Storage is full: the words live as long as the page.
      }
    },
    forget: () => localStorage.removeItem(key),
  }
}

function PriceNote({
  over,
  price,
  available,
}: {
  over: number
  price: number
  available: number | undefined
}): ReactNode {
  if (over > 0) return <span className="text-warning">Слишком длинно: на {formatSymbols(over)} больше.</span>
  if (available === undefined) return <span>&nbsp;</span>
  if (price <= available) return `Спишется ${formatSymbols(price)}, останется ${formatNumber(available - price)}`
  return (
    <span role="status" className="text-warning">
      Нужно {formatSymbols(price)}, а на балансе {formatNumber(available)}.{' '}
      <TextLink inText href={paths.profile('bundles')}>
        Пополнить
      </TextLink>
    </span>
  )
}

function NoChangingModel() {
  return (
    <p className="m-auto max-w-md p-5 text-center text-muted">
      Подключённые модели рисуют, но не меняют картинки. Изменения появятся, когда владелец сервиса подключит такую
      модель.
    </p>
  )
}
