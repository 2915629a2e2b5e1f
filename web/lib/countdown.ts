import { useSyncExternalStore } from 'react'

const TICK_MS = 250

export function everyTick(onTick: () => void) {
  const timer = setInterval(onTick, TICK_MS)
  return () => clearInterval(timer)
}

/** Whole seconds until then; zero afterwards. */
export function useSecondsUntil(time: string): number {
  return useSyncExternalStore(everyTick, () => Math.max(0, Math.ceil((Date.parse(time) - Date.now()) / 1000)))
}

/** 75 → «1:15». */
export function formatCountdown(seconds: number): string {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}
