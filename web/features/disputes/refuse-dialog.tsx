import { useState } from 'react'
import { type DisputeDetails, MAX_DECISION } from '#contract/disputes.ts'
import { message } from '#web/lib/notify.ts'
import { TextArea } from '#web/ui/text-area.tsx'
import { DecisionDialog } from './decision-dialog.tsx'
import { useDecide } from './queries.ts'

export function RefuseDialog({ dispute, onClose }: { dispute: DisputeDetails; onClose: () => void }) {
  const decide = useDecide(dispute.id)
  const [answer, setAnswer] = useState('')
  const [isTried, setIsTried] = useState(false)
  const isMissing = answer.trim() === ''

  function submit() {
    setIsTried(true)
    if (isMissing) return
    decide.mutate(
      { action: 'refuse', answer },
      {
        onSuccess: () => {
          message.success('Ответ отправлен')
          onClose()
        },
      },
    )
  }

  return (
    <DecisionDialog
      title="Отказать в возврате"
      save="Отправить отказ"
      decide={decide}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextArea
        label="Почему списание верное"
        maxLength={MAX_DECISION}
        value={answer}
        onChange={(event) => setAnswer(event.target.value)}
        hint="Человек прочтёт это в письме и рядом с операцией."
        error={isTried && isMissing ? 'Напишите, почему: человек прочтёт это' : null}
      />
    </DecisionDialog>
  )
}
