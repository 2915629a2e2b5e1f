import { useState } from 'react'
import { ApiError } from '#contract/errors.ts'
import { MAX_MINUTES, type MinutesDocument, minutesTitles } from '#contract/minutes.ts'
import { message } from '#web/lib/notify.ts'
import { Button } from '#web/ui/button.tsx'
import { Callout } from '#web/ui/callout.tsx'
import { TextArea } from '#web/ui/text-area.tsx'
import { type DraftPlace, readDraft, writeDraft } from './draft.ts'
import { useEditMinutes } from './queries.ts'

interface DocumentEditorProps {
  document: MinutesDocument
  place: DraftPlace
  onDone: () => void
}

/** Every keystroke is kept in this browser until the text is saved. */
export function DocumentEditor({ document, place, onDone }: DocumentEditorProps) {
  const { kind, version } = document
  const [draft, setDraft] = useState(() => readDraft(place) ?? { text: document.text, version })
  const edit = useEditMinutes(place.id, kind)
  const isElsewhere = edit.error instanceof ApiError && edit.error.field === 'version'

  function change(text: string) {
    const next = { ...draft, text }
    setDraft(next)
    writeDraft(place, next)
  }
  function close() {
    writeDraft(place, null)
    onDone()
  }
  const save = (over: number) =>
    edit.mutate(
      { text: draft.text, version: over },
      {
        onSuccess: () => {
          message.success('Текст сохранён')
          close()
        },
      },
    )
  return (
    <div className="flex flex-col gap-3">
      <TextArea
        label={minutesTitles[kind]}
        hint="Разметка Markdown. Правки хранятся в этом браузере, пока вы их не сохраните."
        spellCheck
        value={draft.text}
        maxLength={MAX_MINUTES}
        onChange={(event) => change(event.target.value)}
        className="min-h-96 text-[15px] leading-relaxed"
      />
      {isElsewhere && (
        <Callout
          tone="warning"
          title="Текст изменился в другом окне"
          action={
            <>
              <Button size="sm" busy={edit.isPending} onClick={() => save(version)}>
                Сохранить мой
              </Button>
              <Button size="sm" variant="ghost" onClick={close}>
                Открыть тот
              </Button>
            </>
          }
        >
          Ваши правки не пропали: решите, какой текст оставить.
        </Callout>
      )}
      <div className="flex flex-wrap gap-2">
        <Button
          variant="primary"
          busy={edit.isPending}
          disabled={draft.text.trim() === ''}
          onClick={() => save(draft.version)}
        >
          Сохранить
        </Button>
        <Button variant="ghost" onClick={close}>
          Отменить правки
        </Button>
      </div>
    </div>
  )
}
