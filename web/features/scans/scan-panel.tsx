import { useEffect, useRef, useState } from 'react'
import { ApiError } from '#contract/errors.ts'
import { type Scan, scansApi } from '#contract/scans.ts'
import { api } from '#web/lib/api.ts'
import { callErrorText } from '#web/lib/error-text.ts'
import { message } from '#web/lib/notify.ts'
import { Button } from '#web/ui/button.tsx'
import { QueryError } from '#web/ui/query-error.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { actionLabel, failedPages, progressLabel } from './scan-labels.ts'
import { isReading, useScan } from './scan-query.ts'

interface ScanPanelProps {
  fileId: string
  fileName: string
  /** Called when the reading has ended and the file has another text. */
  onEnd?: () => void
}

export function ScanPanel({ fileId, fileName, onEnd }: ScanPanelProps) {
  const query = useScan(fileId)
  const { data: scan, error, show } = query
  useEnd(scan, onEnd)
  const [isBusy, setBusy] = useState(false)
  if (error instanceof ApiError && error.status === 404) return null
  if (!scan) return error ? <QueryError query={query} /> : <Skeleton className="mt-2 h-8 w-56" />

  async function act(call: Promise<Scan>) {
    setBusy(true)
    try {
      show(await call)
    } catch (failure) {
      message.error(callErrorText(failure as Error))
      void query.refetch()
    } finally {
      setBusy(false)
    }
  }
  const { pagePrice } = scan
  const start = () => act(api(scansApi.start, { params: { fileId }, body: { pagePrice: pagePrice ?? 0 } }))
  const stop = () => act(api(scansApi.stop, { params: { fileId } }))

  if (isReading(scan)) return <Progress scan={scan} name={fileName} onStop={() => void stop()} isBusy={isBusy} />
  if (scan.read >= scan.pages) return null
  return (
    <div className="mt-1 flex flex-col items-start gap-2 text-sm">
      {scan.state === 'stopped' && <p className="figures text-muted">{progressLabel(scan)}</p>}
      {scan.error && <p className="text-pretty text-warning">{scan.error}</p>}
      {failedPages(scan.failed).map((line) => (
        <p key={line} className="text-pretty text-danger">
          {line}
        </p>
      ))}
      {scan.refusal === null && scan.left > 0 ? (
        <Button
          size="sm"
          disabled={isBusy}
          aria-label={`${actionLabel(scan)}, ${fileName}`}
          onClick={() => void start()}
        >
          {actionLabel(scan)}
        </Button>
      ) : (
        <p className="text-pretty text-muted">{scan.refusal}</p>
      )}
    </div>
  )
}

/** Calls once for every reading that ends while it is watched. */
function useEnd(scan: Scan | undefined, onEnd: (() => void) | undefined): void {
  const wasReading = useRef(false)
  const isNow = scan !== undefined && isReading(scan)
  useEffect(() => {
    if (wasReading.current && !isNow) onEnd?.()
    wasReading.current = isNow
  }, [isNow, onEnd])
}

interface ProgressProps {
  scan: Scan
  name: string
  onStop: () => void
  isBusy: boolean
}

function Progress({ scan, name, onStop, isBusy }: ProgressProps) {
  const { read, pages } = scan
  return (
    <div className="mt-1 flex flex-wrap items-center gap-x-3 gap-y-1.5 text-sm">
      <span role="status" className="figures text-muted">
        {progressLabel(scan)}
      </span>
      <span
        role="progressbar"
        aria-label={`Чтение: ${name}`}
        aria-valuemin={0}
        aria-valuemax={pages}
        aria-valuenow={read}
        className="h-1.5 min-w-20 flex-1 basis-28 overflow-hidden rounded-full bg-hover"
      >
        <span
          style={{ transform: `scaleX(${Math.max(read / pages, 0.03)})` }}
          className="block size-full origin-left bg-accent-ink transition-transform"
        />
      </span>
      <Button size="sm" disabled={isBusy} aria-label={`Остановить чтение: ${name}`} onClick={onStop}>
        Остановить
      </Button>
    </div>
  )
}
