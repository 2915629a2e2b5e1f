import { type KeyboardEvent, type Ref, useId } from 'react'
import { MAX_PENDING_QUESTION } from '#contract/pending-question.ts'
import { Button } from '#web/ui/button.tsx'

interface QuestionFieldProps {
  text: string
  onChange: (text: string) => void
  /** The person is ready to sign in. */
  onAsk: () => void
  ref: Ref<HTMLTextAreaElement>
}

/** The first question, before there is an account. It is followed by the address, so Enter leads on also on a phone. */
export function QuestionField({ text, onChange, onAsk, ref }: QuestionFieldProps) {
  const noteId = useId()
  function onKeyDown(event: KeyboardEvent) {
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing || event.keyCode === 229) return
    event.preventDefault()
    if (text.trim() !== '') onAsk()
  }
  return (
    <form
      aria-label="Вопрос"
      className="mt-5"
      onSubmit={(event) => {
        event.preventDefault()
        onAsk()
      }}
    >
      <div className="rounded-lg border border-line-strong bg-surface transition-colors focus-within:border-accent-ink">
        <textarea
          ref={ref}
          rows={2}
          enterKeyHint="next"
          aria-label="Ваш вопрос"
          aria-describedby={noteId}
          placeholder="Спросите что-нибудь"
          value={text}
          onChange={(event) => onChange(event.target.value)}
          onKeyDown={onKeyDown}
          className="block field-sizing-content max-h-[24dvh] min-h-15 w-full resize-none bg-transparent px-4 pt-3 outline-none wrap-anywhere"
        />
        <p className="flex min-h-10 items-center justify-between gap-3 p-1.5 pl-4 text-[13px] leading-snug text-muted">
          <span id={noteId}>{noteFor(text)}</span>
          {/* On a wide screen the next field is beside this one. */}
          <Button
            type="submit"
            size="sm"
            aria-disabled={text.trim() === ''}
            className="aria-disabled:opacity-45 frame:hidden"
          >
            Дальше
          </Button>
        </p>
      </div>
    </form>
  )
}

function noteFor(text: string): string {
  if (text.trim() === '') return 'Вход займёт минуту, и ответ появится сразу'
  if (text.length > MAX_PENDING_QUESTION) return 'Длинный вопрос сохранён только здесь: войдите в этом же браузере'
  return 'Сохранили. Отправим, как только вы войдёте'
}
