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
import { QuotedPassage } from './quoted-passage.tsx'
import { claimOf } from './quoted-sentence.ts'

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
  if (picturePages.length === 0) return <QuotedPassage passage={passage} claim={claim} />
  return (
    <div className="grid gap-5 md:grid-cols-2">
      <QuotedPassage passage={passage} claim={claim} />
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
