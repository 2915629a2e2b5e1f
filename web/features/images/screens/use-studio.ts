import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { Image } from '#contract/images.ts'
import type { Model } from '#contract/models.ts'
import { type ImageDraft, useImageDraft } from '#web/features/images/form-draft.ts'
import { offeredSize, PROMPT_FIELD, useMakeImagesForm } from '#web/features/images/image-form.tsx'
import { drawingModels } from '#web/features/images/image-labels.ts'
import { deleteImages } from '#web/features/images/queries.ts'
import { modelsQuery } from '#web/features/models/queries.ts'
import { useProfile } from '#web/features/users/queries.ts'
import { useSession } from '#web/lib/session.ts'
import { maySpend } from '#web/lib/spend-rule.ts'

export function useStudio(onBegun: () => void) {
  const client = useQueryClient()
  const session = useSession()
  const { draft, change } = useImageDraft(session?.id ?? '')
  const { data: models } = useQuery(modelsQuery)
  const { data: profile } = useProfile()
  const { make, forgive, ...maker } = useMakeImagesForm()
  const drawing = useMemo(() => models && drawingModels(models), [models])
  const model = drawing?.find(({ id }) => id === draft.modelId) ?? drawing?.[0]

  const mayDraw = (most: number | null) =>
    maySpend(profile?.SingleSubscription, { what: 'Рисование', action: 'Нарисовать', most })

  function write(prompt: string) {
    change({ prompt })
    document.getElementById(PROMPT_FIELD)?.focus()
  }

  async function start() {
    if (!model || !(await mayDraw(draft.n * model.imagePrice))) return
    const { prompt, size, transparent, n } = draft
    const most = n * model.imagePrice
    make({ prompt: prompt.trim(), n, most, ...shapeFor(model, { size, transparent }) }, onBegun)
  }

  /** Draws the image again and removes a failed original. If its model is gone, copies the prompt to the form. */
  async function repeat(image: Image) {
    const { id, prompt, modelId, status } = image
    const before = drawing?.find((candidate) => candidate.id === modelId)
    if (!before) return write(prompt)
    const most = before.imagePrice
    if (!(await mayDraw(most))) return
    make({ prompt, n: 1, most, ...shapeFor(before, image) }, () => {
      onBegun()
      if (status === 'failed') void deleteImages(client, [id]).catch(() => undefined)
    })
  }

  /** A failed change opens its dialog, which names the price. */
  const repeatPrice = ({ modelId, parentId }: Image) =>
    parentId ? null : (drawing?.find(({ id }) => id === modelId)?.imagePrice ?? null)

  return {
    draft,
    drawing,
    model,
    available: profile?.SingleSubscription.availableTokens,
    isOwner: session?.role === 'admin',
    change: (part: Partial<ImageDraft>) => {
      forgive()
      change(part)
    },
    making: { ...maker, start: () => void start() },
    repeat: (image: Image) => void repeat(image),
    repeatPrice,
    maySpend: mayDraw,
    userId: session?.id ?? '',
    write,
  }
}

/** What the model cannot do is not asked for. */
const shapeFor = (model: Model, { size, transparent }: Pick<Image, 'size' | 'transparent'>) => ({
  modelId: model.id,
  size: offeredSize(size, model),
  ...(transparent && model.imageSkills?.transparent && { transparent }),
})

export type ImageStudio = ReturnType<typeof useStudio>
