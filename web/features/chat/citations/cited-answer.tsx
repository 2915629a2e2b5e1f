import { type ReactNode, useCallback, useMemo, useState } from 'react'
import type { Citation, Message } from '#contract/threads.ts'
import { lazy, useOnDemand } from '#web/lib/lazy.tsx'
import { type Citations, CitationsProvider } from '#web/ui/markdown/citations.ts'
import { citationName, listCitations } from './citation-labels.ts'

const dialog = lazy(async () => (await import('./passage-dialog.tsx')).PassageDialog)
const webDialog = lazy(async () => (await import('./web-quote-dialog.tsx')).WebQuoteDialog)

interface CitedAnswerProps {
  text: string
  citations: readonly Citation[]
  /** The stored answer, which has the quoted places of the web. */
  message?: Pick<Message, 'id' | 'threadId'>
  isStreaming: boolean
  children: ReactNode
}

/** An answer with citations: its numbers open the passages, and the sources are listed below it. */
export function CitedAnswer({ text, citations, message, isStreaming, children }: CitedAnswerProps) {
  const [shown, setShown] = useState<Citation | null>(null)
  const [PassageDialog, ask] = useOnDemand(dialog)
  const [WebQuoteDialog, askWeb] = useOnDemand(webDialog)
  const open = useCallback(
    (citation: Citation) => {
      setShown(citation)
      if (citation.web) askWeb()
      else ask()
    },
    [ask, askWeb],
  )
  const provided = useMemo((): Citations => {
    const known = new Map(citations.map((citation) => [citation.n, citation]))
    return {
      name: (n) => {
        const citation = known.get(n)
        return citation ? citationName(citation) : null
      },
      open: (n) => {
        const citation = known.get(n)
        if (citation) open(citation)
      },
    }
  }, [citations, open])

  return (
    <>
      <CitationsProvider value={provided}>{children}</CitationsProvider>
      {!isStreaming && <SourceRow text={text} citations={citations} onOpen={open} />}
      {PassageDialog && shown && !shown.web && (
        <PassageDialog citation={shown} answer={text} onClose={() => setShown(null)} />
      )}
      {WebQuoteDialog && shown?.web && message && (
        <WebQuoteDialog
          threadId={message.threadId}
          messageId={message.id}
          n={shown.n}
          source={shown.web}
          onClose={() => setShown(null)}
        />
      )}
    </>
  )
}

interface SourceRowProps {
  text: string
  citations: readonly Citation[]
  onOpen: (citation: Citation) => void
}

function SourceRow({ text, citations, onOpen }: SourceRowProps) {
  const cited = useMemo(() => listCitations(text, citations), [text, citations])
  if (cited.length === 0) return null
  return (
    <p className="mt-3 flex flex-wrap items-baseline gap-x-1.5 gap-y-1 text-sm text-muted">
      Источники:
      {cited.map(({ name, citation }, i) => (
        <span key={citation.n} className="min-w-0">
          <button
            type="button"
            onClick={() => onOpen(citation)}
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
