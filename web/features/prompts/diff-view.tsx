import { useMemo } from 'react'
import { diffText } from './text-diff.ts'

interface DiffViewProps {
  before: string
  after: string
}

/** Removed text is struck through, added text is marked: readable without colours too. */
export function DiffView({ before, after }: DiffViewProps) {
  const parts = useMemo(() => diffText(before, after), [before, after])
  return (
    <p className="max-h-80 overflow-y-auto whitespace-pre-wrap text-[15px] wrap-anywhere">
      {parts.map(({ type, text }, place) => {
        // Parts have no id, only their position.
        const key = `${place}-${type}`
        if (type === 'same') return <span key={key}>{text}</span>
        if (type === 'removed')
          return (
            <del key={key} className="bg-danger-soft text-danger">
              {text}
            </del>
          )
        return (
          <ins key={key} className="bg-success-soft text-success no-underline">
            {text}
          </ins>
        )
      })}
    </p>
  )
}
