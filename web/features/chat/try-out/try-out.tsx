import { type FormEvent, type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { MAX_MESSAGE } from '#contract/threads.ts'
import { useEnterSends } from '#web/lib/enter-setting.ts'
import { Button, IconButton } from '#web/ui/button.tsx'
import { buttonStyle } from '#web/ui/button-style.ts'
import { GrowingField } from '#web/ui/growing-field.tsx'
import { ArrowUp, RotateCcw, Square } from '#web/ui/icons.ts'
import { isTouch } from '../composer/focus-composer.ts'
import { isSendKey } from '../composer/send-rules.ts'
import { TurnView } from './turn-view.tsx'
import { type Tested, useTryOut } from './use-try-out.ts'
import { useTryOutPrice } from './use-try-out-price.tsx'

interface TryOutProps {
  /** The most that passages of the saved files add to a question, in symbols. */
  passages: number
  /** The current values of the form, and the files that are saved. */
  tested: Tested
  starters: readonly string[]
  /** A remark on what cannot be tried yet. */
  note?: string | undefined
}

/** A chat beside the assistant form. It is not stored, and charged like any other. */
export function TryOut({ tested, passages, starters, note }: TryOutProps) {
  const { turns, isWriting, ask, stop, clear } = useTryOut(tested)
  const { priceOf, askIfPaid } = useTryOutPrice({ tested, passages, turns, ask })
  const end = useRef<HTMLDivElement>(null)
  const last = turns.at(-1)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the end moves as the answer grows
  useEffect(() => {
    end.current?.parentElement?.scrollTo({ top: end.current.offsetTop })
  }, [turns.length, last?.answer])

  return (
    <section aria-label="Проба ассистента" className="flex h-full min-h-0 flex-col rounded-md border bg-surface">
      <header className="flex min-h-12 items-center justify-between gap-2 border-b py-1 pr-1 pl-4">
        <h2 className="font-semibold">Попробовать</h2>
        {turns.length > 0 && <IconButton label="Начать пробу заново" icon={<RotateCcw size={18} />} onClick={clear} />}
      </header>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scroll area must be reachable by keyboard */}
      <div tabIndex={0} role="log" aria-label="Пробный чат" className="relative flex-1 overflow-y-auto px-4 py-4">
        {turns.length === 0 ? (
          <TryOutIntro starters={starters} note={note} onAsk={askIfPaid} />
        ) : (
          <ol className="flex flex-col gap-5">
            {turns.map((turn) => (
              <TurnView key={turn.id} turn={turn} />
            ))}
          </ol>
        )}
        <div ref={end} />
      </div>
      <Field isWriting={isWriting} onAsk={askIfPaid} onStop={stop} priceOf={priceOf} />
    </section>
  )
}

interface BeginningProps {
  starters: readonly string[]
  note: string | undefined
  onAsk: (text: string) => Promise<boolean>
}

function TryOutIntro({ starters, note, onAsk }: BeginningProps) {
  return (
    <div className="flex flex-col gap-3 text-[15px] text-muted">
      <p className="text-pretty">
        Задайте вопрос и посмотрите, как ассистент отвечает по тому, что сейчас в форме. Пробный чат не сохраняется, а
        символы списываются как обычно.
      </p>
      {note && <p className="text-pretty">{note}</p>}
      <div className="flex flex-wrap gap-2">
        {starters.map((starter) => (
          <Button
            key={starter}
            size="sm"
            className="max-w-full text-left whitespace-normal"
            onClick={() => void onAsk(starter)}
          >
            {starter}
          </Button>
        ))}
      </div>
    </div>
  )
}

interface FieldProps {
  isWriting: boolean
  priceOf: (text: string) => ReactNode
  onAsk: (text: string) => Promise<boolean>
  onStop: () => void
}

function Field({ isWriting, priceOf, onAsk, onStop }: FieldProps) {
  const [text, setText] = useState('')
  const enterSends = useEnterSends()

  function submit(event?: FormEvent) {
    event?.preventDefault()
    if (isWriting || text.trim() === '') return
    // Words that were not sent stay, and so do words that were typed meanwhile.
    void onAsk(text.trim()).then((isSent) => isSent && setText((now) => (now === text ? '' : now)))
  }

  function onKeyDown(event: KeyboardEvent) {
    if (!isSendKey(event.nativeEvent, { enterSends, isTouch: isTouch() })) return
    event.preventDefault()
    submit()
  }

  return (
    <form onSubmit={submit} className="border-t p-3">
      <div className="flex items-end gap-2 rounded-md border border-line-strong py-1 pr-1 pl-3 focus-within:border-accent-ink">
        <GrowingField
          aria-label="Вопрос для пробы"
          placeholder="Спросите ассистента"
          maxLength={MAX_MESSAGE}
          value={text}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={onKeyDown}
          className="min-h-10 flex-1 py-2"
        />
        {isWriting ? (
          <button
            type="button"
            aria-label="Остановить"
            title="Остановить"
            onClick={onStop}
            className={buttonStyle('secondary', 'icon', 'shrink-0')}
          >
            <Square size={14} fill="currentColor" />
          </button>
        ) : (
          <button
            type="submit"
            aria-label="Спросить"
            title="Спросить"
            aria-disabled={text.trim() === ''}
            className={buttonStyle('primary', 'icon', 'shrink-0 aria-disabled:opacity-45')}
          >
            <ArrowUp size={20} />
          </button>
        )}
      </div>
      <p className="figures px-1 pt-1.5 text-[13px] text-pretty text-muted">{priceOf(text)}</p>
    </form>
  )
}
