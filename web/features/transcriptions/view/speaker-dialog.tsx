import { useId, useState } from 'react'
import { MAX_SPEAKER_NAME, type Speaker, type SpeakerChange, usualSpeakerName } from '#contract/transcriptions.ts'
import { callErrorText } from '#web/lib/error-text.ts'
import { Button } from '#web/ui/button.tsx'
import { ErrorNote } from '#web/ui/callout.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { colorNames, colorOf } from '../speakers.ts'

interface SpeakerDialogProps {
  speaker: Speaker
  onSave: (changes: SpeakerChange[]) => Promise<unknown>
  onClose: () => void
}

/** The name and the colour of one person; the name changes in all lines and files at once. */
export function SpeakerDialog({ speaker, onSave, onClose }: SpeakerDialogProps) {
  const usual = usualSpeakerName(speaker.key)
  const [name, setName] = useState(speaker.name === usual ? '' : speaker.name)
  const [color, setColor] = useState(speaker.color)
  const [error, setError] = useState<string>()
  const [isSaving, setSaving] = useState(false)
  const form = useId()

  async function save() {
    setSaving(true)
    try {
      await onSave([{ key: speaker.key, name: name.trim(), color }])
      onClose()
    } catch (reason) {
      setError(callErrorText(reason))
      setSaving(false)
    }
  }

  return (
    <Dialog
      open
      onClose={onClose}
      title={speaker.name}
      footer={
        <>
          <Button variant="ghost" onClick={onClose}>
            Закрыть
          </Button>
          <Button type="submit" form={form} variant="primary" busy={isSaving}>
            Сохранить
          </Button>
        </>
      }
    >
      <form
        id={form}
        className="flex flex-col gap-5 pt-1"
        onSubmit={(event) => {
          event.preventDefault()
          void save()
        }}
      >
        <TextField
          label="Имя"
          hint="Изменится сразу во всём тексте и в файлах."
          placeholder={usual}
          maxLength={MAX_SPEAKER_NAME}
          autoComplete="off"
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
        <ColorField value={color} onChange={setColor} />
        <ErrorNote text={error} />
      </form>
    </Dialog>
  )
}

function ColorField({ value, onChange }: { value: number; onChange: (color: number) => void }) {
  const name = useId()
  return (
    <fieldset>
      <legend className="mb-2 text-sm font-medium">Цвет</legend>
      <div className="flex flex-wrap gap-1">
        {colorNames.map((label, color) => (
          <label
            key={label}
            title={label}
            className="grid size-11 place-items-center rounded-md hover:bg-hover has-checked:bg-hover has-checked:ring-2 has-checked:ring-line-strong has-focus-visible:ring-focus"
          >
            <input
              type="radio"
              name={name}
              aria-label={label}
              checked={value === color}
              onChange={() => onChange(color)}
              className="sr-only"
            />
            <span aria-hidden="true" className="size-5 rounded-full" style={{ backgroundColor: colorOf(color) }} />
          </label>
        ))}
      </div>
    </fieldset>
  )
}
