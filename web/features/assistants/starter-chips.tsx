interface StarterChipsProps {
  starters: readonly string[]
  onPick: (text: string) => void
}

const chip =
  'max-w-full rounded-lg border bg-surface px-3.5 py-2 text-left text-[15px] text-muted transition-colors wrap-anywhere hover:border-line-strong hover:text-ink'

/** Where to begin; a click only fills the field, so that it can be made one's own. */
export function StarterChips({ starters, onPick }: StarterChipsProps) {
  if (starters.length === 0) return null
  return (
    <ul aria-label="С чего начать" className="flex flex-wrap justify-center gap-2">
      {starters.map((starter) => (
        <li key={starter} className="max-w-full">
          <button type="button" onClick={() => onPick(starter)} className={chip}>
            {starter}
          </button>
        </li>
      ))}
    </ul>
  )
}
