import { type FormEvent, type ReactNode, useId, useState } from 'react'
import { MAX_RATING_COMMENT, type Rating, type RatingReason, ratingReasons } from '#contract/ratings.ts'
import { Button } from '#web/ui/button.tsx'
import { TextArea } from '#web/ui/text-area.tsx'
import { Floating } from '../floating.tsx'

interface RatingReasonsProps {
  trigger: ReactNode
  rating: Rating | null
  /** Null takes the rating back. */
  onRate: (rating: Rating | null) => void
}

/** Mounted open: the click that opens it also loads it. */
export function RatingReasons({ trigger, rating, onRate }: RatingReasonsProps) {
  const [isOpen, setOpen] = useState(true)
  return (
    <Floating
      label="Что не так с ответом"
      trigger={trigger}
      open={isOpen}
      onOpenChange={setOpen}
      className="max-h-(--radix-popover-content-available-height) overflow-y-auto"
    >
      <ReasonForm
        rating={rating}
        onRate={(given) => {
          onRate(given)
          setOpen(false)
        }}
      />
    </Floating>
  )
}

export function ReasonForm({ rating, onRate }: Omit<RatingReasonsProps, 'trigger'>) {
  const before = rating?.verdict === 'bad' ? rating : null
  const [reason, setReason] = useState(before?.reason ?? null)
  const [comment, setComment] = useState(before?.comment ?? '')
  const name = useId()

  function submit(event: FormEvent) {
    event.preventDefault()
    if (reason) onRate({ verdict: 'bad', reason, comment: comment.trim() })
  }

  return (
    <form onSubmit={submit} className="flex w-80 max-w-full flex-col gap-3 p-4 text-[15px]">
      <fieldset className="flex flex-wrap gap-1.5">
        <legend className="mb-2 font-medium">Что не так?</legend>
        {(Object.keys(ratingReasons) as RatingReason[]).map((each) => (
          <label
            key={each}
            className="flex min-h-8 cursor-pointer items-center rounded-full border border-line-strong px-3 text-sm transition-colors hover:bg-hover has-checked:border-accent-ink has-checked:bg-accent-soft has-checked:text-accent-ink has-focus-visible:ring-focus pointer-coarse:min-h-11"
          >
            <input
              type="radio"
              name={name}
              checked={reason === each}
              onChange={() => setReason(each)}
              className="sr-only"
            />
            {ratingReasons[each]}
          </label>
        ))}
      </fieldset>
      <TextArea
        label="Комментарий, если хотите"
        maxLength={MAX_RATING_COMMENT}
        value={comment}
        onChange={(event) => setComment(event.target.value)}
        hint="Комментарий увидит владелец сервиса. Текста чата он не увидит."
        className="min-h-16!"
      />
      <div className="flex flex-wrap justify-between gap-2">
        {before && (
          <Button variant="ghost" onClick={() => onRate(null)}>
            Убрать оценку
          </Button>
        )}
        <Button type="submit" disabled={reason === null} className="ml-auto">
          {before ? 'Изменить' : 'Отправить'}
        </Button>
      </div>
    </form>
  )
}
