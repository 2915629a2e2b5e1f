import { useEffect, useMemo, useState } from 'react'
import type { Segment } from '#contract/transcriptions.ts'
import { formatNumber } from '#web/lib/format.ts'
import { IconButton } from '#web/ui/button.tsx'
import { controlStyle } from '#web/ui/field.tsx'
import { markFound, unmarkFound } from '#web/ui/found-marks.ts'
import { ArrowDown, ArrowUp } from '#web/ui/icons.ts'
import { findHits, type Hit } from '../find.ts'

/** What is searched for in an open recording, and which of the hits is shown. */
export function useFind(segments: readonly Segment[] | null) {
  const [query, setQuery] = useState('')
  const [number, setNumber] = useState(0)
  const hits = useMemo(() => findHits(segments ?? [], query), [segments, query])
  const at = Math.min(number, Math.max(0, hits.length - 1))
  return {
    query,
    hits,
    at,
    current: hits[at] ?? null,
    type: (text: string) => {
      setQuery(text)
      setNumber(0)
    },
    /** Goes round at both ends. */
    step: (by: 1 | -1) => setNumber(hits.length === 0 ? 0 : (at + by + hits.length) % hits.length),
  }
}

export type Find = ReturnType<typeof useFind>

export function FindBar({ find }: { find: Find }) {
  const { query, hits, at, type, step } = find
  const count = hits.length === 0 ? 'Нет совпадений' : `${formatNumber(at + 1)} из ${formatNumber(hits.length)}`
  return (
    <search className="flex items-center gap-1">
      <div className="relative min-w-0 flex-1">
        <input
          type="search"
          aria-label="Найти в записи"
          placeholder="Найти в записи"
          autoComplete="off"
          maxLength={200}
          value={query}
          onChange={(event) => type(event.target.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return
            event.preventDefault()
            step(event.shiftKey ? -1 : 1)
          }}
          className={`${controlStyle} h-11 w-full ${query.trim() === '' ? '' : 'pr-36'}`}
        />
        <span
          role="status"
          className="figures pointer-events-none absolute inset-y-0 right-3 flex items-center text-sm text-muted"
        >
          {query.trim() === '' ? '' : count}
        </span>
      </div>
      <IconButton
        label="Предыдущее совпадение"
        icon={<ArrowUp size={20} />}
        disabled={hits.length === 0}
        onClick={() => step(-1)}
      />
      <IconButton
        label="Следующее совпадение"
        icon={<ArrowDown size={20} />}
        disabled={hits.length === 0}
        onClick={() => step(1)}
      />
    </search>
  )
}

/**
 * Marks the hits in the lines of `list`. The lines are edited in place, so the marks are no elements but ranges; where a
 * browser has no such ranges, the line of the current hit is marked.
 */
export function useHitMarks(list: { current: HTMLElement | null }, { hits, current }: Pick<Find, 'hits' | 'current'>) {
  useEffect(() => {
    const boxes = list.current?.querySelectorAll('[role="textbox"]')
    markFound(
      hits.flatMap((hit) => rangeOf(boxes?.[hit.segment], hit) ?? []),
      current && rangeOf(boxes?.[current.segment], current),
    )
    return unmarkFound
  }, [list, hits, current])
  useEffect(() => {
    if (current) list.current?.children[current.segment]?.scrollIntoView({ block: 'center' })
  }, [list, current])
}

function rangeOf(box: Element | undefined, { from, to }: Hit): Range | null {
  const text = box?.firstChild
  if (!(text instanceof Text) || text.length < to) return null
  const range = new Range()
  range.setStart(text, from)
  range.setEnd(text, to)
  return range
}
