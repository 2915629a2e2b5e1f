import { useEffect, useState } from 'react'
import { lazy } from '#web/lib/lazy.tsx'
import { message } from '#web/lib/notify.ts'
import { RefreshCw } from '#web/ui/icons.ts'

const texts = lazy(async () => (await import('./example-texts.ts')).exampleTexts)
const SHOWN = 4
const chip =
  'rounded-full border bg-surface px-3.5 py-2 text-[15px] text-muted transition-colors hover:border-line-strong hover:text-ink'

/** Example questions. A click fills the field and sends nothing. */
export function ExampleChips({ onPick }: { onPick: (text: string) => void }) {
  const [from, setFrom] = useState(firstShown)
  useEffect(() => {
    isPageNew = false
  }, [])

  async function pick(title: Example) {
    try {
      onPick((await texts.load())[title])
    } catch {
      message.error('Не загрузилось. Проверьте связь или обновите страницу.')
    }
  }

  return (
    <ul aria-label="Примеры вопросов" className="flex flex-wrap gap-2">
      {pickExamples(from, SHOWN).map((title) => (
        <li key={title}>
          <button
            type="button"
            onPointerEnter={texts.preload}
            onFocus={texts.preload}
            onClick={() => void pick(title)}
            className={chip}
          >
            {title}
          </button>
        </li>
      ))}
      <li>
        <button
          type="button"
          aria-label="Другие примеры"
          title="Другие примеры"
          onClick={() => setFrom(from + SHOWN)}
          className="grid size-10 place-items-center rounded-full text-muted transition-colors hover:bg-hover hover:text-ink"
        >
          <RefreshCw size={17} />
        </button>
      </li>
    </ul>
  )
}

/** The shell that comes with the page shows the first examples, so the first render must show the same. */
let isPageNew = true
const firstShown = () => (isPageNew ? 0 : Math.floor(Math.random() * examples.length))

/** The labels of the chips; the texts that fill the field are loaded when they are needed. */
export const examples = [
  'Написать письмо',
  'Объяснить просто',
  'Составить план',
  'Разобрать текст',
  'Исправить код',
  'Продумать разговор',
] as const
export type Example = (typeof examples)[number]

/** `count` examples in a row from `from`, wrapping around at the end. */
export function pickExamples(from: number, count: number): Example[] {
  return Array.from({ length: count }, (_, i) => examples[(from + i) % examples.length]).filter(
    (one) => one !== undefined,
  )
}
