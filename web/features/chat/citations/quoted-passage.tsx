import { use, useEffect, useRef, useState } from 'react'
import type { ShownPassage } from '#contract/assistants.ts'
import { withoutMarks } from '#contract/markdown/without-marks.ts'
import { Button } from '#web/ui/button.tsx'
import { OpenModalContext } from '#web/ui/open-modal.ts'
import { joinLines } from './join-lines.ts'
import { findQuoted, nearby } from './quoted-sentence.ts'

/** Shown on each side of the marked words before the rest is asked for. */
const SHOWN_CHARACTERS = 350

interface QuotedPassageProps {
  passage: ShownPassage
  /** What the answer says with this citation. */
  claim: string
}

/** The marked sentence with what stands around it. Where no sentence fits the claim, the whole passage is marked. */
export function QuotedPassage({ passage, claim }: QuotedPassageProps) {
  const [isWhole, setWhole] = useState(false)
  const mark = useInMiddle(isWhole)
  const { section } = passage
  const { before, quoted, after, isSentence } = placesOf(passage, claim)
  const near = { before: nearby(before, 'last', SHOWN_CHARACTERS), after: nearby(after, 'first', SHOWN_CHARACTERS) }
  const isFolded = !isWhole && near.before.length + near.after.length < before.length + after.length
  const shown = isFolded ? near : { before, after }
  const Marked = isSentence ? 'mark' : 'span'
  return (
    <div className="flex flex-col items-start gap-3 text-[15px] leading-relaxed wrap-anywhere whitespace-pre-line">
      {section && <p className="text-sm text-muted">{section}</p>}
      <p>
        <span className="text-muted">{shown.before.trimStart()}</span>
        <Marked ref={mark} className="rounded-xs bg-accent-soft box-decoration-clone py-0.5 text-ink">
          {quoted}
        </Marked>
        <span className="text-muted">{shown.after.trimEnd()}</span>
      </p>
      {isFolded && (
        <Button variant="secondary" size="sm" onClick={() => setWhole(true)}>
          Показать весь отрывок
        </Button>
      )}
    </div>
  )
}

function placesOf({ before, text, after }: ShownPassage, claim: string) {
  const clean = (part: string) => joinLines(withoutMarks(part))
  const start = before ? `${clean(before)}\n\n` : ''
  const end = after ? `\n\n${clean(after)}` : ''
  const found = findQuoted(clean(text), claim)
  if (found.quoted === '') return { before: start, quoted: clean(text), after: end, isSentence: false }
  return { before: start + found.before, quoted: found.quoted, after: found.after + end, isSentence: true }
}

/** The window opens at these words, and stays at them when the text around unfolds. */
function useInMiddle(isWhole: boolean) {
  const mark = useRef<HTMLElement>(null)
  const dialog = use(OpenModalContext)
  // biome-ignore lint/correctness/useExhaustiveDependencies: unfolding moves the words
  useEffect(() => {
    // A mark that is higher than the window is read from its beginning.
    const isHigh = mark.current && mark.current.offsetHeight > window.innerHeight / 2
    if (dialog) mark.current?.scrollIntoView({ block: isHigh ? 'start' : 'center' })
  }, [dialog, isWhole])
  return mark
}
