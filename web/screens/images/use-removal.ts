import { useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { countImages } from '#web/features/images/image-words.ts'
import { deleteImages } from '#web/features/images/queries.ts'
import { actLater, useLeaving } from '#web/lib/act-later.ts'
import { plural } from '#web/lib/format.ts'

const PREFIX = 'images:'

/** Deletes after a moment in which it can be called off; till then they are only out of sight. */
export function useRemoval() {
  const client = useQueryClient()
  const leaving = useLeaving()
  const hidden = useMemo(
    () =>
      new Set(
        [...leaving].filter((key) => key.startsWith(PREFIX)).flatMap((key) => key.slice(PREFIX.length).split(',')),
      ),
    [leaving],
  )
  function remove(ids: string[]) {
    const verb = plural(ids.length, 'удалено', 'удалены', 'удалены')
    actLater({
      id: PREFIX + ids.join(','),
      title: ids.length === 1 ? 'Изображение удалено' : `${countImages(ids.length)} ${verb}`,
      act: () => deleteImages(client, ids),
      failed: 'Не удалось удалить',
    })
  }
  return { hidden, remove }
}
