import { useQuery } from '@tanstack/react-query'
import { Suspense } from 'react'
import { assistantsApi, type ShownPassage } from '#contract/assistants.ts'
import { ApiError } from '#contract/errors.ts'
import type { Citation } from '#contract/threads.ts'
import { PagePicture } from '#web/features/scans/queries.ts'
import { callQuery } from '#web/lib/call-query.ts'
import { buttonStyle } from '#web/ui/button-style.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { Download } from '#web/ui/icons.ts'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { fileAddress } from '../composer/attachments.ts'
import { citationName } from './citation-labels.ts'
import { QuoteState } from './quote-state.tsx'
import { claimOf, findQuoted, withoutMarks } from './quoted-sentence.ts'

interface PassageDialogProps {
  citation: Citation
  /** What it says with this citation is marked in the passage. */
  answer: string
  onClose: () => void
}

export function PassageDialog({ citation, answer, onClose }: PassageDialogProps) {
  const { passageId, fileId } = citation
  const query = useQuery(callQuery(['passage', passageId], assistantsApi.passage, { params: { passageId } }))
  return (
    <Dialog
      open
      onClose={onClose}
      isWide={(query.data?.picturePages ?? []).length > 0}
      title={citationName(citation)}
      footer={
        query.data && (
          <a href={fileAddress(fileId)} download className={buttonStyle('secondary', 'md')}>
            <Download size={18} />
            Скачать файл
          </a>
        )
      }
    >
      {query.data ? (
        <PassageBesidePicture passage={query.data} claim={claimOf(answer, citation.n)} />
      ) : query.error instanceof ApiError && query.error.status === 404 ? (
        <p className="text-[15px]">Этого файла у ассистента больше нет: его убрали или заменили.</p>
      ) : (
        <QuoteState query={query} />
      )}
    </Dialog>
  )
}

/** A page of a scan is shown beside its text; on a narrow screen below it. */
function PassageBesidePicture({ passage, claim }: { passage: ShownPassage; claim: string }) {
  const { fileId, picturePages = [] } = passage
  if (picturePages.length === 0) return <Passage passage={passage} claim={claim} />
  return (
    <div className="grid gap-5 md:grid-cols-2">
      <Passage passage={passage} claim={claim} />
      <Suspense fallback={<Skeleton className="aspect-[1/1.41]" />}>
        <div className="flex flex-col gap-3">
          {picturePages.map((page) => (
            <PagePicture key={page} fileId={fileId} page={page} />
          ))}
        </div>
      </Suspense>
    </div>
  )
}

function Passage({ passage, claim }: { passage: ShownPassage; claim: string }) {
  const { section, before, text, after } = passage
  return (
    <div className="flex flex-col gap-3 text-[15px] leading-relaxed wrap-anywhere whitespace-pre-line">
      {section && <p className="text-sm text-muted">{section}</p>}
      {before && <p className="text-muted">{withoutMarks(before)}</p>}
      <QuotedPassage text={withoutMarks(text)} claim={claim} />
      {after && <p className="text-muted">{withoutMarks(after)}</p>}
    </div>
  )
}

/** The passage with the sentence that fits the claim; without one the whole passage is marked. */
function QuotedPassage({ text, claim }: { text: string; claim: string }) {
  const { before, quoted, after } = findQuoted(text, claim)
  if (quoted === '') return <p className="rounded-md bg-accent-soft px-3.5 py-3">{text}</p>
  return (
    <p>
      {before}
      <mark className="rounded-xs bg-accent-soft py-0.5 text-ink">{quoted}</mark>
      {after}
    </p>
  )
}
