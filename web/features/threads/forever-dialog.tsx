import { plural } from '#web/lib/format.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'

interface ForeverDialogProps {
  count: number
  onConfirm: () => void
  onClose: () => void
}

/** The one act here that cannot be undone, so it asks. */
export function ForeverDialog({ count, onConfirm, onClose }: ForeverDialogProps) {
  const what = count === 1 ? 'чат' : `${count} ${plural(count, 'чат', 'чата', 'чатов')}`
  return (
    <Dialog
      open={count > 0}
      onClose={onClose}
      title={`Удалить ${what} навсегда?`}
      footer={
        <>
          <Button variant="ghost" onClick={onClose}>
            Оставить
          </Button>
          <Button variant="danger" onClick={onConfirm}>
            Удалить навсегда
          </Button>
        </>
      }
    >
      <p className="text-pretty text-muted">Сообщения исчезнут сразу, вернуть их будет нельзя.</p>
    </Dialog>
  )
}
