import { useState } from 'react'
import { message } from '#web/lib/notify.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { TextArea } from '#web/ui/text-area.tsx'
import { useDispute } from './queries.ts'

interface DisputeDialogProps {
  operationId: string
  onClose: () => void
}

export function DisputeDialog({ operationId, onClose }: DisputeDialogProps) {
  const dispute = useDispute()
  const [reason, setReason] = useState('')

  function submit() {
    dispute.mutate(
      { id: operationId, reason },
      {
        onSuccess: () => {
          message.success('Отправлено. Мы проверим это списание.')
          onClose()
        },
      },
    )
  }

  return (
    <Dialog open onClose={onClose} title="Оспорить списание">
      <form
        noValidate
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        <TextArea
          label="Что не так?"
          maxLength={2000}
          value={reason}
          onChange={(event) => setReason(event.target.value)}
          hint="Например: ответ не пришёл, а символы списаны. Если вы правы, символы вернутся на баланс."
          error={dispute.errors.form ?? null}
        />
        <div className="flex flex-wrap justify-end gap-2">
          <Button variant="ghost" onClick={onClose}>
            Не оспаривать
          </Button>
          <Button type="submit" variant="primary" busy={dispute.isPending}>
            Отправить на проверку
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
