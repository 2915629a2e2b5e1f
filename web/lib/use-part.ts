import { useCallback, useState } from 'react'
import { message } from './notify.ts'

/**
 * A part of the page that is loaded on request; null until then. Not `React.lazy`: a part that cannot be loaded
 * shows a message and leaves the rest of the page as it is.
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

/** Starts loading ahead of use. A failure is ignored here: it is reported when the part is asked for. */
export function preload(load: () => Promise<unknown>): void {
  load().catch(() => undefined)
}
