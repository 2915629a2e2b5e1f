import { type ReactNode, useCallback, useMemo, useState } from 'react'
import type { Citation } from '#contract/threads.ts'
import { usePart } from '#web/lib/use-part.ts'
import { type Citations, CitationsProvider } from '#web/ui/markdown/citations.ts'
import { citationName, citedIn } from './citation-labels.ts'

const loadDialog = async () => (await import('./passage-dialog.tsx')).PassageDialog

interface CitedAnswerProps {
  text: string
  citations: readonly Citation[]
  isStreaming: boolean
  /** The answer itself. */
  children: ReactNode
}

/** An answer out of files: its numbers open the passages, and under it stands where they are from. */
export function CitedAnswer({ text, citations, isStreaming, children }: CitedAnswerProps) {
  const [shown, setShown] = useState<Citation | null>(null)
  const [PassageDialog, ask] = usePart(loadDialog)
  const open = useCallback(
    (source: Citation) => {
      setShown(source)
      ask()
    },
    [ask],
  )
  const citations = useMemo((): Citations => {
    const known = new Map(citations.map((source) => [source.n, source]))
    return {
      name: (n) => {
        const source = known.get(n)
        return source ? citationName(source) : null
      },
      open: (n) => {
        const source = known.get(n)
        if (source) open(source)
      },
    }
  }, [citations, open])

  return (
    <>
      <CitationsProvider value={citations}>{children}</CitationsProvider>
      {!isStreaming && <SourceRow text={text} citations={citations} onOpen={open} />}
      {PassageDialog && shown && <PassageDialog source={shown} onClose={() => setShown(null)} />}
    </>
  )
}

interface SourceRowProps {
  text: string
  citations: readonly Citation[]
  onOpen: (source: Citation) => void
}

function SourceRow({ text, citations, onOpen }: SourceRowProps) {
  const cited = useMemo(() => citedIn(text, citations), [text, citations])
  if (cited.length === 0) return null
  return (
    <p className="mt-3 flex flex-wrap items-baseline gap-x-1.5 gap-y-1 text-sm text-muted">
      Источники:
      {cited.map(({ name, source }, i) => (
        <span key={name} className="min-w-0">
          <button
            type="button"
            onClick={() => onOpen(source)}
            className="rounded-xs text-left underline decoration-line-strong underline-offset-3 wrap-anywhere hover:text-ink"
          >
            {name}
          </button>
          {i < cited.length - 1 && ';'}
        </span>
      ))}
    </p>
  )
}
