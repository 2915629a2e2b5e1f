import { type ReactNode, useId } from 'react'
import { Button } from '#web/ui/button.tsx'
import { Callout } from '#web/ui/callout.tsx'
import { Dialog } from '#web/ui/dialog.tsx'

interface DecisionDialogProps {
  title: string
  save: string
  decide: { isPending: boolean; error: Error | null }
  onSubmit: () => void
  onClose: () => void
  children: ReactNode
}

export function DecisionDialog({ title, save, decide, onSubmit, onClose, children }: DecisionDialogProps) {
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
        {decide.error && <Callout tone="danger">{decide.error.message}</Callout>}
      </form>
    </Dialog>
  )
}
