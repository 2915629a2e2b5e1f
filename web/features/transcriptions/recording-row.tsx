import { Trash2 } from 'lucide-react'
import { Link } from 'wouter'
import type { TranscriptionRow } from '#contract/transcriptions.ts'
import { classNames } from '#web/lib/class-names.ts'
import { formatDay, formatSymbols } from '#web/lib/format.ts'
import { IconButton } from '#web/ui/button.tsx'
import { MarkedText } from '#web/ui/marked-text.tsx'
import { Meter } from '#web/ui/meter.tsx'
import { clock, stateLabel } from './labels.ts'
import { useDeleteTranscription } from './queries.ts'

export function RecordingRow({ row, href }: { row: TranscriptionRow; href: string }) {
  const remove = useDeleteTranscription()
  const { title, status, durationMs, charged, progress, error } = row
  const state = stateLabel(row)
  const facts = [
    formatDay(row.createdAt),
    durationMs === null ? null : clock(durationMs / 1000),
    charged > 0 ? formatSymbols(charged) : null,
  ].filter(Boolean)
  return (
    <li className="relative flex items-start gap-2 p-4 pr-2 transition-colors hover:bg-hover">
      <div className="min-w-0 flex-1">
        <Link href={href} className="block truncate rounded-xs font-medium before:absolute before:inset-0">
          {title}
        </Link>
        <p className="figures flex flex-wrap gap-x-2 text-sm text-muted">
          <span>{facts.join(' · ')}</span>
          {state && (
            <span className={classNames(status === 'failed' ? 'text-danger' : 'text-accent-ink')}>{state}</span>
          )}
        </p>
        {status === 'working' && <Meter share={Math.max(progress, 3) / 100} className="mt-2 h-1" />}
        {error && error.code !== 'stopped' ? (
          <p className="mt-1 line-clamp-2 text-sm text-muted">{error.message}</p>
        ) : (
          row.fragment.length > 0 && (
            <p className="mt-1 line-clamp-2 text-sm text-muted">
              <MarkedText parts={row.fragment} />
            </p>
          )
        )}
      </div>
      <IconButton
        label={`Удалить «${title}»`}
        icon={<Trash2 size={20} aria-hidden="true" />}
        onClick={() => remove(row)}
        className="relative"
      />
    </li>
  )
}
