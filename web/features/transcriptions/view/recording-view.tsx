import { useEffect, useRef } from 'react'
import type { Attachment } from '#contract/files.ts'
import type { Transcription } from '#contract/transcriptions.ts'
import { message } from '#web/lib/notify.ts'
import { useChangeTranscription, useDeleteTranscription } from '../queries.ts'
import { PlayerBar } from './player-bar.tsx'
import { RecordingHead } from './recording-head.tsx'
import { RecordingState } from './recording-state.tsx'
import { RecordingTools } from './recording-tools.tsx'
import { Transcript } from './transcript.tsx'
import { type SaveState, useAutosave } from './use-autosave.ts'
import { usePlayer } from './use-player.ts'

interface RecordingViewProps {
  recording: Transcription
  back: string
  onAsk: (file: Attachment) => void
  onGone: () => void
}

/** One recording: its sound, its words, and what can be done with them. */
export function RecordingView({ recording, back, onAsk, onGone }: RecordingViewProps) {
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
        <Ready recording={recording} onAsk={onAsk} onDelete={deleteIt} />
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
  return <PlayerBar id={recording.id} player={player} />
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
}: Pick<RecordingViewProps, 'recording' | 'onAsk'> & { onDelete: () => void }) {
  const player = usePlayer(recording.durationMs === null ? null : recording.durationMs / 1000)
  const { mutateAsync } = useChangeTranscription(recording.id)
  const { said, state, correct, replace, flush } = useAutosave(recording, mutateAsync)
  const seen = useRef(recording.updatedAt)
  const wasTouched = useRef(false)
  if (state !== 'saved') wasTouched.current = true
  useEffect(() => {
    // Another window, or another try, changed it; what is being written here is not taken away.
    if (seen.current === recording.updatedAt) return
    seen.current = recording.updatedAt
    if (state === 'saved') replace({ text: recording.text, segments: recording.segments })
  }, [recording, state, replace])

  async function restore() {
    const { text, segments } = await mutateAsync({ original: true })
    replace({ text, segments })
    message.success('Исходный текст возвращён')
  }
  const isEmpty = said.text.trim() === '' && !said.segments?.some(({ text }) => text.trim() !== '')
  return (
    <>
      <RecordingTools
        recording={recording}
        settle={flush}
        text={() => (said.segments ? said.segments.map(({ text }) => text).join(' ') : said.text)}
        onAsk={onAsk}
        onRestore={() => void restore()}
        onDelete={onDelete}
      />
      <PlayerBar id={recording.id} player={player} />
      {isEmpty && state === 'saved' ? (
        <p className="rounded-md border px-4 py-8 text-center text-muted">В записи не нашлось слов.</p>
      ) : (
        <Transcript said={said} player={player} onCorrect={correct} />
      )}
      <p role="status" className="min-h-6 text-sm text-muted">
        {state === 'saved' && wasTouched.current ? 'Исправления сохранены' : saveText[state]}
      </p>
    </>
  )
}
