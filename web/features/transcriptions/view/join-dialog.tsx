import { useState } from 'react'
import type { Segment, Speaker } from '#contract/transcriptions.ts'
import { callErrorText } from '#web/lib/error-text.ts'
import { Button } from '#web/ui/button.tsx'
import { ErrorNote } from '#web/ui/callout.tsx'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { SelectField } from '#web/ui/form/select-field.tsx'
import { firstWords } from '../speakers.ts'
import { SpeakerMark } from './speaker-mark.tsx'

interface JoinDialogProps {
  speakers: readonly Speaker[]
  segments: readonly Segment[]
  onJoin: (into: Speaker, others: Speaker[]) => Promise<void>
  onClose: () => void
}

/** All marked people become one, in one step. */
export function JoinDialog({ speakers, segments, onJoin, onClose }: JoinDialogProps) {
  const [marked, setMarked] = useState<readonly string[]>([])
  const [kept, setKept] = useState<string | null>(null)
  const [error, setError] = useState<string>()
  const [isSaving, setSaving] = useState(false)
  const chosen = speakers.filter(({ key }) => marked.includes(key))
  const into = chosen.find(({ key }) => key === kept) ?? chosen[0]

  async function join() {
    if (!into) return
    setSaving(true)
    try {
      await onJoin(
        into,
        chosen.filter(({ key }) => key !== into.key),
      )
    } catch (reason) {
      setError(callErrorText(reason))
      setSaving(false)
    }
  }

  return (
    <Dialog
      open
      onClose={onClose}
      title="Объединить участников"
      footer={
        <>
          <Button variant="ghost" onClick={onClose}>
            Закрыть
          </Button>
          <Button variant="primary" busy={isSaving} disabled={chosen.length < 2} onClick={() => void join()}>
            Объединить
          </Button>
        </>
      }
    >
      <p className="text-sm text-muted">
        Если один человек записан под разными именами, отметьте их. Реплики станут его репликами.
      </p>
      <ul className="flex flex-col gap-3 py-4">
        {speakers.map(({ key, name, color }) => (
          <li key={key}>
            <Checkbox
              label={
                <span className="flex flex-col">
                  <span className="flex items-center gap-2">
                    <SpeakerMark color={color} />
                    {name}
                  </span>
                  <span className="line-clamp-1 text-sm text-muted">{firstWords(segments, key)}</span>
                </span>
              }
              checked={marked.includes(key)}
              onChange={(isOn) => setMarked(isOn ? [...marked, key] : marked.filter((each) => each !== key))}
            />
          </li>
        ))}
      </ul>
      {chosen.length > 1 && (
        <SelectField
          label="Останется имя"
          options={chosen.map(({ key, name }) => ({ value: key, label: name }))}
          value={into?.key ?? ''}
          onChange={(event) => setKept(event.target.value)}
        />
      )}
      <ErrorNote text={error} />
    </Dialog>
  )
}
