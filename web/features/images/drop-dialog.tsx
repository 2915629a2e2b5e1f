import type { Image } from '#contract/images.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { dropLabel } from './image-labels.ts'

interface DropDialogProps {
  images: readonly Image[]
  onClose: () => void
  onDrop: () => void
}

/** Who does not wait for a picture that was ordered learns its price before. */
export function DropDialog({ images, onClose, onDrop }: DropDialogProps) {
  return (
    <Dialog
      open
      onClose={onClose}
      title="Не дожидаться картинки?"
      footer={
        <>
          <Button onClick={onClose}>Дождаться</Button>
          <Button variant="danger" onClick={onDrop}>
            Не рисовать
          </Button>
        </>
      }
    >
      <p className="text-pretty">{dropLabel(images)}</p>
    </Dialog>
  )
}
