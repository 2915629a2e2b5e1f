import { useEffect } from 'react'
import { pageConfig } from './page-state.ts'

/** Names the browser tab. Runs in a microtask: the router sets the screen's title in the same round of effects. */
export function useTitle(title: string | undefined): void {
  useEffect(() => {
    if (!title) return
    queueMicrotask(() => {
      document.title = `${title} · ${pageConfig().appName}`
    })
  }, [title])
}
