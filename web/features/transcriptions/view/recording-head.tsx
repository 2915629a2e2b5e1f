import { ArrowLeft, Pencil } from 'lucide-react'
import { useState } from 'react'
import { MAX_RECORDING_TITLE, type Transcription } from '#contract/transcriptions.ts'
import { formatDateTime, formatSymbols } from '#web/lib/format.ts'
import { IconButton } from '#web/ui/button.tsx'
import { RenameField } from '#web/ui/rename-field.tsx'
import { TextLink } from '#web/ui/text-link.tsx'
import { clock } from '../labels.ts'
import { useChangeTranscription } from '../queries.ts'

/** The name, which can be changed, and what there is to know. */
export function RecordingHead({ recording, back }: { recording: Transcription; back: string }) {
  const [isRenaming, setRenaming] = useState(false)
  const { mutate, variables, isPending } = useChangeTranscription(recording.id)
  const title = (isPending ? variables?.title : null) ?? recording.title
  const { durationMs, charged, createdAt } = recording
  const facts = [
    formatDateTime(createdAt),
    durationMs === null ? null : clock(durationMs / 1000),
    charged > 0 ? formatSymbols(charged) : null,
  ].filter(Boolean)
  return (
    <header className="flex flex-col gap-2">
      <TextLink href={back}>
        <span className="inline-flex items-center gap-1.5 text-sm">
          <ArrowLeft size={16} aria-hidden="true" />
          Все записи
        </span>
      </TextLink>
      {isRenaming ? (
        <RenameField
          label="Название записи"
          maxLength={MAX_RECORDING_TITLE}
          title={title}
          className="px-2 py-1 text-2xl font-semibold"
          onDone={(next) => {
            setRenaming(false)
            if (next) mutate({ title: next })
          }}
        />
      ) : (
        <div className="flex items-start gap-1">
          <h1 className="min-w-0 text-2xl font-semibold wrap-anywhere">{title}</h1>
          <IconButton
            label="Переименовать"
            icon={<Pencil size={18} aria-hidden="true" />}
            size="sm"
            onClick={() => setRenaming(true)}
            className="mt-0.5"
          />
        </div>
      )}
      <p className="figures text-sm text-muted">{facts.join(' · ')}</p>
    </header>
  )
}
