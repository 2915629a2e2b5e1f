import { useSyncExternalStore } from 'react'
import { progress } from '#web/lib/progress.ts'

/** Appears after 150 ms, so that quick requests never show it. */
export function ProgressBar() {
  const isBusy = useSyncExternalStore(progress.subscribe, progress.isBusy)
  if (!isBusy) return null
  return (
    <div
      role="progressbar"
      aria-label="Загрузка"
      className="pointer-events-none fixed inset-x-0 top-0 z-50 h-0.5 animate-[appear_120ms_150ms_backwards]"
    >
      <div className="h-full origin-left animate-[advance_8s_cubic-bezier(0.1,0.7,0.2,1)_forwards] bg-accent-ink" />
    </div>
  )
}
