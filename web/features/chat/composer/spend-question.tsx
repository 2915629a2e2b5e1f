import { useEffect, useId, useRef } from 'react'
import { consentText } from '#web/lib/spend-rule.ts'
import { Button } from '#web/ui/button.tsx'
import { type WaitingSpend, waitingSpend } from './spend-consent.ts'

/** Asks before one press takes more than half of the balance. Escape and «Изменить» leave everything as it was. */
export function SpendQuestion({ spend }: { spend: WaitingSpend }) {
  const agree = useRef<HTMLButtonElement>(null)
  const textId = useId()
  useEffect(() => {
    agree.current?.focus({ preventScroll: true })
    // A price for another text or another chat would be wrong.
    return () => {
      if (waitingSpend.get() === spend) waitingSpend.set(null)
    }
  }, [spend])

  function close() {
    waitingSpend.set(null)
    if (spend.from instanceof HTMLElement) spend.from.focus({ preventScroll: true })
  }

  return (
    <div
      role="alertdialog"
      aria-labelledby={textId}
      onKeyDown={(event) => event.key === 'Escape' && close()}
      className="m-1.5 mb-0 flex flex-wrap items-center gap-x-3 gap-y-2 rounded-md bg-warning-soft px-3 py-2 text-[15px]"
    >
      <p id={textId} className="figures min-w-0 flex-1 basis-64 text-pretty">
        {consentText(spend.what, spend.price, spend.balance)}
      </p>
      <div className="ml-auto flex gap-2">
        <Button size="sm" variant="ghost" onClick={close}>
          Изменить
        </Button>
        <Button
          ref={agree}
          size="sm"
          variant="primary"
          aria-describedby={textId}
          // The key that asked may still be held down: its repeats are not an answer.
          onKeyDown={(event) => event.repeat && event.preventDefault()}
          onClick={() => {
            close()
            spend.onAgree()
          }}
        >
          {spend.action}
        </Button>
      </div>
    </div>
  )
}
