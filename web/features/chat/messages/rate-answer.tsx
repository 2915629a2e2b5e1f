import type { Message } from '#contract/threads.ts'
import { lazy, useOnDemand } from '#web/lib/lazy.tsx'
import { ThumbsDown, ThumbsUp } from '#web/ui/icons.ts'
import { useRateAnswer } from '../queries.ts'
import { ToolButton } from './message-tools.tsx'

const touchSize = 'pointer-coarse:min-h-11 pointer-coarse:min-w-11'
const iconOf = (Icon: typeof ThumbsUp, isGiven: boolean) => (
  <Icon size={17} className={isGiven ? 'fill-current text-accent-ink' : undefined} />
)

/** Thumbs for a written answer. A second click on «good» removes the rating; «bad» asks for the reason. */
export function RateAnswer({ message }: { message: Message }) {
  const { mutate } = useRateAnswer(message)
  const [Reasons, , opener] = useOnDemand(reasons)
  const { rating, status, content } = message
  if (content === '' || status === 'failed') return null
  const isGood = rating?.verdict === 'good'
  const isBad = rating?.verdict === 'bad'
  const bad = (
    <ToolButton
      label={isBad ? 'Плохой ответ: изменить оценку' : 'Плохой ответ'}
      aria-haspopup="dialog"
      aria-pressed={isBad}
      className={touchSize}
      icon={iconOf(ThumbsDown, isBad)}
      {...opener}
    />
  )
  return (
    <>
      <ToolButton
        label={isGood ? 'Хороший ответ: убрать оценку' : 'Хороший ответ'}
        aria-pressed={isGood}
        className={touchSize}
        icon={iconOf(ThumbsUp, isGood)}
        onClick={() => mutate(isGood ? null : { verdict: 'good' })}
      />
      {Reasons ? <Reasons trigger={bad} rating={rating ?? null} onRate={mutate} /> : bad}
    </>
  )
}

const reasons = lazy(async () => (await import('./rating-reasons.tsx')).RatingReasons)
