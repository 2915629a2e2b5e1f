import { RefreshCw } from 'lucide-react'
import { useState } from 'react'
import { examples, someExamples } from './examples.ts'

const SHOWN = 4
const chip =
  'rounded-full border bg-surface px-3.5 py-2 text-[15px] text-muted transition-colors hover:border-line-strong hover:text-ink'

/** Where to begin; a click only fills the field, so that it can be made one's own. */
export function ExampleChips({ onPick }: { onPick: (text: string) => void }) {
  const [from, setFrom] = useState(() => Math.floor(Math.random() * examples.length))
  return (
    <ul aria-label="Примеры вопросов" className="flex flex-wrap justify-center gap-2">
      {someExamples(from, SHOWN).map(({ title, text }) => (
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
