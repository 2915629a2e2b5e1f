import { useDeferredValue, useEffect, useMemo, useState } from 'react'
import type { Mask, MaskedValue } from '#contract/mask.ts'
import { kindLabels } from '#contract/personal-labels.ts'
import type { MaskedCounts } from '#contract/threads.ts'

type MakeMask = (names: readonly string[]) => Mask

const load = async (): Promise<MakeMask> => (await import('#contract/mask.ts')).createMask

/** What the server would hide in a text, with the same tokens; null while the rules are not loaded. */
export function useMaskedValues(text: string, names: readonly string[], isNeeded: boolean): MaskedValue[] | null {
  const [made, setMade] = useState<{ make: MakeMask } | null>(null)
  useEffect(() => {
    if (isNeeded && !made)
      load().then(
        (make) => setMade({ make }),
        () => undefined,
      )
  }, [isNeeded, made])
  const calm = useDeferredValue(text)
  return useMemo(() => {
    if (!made || !isNeeded) return null
    const mask = made.make(names)
    mask.reserve(calm)
    mask.mask(calm)
    return mask.masked()
  }, [made, isNeeded, calm, names])
}

/** «телефон, почта (2)»: a number only when there are several. */
export function maskedWords(hidden: MaskedCounts): string {
  return Object.entries(kindLabels)
    .flatMap(([kind, word]) => {
      const count = hidden[kind as keyof MaskedCounts] ?? 0
      return count === 0 ? [] : [count === 1 ? word : `${word} (${count})`]
    })
    .join(', ')
}

/** Counts different values by kind: two spellings of one phone number count once. */
export function countValues(values: readonly MaskedValue[]): MaskedCounts {
  const counts: MaskedCounts = {}
  for (const { kind } of new Map(values.map((value) => [value.token.replace(/\.\d+\]$/, ']'), value])).values())
    counts[kind] = (counts[kind] ?? 0) + 1
  return counts
}
