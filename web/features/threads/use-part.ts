import { useCallback, useState } from 'react'
import { message } from '#web/lib/notify.ts'

/**
 * A part that is loaded when it is asked for, and null until then. Not a lazy component: one that cannot be loaded must
 * not take the list or the conversation down with it.
 */
export function usePart<Part>(load: () => Promise<Part>): [part: Part | null, ask: () => void] {
  const [loaded, setLoaded] = useState<{ part: Part } | null>(null)
  const ask = useCallback(() => {
    load().then(
      (part) => setLoaded({ part }),
      () => message.error('Не загрузилось. Проверьте связь или обновите страницу.'),
    )
  }, [load])
  return [loaded?.part ?? null, ask]
}
