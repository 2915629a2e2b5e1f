import { useEffect, useState } from 'react'
import { RefreshCw } from '#web/ui/icons.ts'

const SHOWN = 4
const chip =
  'rounded-full border bg-surface px-3.5 py-2 text-[15px] text-muted transition-colors hover:border-line-strong hover:text-ink'

/** Example questions. A click fills the field and sends nothing. */
export function ExampleChips({ onPick }: { onPick: (text: string) => void }) {
  const [from, setFrom] = useState(firstShown)
  useEffect(() => {
    isPageNew = false
  }, [])
  return (
    <ul aria-label="Примеры вопросов" className="flex flex-wrap justify-center gap-2">
      {pickExamples(from, SHOWN).map(({ title, text }) => (
        <li key={title}>
          <button type="button" title={text} onClick={() => onPick(text)} className={chip}>
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
          <RefreshCw size={17} aria-hidden="true" />
        </button>
      </li>
    </ul>
  )
}

/** The shell that comes with the page shows the first examples, so the first render must show the same. */
let isPageNew = true
const firstShown = () => (isPageNew ? 0 : Math.floor(Math.random() * examples.length))

interface Example {
  /** The label of the chip. */
  title: string
  /** The text that fills the field. */
  text: string
}

export const examples: Example[] = [
  {
    title: 'Написать письмо',
    text: 'Напиши вежливое письмо арендодателю: прошу перенести оплату на пять дней. Коротко, без канцелярита.',
  },
  {
    title: 'Объяснить просто',
    text: 'Объясни простыми словами, чем ИП отличается от самозанятого и кому что выгоднее. С таблицей сравнения.',
  },
  {
    title: 'Составить план',
    text: 'Составь план поездки в Казань на три дня: без спешки, с детьми 7 и 10 лет, с запасом на дождь.',
  },
  {
    title: 'Разобрать текст',
    text: 'Выдели из текста ниже главное, решения и кто что должен сделать:\n\n',
  },
  {
    title: 'Исправить код',
    text: 'Найди ошибку в этом коде, объясни её и покажи исправленный вариант:\n\n```\n\n```',
  },
  {
    title: 'Продумать разговор',
    text: 'Помоги подготовиться к разговору о повышении зарплаты: доводы, вероятные возражения и что на них ответить.',
  },
]

/** `count` examples in a row from `from`, wrapping around at the end. */
export function pickExamples(from: number, count: number): Example[] {
  return Array.from({ length: count }, (_, i) => examples[(from + i) % examples.length]).filter(
    (one) => one !== undefined,
  )
}
