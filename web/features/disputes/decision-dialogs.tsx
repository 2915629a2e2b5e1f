import { type ReactNode, useId, useState } from 'react'
import { type DisputeDetails, MAX_DECISION } from '#contract/disputes.ts'
import { callErrorText } from '#web/lib/error-text.ts'
import { formatNumber, formatSymbols } from '#web/lib/format.ts'
import { message } from '#web/lib/notify.ts'
import { Button } from '#web/ui/button.tsx'
import { Callout } from '#web/ui/callout.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { SymbolsField } from '#web/ui/form/unit-field.tsx'
import { TextArea } from '#web/ui/text-area.tsx'
import { useDecide } from './queries.ts'

interface DecisionDialogProps {
  title: string
  save: string
  decide: { isPending: boolean; error: Error | null }
  onSubmit: () => void
  onClose: () => void
  children: ReactNode
}

function DecisionDialog({ title, save, decide, onSubmit, onClose, children }: DecisionDialogProps) {
  const id = useId()
  return (
    <Dialog
      open
      onClose={onClose}
      title={title}
      footer={
        <>
          <Button variant="ghost" onClick={onClose}>
            Не сейчас
          </Button>
          <Button type="submit" form={id} variant="primary" busy={decide.isPending}>
            {save}
          </Button>
        </>
      }
    >
      <form
        id={id}
        noValidate
        className="flex flex-col gap-5 pt-1"
        onSubmit={(event) => {
          event.preventDefault()
          onSubmit()
        }}
      >
        {children}
        {decide.error && <Callout tone="danger">{callErrorText(decide.error)}</Callout>}
      </form>
    </Dialog>
  )
}

export function ReturnDialog({ dispute, onClose }: { dispute: DisputeDetails; onClose: () => void }) {
  const charged = -dispute.entry.symbols
  const decide = useDecide(dispute.id)
  const [amount, setAmount] = useState(String(charged))
  const [answer, setAnswer] = useState('')
  const [isTried, setIsTried] = useState(false)
  const { symbols, error: errorText } = readReturn(amount, charged)

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
      <SymbolsField
        label="Сколько вернуть"
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

/** The typed number of symbols, or an error text. */
export function readReturn(
  text: string,
  charged: number,
): { symbols: number; error: null } | { symbols: null; error: string } {
  const digits = text.replace(/\s/g, '')
  if (!/^\d{1,15}$/.test(digits) || Number(digits) < 1) return { symbols: null, error: 'Нужно целое число от 1' }
  const symbols = Number(digits)
  if (symbols > charged) {
    return { symbols: null, error: `Списано было ${formatNumber(charged)}: больше вернуть нельзя` }
  }
  return { symbols, error: null }
}

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
