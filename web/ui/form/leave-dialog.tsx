import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'

interface LeaveDialogProps {
  open: boolean
  text?: string
  onStay: () => void
  onLeave: () => void
}

const UNSAVED = 'Изменения ещё не сохранены. Если уйти сейчас, они пропадут.'

export function LeaveDialog({ open, text = UNSAVED, onStay, onLeave }: LeaveDialogProps) {
  return (
    <Dialog
      open={open}
      onClose={onStay}
      title="Уйти без сохранения?"
      footer={
        <>
          <Button variant="ghost" onClick={onLeave}>
            Уйти без сохранения
          </Button>
          <Button variant="primary" onClick={onStay}>
            Остаться
          </Button>
        </>
      }
    >
      <p>{text}</p>
    </Dialog>
  )
}
