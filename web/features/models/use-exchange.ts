import { useState } from 'react'
import { readNumber } from '#web/lib/number-input.ts'

const keyOf = (from: string, to: string) => `exchange:${from}:${to}`

/** A rate of exchange for guesses, as the owner typed it; remembered in this browser. */
export function useExchange(from: string, to: string) {
  const key = keyOf(from, to)
  const [typed, setTyped] = useState<Record<string, string>>({})
  const text = typed[key] ?? recall(key)
  const rate = readNumber(text)
  return {
    text,
    rate: Number.isNaN(rate) ? null : rate,
    type: (next: string) => {
      setTyped((now) => ({ ...now, [key]: next }))
      keep(key, next)
    },
  }
}

/** Without a storage the rate lasts as long as the page. */
function recall(key: string): string {
  try {
    return localStorage.getItem(key) ?? ''
  } catch {
    return ''
  }
}

function keep(key: string, text: string): void {
  try {
    localStorage.setItem(key, text)
  } catch {
    return
  }
}
