import { type KeyboardEvent, useEffect, useState } from 'react'
import { MAX_MESSAGE } from '#contract/threads.ts'
import { useEnterSends } from '#web/lib/enter-setting.ts'
import { holdReload } from '#web/lib/hold-reload.ts'
import { Button } from '#web/ui/button.tsx'
import { GrowingField } from '#web/ui/growing-field.tsx'
import { isTouch } from '../composer/focus-composer.ts'
import { isSendKey } from '../composer/send-rules.ts'

interface MessageEditorProps {
  label: string
  text: string
  /** The label of the save button, with the price of this text if it has one. */
  action: string | ((text: string) => string)
  note?: string
  onSave: (text: string) => void
  onCancel: () => void
}

export function MessageEditor({ label, text, action, note, onSave, onCancel }: MessageEditorProps) {
  const [typed, setTyped] = useState(text)
  const enterSends = useEnterSends()
  const isSame = typed.trim() === text.trim()
  const canSave = typed.trim() !== '' && !isSame
  useEffect(() => (isSame ? undefined : holdReload('Правка сообщения')), [isSame])

  function onKeyDown(event: KeyboardEvent) {
    if (event.key === 'Escape') onCancel()
    if (!isSendKey(event.nativeEvent, { enterSends, isTouch: isTouch() })) return
    event.preventDefault()
    if (canSave) onSave(typed.trim())
  }

  return (
    <div className="w-full rounded-lg border border-line-strong bg-surface p-2 focus-within:border-accent-ink">
      <GrowingField
        aria-label={label}
        autoFocus
        value={typed}
        maxLength={MAX_MESSAGE}
        onChange={(event) => setTyped(event.target.value)}
        onKeyDown={onKeyDown}
        className="px-2 py-1"
      />
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1 pt-1">
        {note && <p className="px-2 text-sm text-muted">{note}</p>}
        <div className="ml-auto flex gap-2">
          <Button size="sm" variant="ghost" onClick={onCancel}>
            Отмена
          </Button>
          <Button size="sm" variant="primary" disabled={!canSave} onClick={() => onSave(typed.trim())}>
            {typeof action === 'string' ? action : action(typed.trim())}
          </Button>
        </div>
      </div>
    </div>
  )
}
