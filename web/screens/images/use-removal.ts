import { useQueryClient } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import type { Image } from '#contract/images.ts'
import { countImages, droppedLabel, ordered } from '#web/features/images/image-labels.ts'
import { deleteImages } from '#web/features/images/queries.ts'
import { plural } from '#web/lib/format.ts'
import { message } from '#web/lib/notify.ts'
import { undoable, useLeaving } from '#web/lib/undoable.ts'

const PREFIX = 'images:'

/** Deletes after a moment in which it can be called off; till then they are only out of sight. */
export function useRemoval(images: readonly Image[]) {
  const client = useQueryClient()
  const leaving = useLeaving()
  const hidden = useMemo(
    () =>
      new Set(
        [...leaving].filter((key) => key.startsWith(PREFIX)).flatMap((key) => key.slice(PREFIX.length).split(',')),
      ),
    [leaving],
  )
  const [asked, ask] = useState<Image[]>([])

  function remove(ids: string[]) {
    const dropped = ordered(images.filter(({ id }) => ids.includes(id)))
    if (dropped.length > 0) ask(dropped)
    const rest = ids.filter((id) => !dropped.some((image) => image.id === id))
    if (rest.length > 0) removeLater(rest)
  }

  /** At once: it would be ready before a moment of thought is over. */
  async function drop() {
    ask([])
    try {
      const ids = asked.map(({ id }) => id)
      message.success(droppedLabel(await deleteImages(client, ids)))
    } catch (error) {
      message.error(error instanceof Error ? error.message : 'Не удалось удалить')
    }
  }

  function removeLater(ids: string[]) {
    const verb = plural(ids.length, 'удалено', 'удалены', 'удалены')
    undoable({
      id: PREFIX + ids.join(','),
      title: ids.length === 1 ? 'Изображение удалено' : `${countImages(ids.length)} ${verb}`,
      action: () => deleteImages(client, ids),
      failed: 'Не удалось удалить',
    })
  }
  return { hidden, remove, dropping: { images: asked, onClose: () => ask([]), onDrop: () => void drop() } }
}
