import { type ReactNode, useCallback, useMemo, useState } from 'react'
import type { Source } from '#contract/threads.ts'
import { usePart } from '#web/lib/use-part.ts'
import { type Citations, CitationsProvider } from '#web/ui/markdown/citations.ts'
import { citedSources, sourceName } from './source-words.ts'

const loadDialog = async () => (await import('./excerpt-dialog.tsx')).ExcerptDialog

interface CitedAnswerProps {
  text: string
  sources: readonly Source[]
  isStreaming: boolean
  /** The answer itself. */
  children: ReactNode
}

/** An answer out of files: its numbers open the passages, and under it stands where they are from. */
export function CitedAnswer({ text, sources, isStreaming, children }: CitedAnswerProps) {
  const [shown, setShown] = useState<Source | null>(null)
  const [ExcerptDialog, ask] = usePart(loadDialog)
  const open = useCallback(
    (source: Source) => {
      setShown(source)
      ask()
    },
    [ask],
  )
  const citations = useMemo((): Citations => {
    const known = new Map(sources.map((source) => [source.n, source]))
    return {
      name: (n) => {
        const source = known.get(n)
        return source ? sourceName(source) : null
      },
      open: (n) => {
        const source = known.get(n)
        if (source) open(source)
      },
    }
  }, [sources, open])

  return (
    <>
      <CitationsProvider value={citations}>{children}</CitationsProvider>
      {!isStreaming && <SourceRow text={text} sources={sources} onOpen={open} />}
      {ExcerptDialog && shown && <ExcerptDialog source={shown} onClose={() => setShown(null)} />}
    </>
  )
}

interface SourceRowProps {
  text: string
  sources: readonly Source[]
  onOpen: (source: Source) => void
}

function SourceRow({ text, sources, onOpen }: SourceRowProps) {
  const cited = useMemo(() => citedSources(text, sources), [text, sources])
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
