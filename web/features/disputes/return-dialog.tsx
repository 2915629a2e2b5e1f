import { useState } from 'react'
import { type DisputeDetails, MAX_DECISION } from '#contract/disputes.ts'
import { formatSymbols } from '#web/lib/format.ts'
import { message } from '#web/lib/notify.ts'
import { UnitField } from '#web/ui/form/unit-field.tsx'
import { TextArea } from '#web/ui/text-area.tsx'
import { DecisionDialog } from './decision-dialog.tsx'
import { useDecide } from './queries.ts'
import { readReturn } from './return-amount.ts'

export function ReturnDialog({ dispute, onClose }: { dispute: DisputeDetails; onClose: () => void }) {
  const charged = -dispute.entry.symbols
  const decide = useDecide(dispute.id)
  const [amount, setAmount] = useState(String(charged))
  const [answer, setAnswer] = useState('')
  const [isTried, setIsTried] = useState(false)
  const { symbols, errorText } = readReturn(amount, charged)

  function submit() {
    setIsTried(true)
    if (symbols === null) return
    decide.mutate(
      { action: 'return', body: { symbols, ...(answer.trim() && { answer }) } },
      {
        onSuccess: () => {
          message.success(`Возвращено: ${formatSymbols(symbols)}`)
          onClose()
        },
      },
    )
  }

  return (
    <DecisionDialog
      title="Вернуть символы"
      save={symbols === null ? 'Вернуть' : `Вернуть ${formatSymbols(symbols)}`}
      decide={decide}
      onSubmit={submit}
      onClose={onClose}
    >
      <UnitField
        label="Сколько вернуть"
        unit="символов"
        inputMode="numeric"
        value={amount}
        onChange={(event) => setAmount(event.target.value)}
        hint={`Списано ${formatSymbols(charged)}. Можно вернуть и часть.`}
        error={isTried ? errorText : null}
      />
      <TextArea
        label="Ответ, если нужен"
        maxLength={MAX_DECISION}
        value={answer}
        onChange={(event) => setAnswer(event.target.value)}
        hint="Человек прочтёт его в письме и рядом с операцией."
      />
    </DecisionDialog>
  )
}
