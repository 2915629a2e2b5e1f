import { useId } from 'react'
import type { Speaker } from '#contract/transcriptions.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { SpeakerMark } from './speaker-mark.tsx'

interface TurnDialogProps {
  speakers: readonly Speaker[]
  /** Who speaks now. */
  current: string | null
  onChoose: (key: string) => void
  onClose: () => void
}

/** Says who really speaks in a turn that the model gave to somebody else. */
export function TurnDialog({ speakers, current, onChoose, onClose }: TurnDialogProps) {
  const name = useId()
  return (
    <Dialog open onClose={onClose} title="Кто говорит" footer={<Button onClick={onClose}>Готово</Button>}>
      <fieldset className="flex flex-col pb-1">
        <legend className="mb-2 text-sm text-muted">Изменится только эта реплика.</legend>
        {speakers.map((speaker) => (
          <label key={speaker.key} className="flex min-h-11 items-center gap-3 rounded-sm px-2 hover:bg-hover">
            <input
              type="radio"
              name={name}
              checked={speaker.key === current}
              onChange={() => onChoose(speaker.key)}
              className="size-5 shrink-0 accent-accent"
            />
            <SpeakerMark color={speaker.color} />
            <span className="min-w-0 wrap-anywhere">{speaker.name}</span>
          </label>
        ))}
      </fieldset>
    </Dialog>
  )
}
