import { useQuery } from '@tanstack/react-query'
import { withoutMarks } from '#contract/markdown/without-marks.ts'
import { type WebSource, webSearchApi } from '#contract/web-search.ts'
import { callQuery } from '#web/lib/call-query.ts'
import { buttonStyle } from '#web/ui/button-style.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { ExternalLink } from '#web/ui/icons.ts'
import { sourceLine } from './citation-labels.ts'
import { QuoteState } from './quote-state.tsx'

interface WebQuoteDialogProps {
  threadId: string
  messageId: string
  n: number
  source: WebSource
  onClose: () => void
}

/** Shows the quoted place of a page as it was read, and leads to the page. */
export function WebQuoteDialog({ threadId, messageId, n, source, onClose }: WebQuoteDialogProps) {
  const query = useQuery(
    callQuery(['web-quote', messageId, n], webSearchApi.quote, { params: { id: threadId, messageId, n: String(n) } }),
  )
  return (
    <Dialog
      open
      onClose={onClose}
      title={source.title}
      footer={
        <a href={source.url} target="_blank" rel="noopener noreferrer" className={buttonStyle('secondary', 'md')}>
          <ExternalLink size={18} />
          Открыть страницу
        </a>
      }
    >
      <p className="mb-3 text-sm text-muted wrap-anywhere">{sourceLine(source)}</p>
      {query.data ? (
        <blockquote className="rounded-md bg-accent-soft px-3.5 py-3 text-[15px] leading-relaxed wrap-anywhere whitespace-pre-line">
          {withoutMarks(query.data.text)}
        </blockquote>
      ) : (
        <QuoteState query={query} />
      )}
    </Dialog>
  )
}
