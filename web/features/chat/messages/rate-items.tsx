import type { Message } from '#contract/threads.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { ThumbsDown, ThumbsUp } from '#web/ui/icons.ts'
import { MenuItem } from '#web/ui/menu.tsx'
import { useRateAnswer } from '../queries.ts'
import { ReasonForm } from './rating-reasons.tsx'

/** The thumbs as items of a menu. */
export function RateItems({ message, onBad }: { message: Message; onBad: () => void }) {
  const { mutate } = useRateAnswer(message)
  const { rating, status, content } = message
  if (content === '' || status === 'failed') return null
  const isGood = rating?.verdict === 'good'
  return (
    <>
      <MenuItem icon={<ThumbsUp size={18} />} onSelect={() => mutate(isGood ? null : { verdict: 'good' })}>
        {isGood ? 'Хороший ответ: убрать оценку' : 'Хороший ответ'}
      </MenuItem>
      <MenuItem icon={<ThumbsDown size={18} />} onSelect={onBad}>
        {rating?.verdict === 'bad' ? 'Плохой ответ: изменить оценку' : 'Плохой ответ'}
      </MenuItem>
    </>
  )
}

export function RatingDialog({ message, onClose }: { message: Message; onClose: () => void }) {
  const { mutate } = useRateAnswer(message)
  return (
    <Dialog open title="Оценка ответа" onClose={onClose}>
      <ReasonForm
        rating={message.rating ?? null}
        onRate={(rating) => {
          mutate(rating)
          onClose()
        }}
      />
    </Dialog>
  )
}
