import { type ReactNode, useEffect, useRef, useState } from 'react'
import { addressOf } from '#contract/endpoint.ts'
import type { Attachment } from '#contract/files.ts'
import {
  MAX_RECORDING_TITLE,
  type SpeakerChange,
  type Transcription,
  transcriptionsApi,
} from '#contract/transcriptions.ts'
import { formatDateTime, formatSymbols } from '#web/lib/format.ts'
import { message } from '#web/lib/notify.ts'
import { BackLink } from '#web/ui/back-link.tsx'
import { IconButton } from '#web/ui/button.tsx'
import { Pencil } from '#web/ui/icons.ts'
import { RenameField } from '#web/ui/rename-field.tsx'
import { formatClock } from '../labels.ts'
import { useChangeTranscription, useDeleteTranscription } from '../queries.ts'
import { textWithNames } from '../speakers.ts'
import { FindBar, useFind } from './find-bar.tsx'
import { type Player, PlayerBar, usePlayer } from './player-bar.tsx'
import { RecordingState } from './recording-state.tsx'
import { RecordingTools } from './recording-tools.tsx'
import { SpeakersBar } from './speakers-bar.tsx'
import { Transcript } from './transcript.tsx'
import { type SaveState, useAutosave } from './use-autosave.ts'

/** What the recording's page offers to a part below the player. */
export interface RecordingTie {
  recording: Transcription
  onPlay: (second: number) => void
  savePending: () => Promise<void>
}

interface RecordingViewProps {
  recording: Transcription
  back: string
  onAsk: (file: Attachment) => void
  onGone: () => void
  /** Between the player and the transcript. */
  belowPlayer?: ((tie: RecordingTie) => ReactNode) | undefined
}

export function RecordingView({ recording, back, onAsk, onGone, belowPlayer }: RecordingViewProps) {
  const remove = useDeleteTranscription()
  const isHere = recording.received === recording.bytes && recording.mime !== null
  const deleteIt = () => {
    remove(recording)
    onGone()
  }
  return (
    <article className="flex flex-col gap-5">
      <RecordingHead recording={recording} back={back} />
      {recording.status === 'ready' ? (
        <Ready recording={recording} onAsk={onAsk} onDelete={deleteIt} belowPlayer={belowPlayer} />
      ) : (
        <>
          <RecordingState recording={recording} />
          {isHere && <Listening recording={recording} />}
        </>
      )}
    </article>
  )
}

function Listening({ recording }: { recording: Transcription }) {
  const player = usePlayer(recording.durationMs === null ? null : recording.durationMs / 1000)
  return <StoredPlayer id={recording.id} player={player} />
}

const saveText: Record<SaveState, string> = {
  saved: '',
  waiting: 'Сохраняется…',
  saving: 'Сохраняется…',
  failed: 'Не сохранилось: пробуем снова. Исправления не пропадут.',
}

function Ready({
  recording,
  onAsk,
  onDelete,
  belowPlayer,
}: Pick<RecordingViewProps, 'recording' | 'onAsk' | 'belowPlayer'> & { onDelete: () => void }) {
  const player = usePlayer(recording.durationMs === null ? null : recording.durationMs / 1000)
  const { mutateAsync } = useChangeTranscription(recording.id)
  const { transcript, state, correct, replace, flush } = useAutosave(recording, mutateAsync)
  const find = useFind(transcript.segments)
  const seen = useRef(recording.updatedAt)
  const wasTouched = useRef(false)
  if (state !== 'saved') wasTouched.current = true
  useEffect(() => {
    // Changed in another tab or by a retry: taken over unless there are unsaved corrections here.
    if (seen.current === recording.updatedAt) return
    seen.current = recording.updatedAt
    if (state === 'saved') replace({ text: recording.text, segments: recording.segments })
  }, [recording, state, replace])

  async function restore() {
    const { text, segments } = await mutateAsync({ original: true })
    replace({ text, segments })
    message.success('Исходный текст возвращён')
  }
  const onPlay = (second: number) => {
    player.seek(second)
    void player.audio.current?.play().catch(() => undefined)
  }
  const speakers = recording.speakers ?? []
  /** Corrections are saved first: the answer replaces the text on the screen. */
  async function changeSpeakers(changes: SpeakerChange[]) {
    await flush()
    await mutateAsync({ speakers: changes })
  }
  const isEmpty = transcript.text.trim() === '' && !transcript.segments?.some(({ text }) => text.trim() !== '')
  return (
    <>
      <RecordingTools
        recording={recording}
        savePending={flush}
        text={() => (transcript.segments ? textWithNames(transcript.segments, speakers) : transcript.text)}
        onAsk={onAsk}
        onRestore={() => void restore()}
        onDelete={onDelete}
      />
      {speakers.length > 0 && (
        <SpeakersBar speakers={speakers} segments={transcript.segments ?? []} onChange={changeSpeakers} />
      )}
      <StoredPlayer id={recording.id} player={player} />
      {belowPlayer?.({ recording, onPlay, savePending: flush })}
      {transcript.segments && !isEmpty && <FindBar find={find} />}
      {isEmpty && state === 'saved' ? (
        <p className="rounded-md border px-4 py-8 text-center text-muted">В записи не нашлось слов.</p>
      ) : (
        <Transcript transcript={transcript} speakers={speakers} player={player} find={find} onCorrect={correct} />
      )}
      <p role="status" className="min-h-6 text-sm text-muted">
        {state === 'saved' && wasTouched.current ? 'Исправления сохранены' : saveText[state]}
      </p>
    </>
  )
}

function RecordingHead({ recording, back }: { recording: Transcription; back: string }) {
  const [isRenaming, setRenaming] = useState(false)
  const { mutate, variables, isPending } = useChangeTranscription(recording.id)
  const title = (isPending ? variables?.title : null) ?? recording.title
  const { durationMs, charged, createdAt } = recording
  const facts = [
    formatDateTime(createdAt),
    durationMs === null ? null : formatClock(durationMs / 1000),
    charged > 0 ? formatSymbols(charged) : null,
  ].filter(Boolean)
  return (
    <header className="flex flex-col gap-2">
      <BackLink href={back}>Все записи</BackLink>
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
            icon={<Pencil size={18} />}
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

/** Sticky, to stay visible while reading. */
function StoredPlayer({ id, player }: { id: string; player: Player }) {
  const src = addressOf(transcriptionsApi.audio, { params: { id } })
  return <PlayerBar src={src} player={player} className="sticky top-2 z-10 shadow-float" />
}
