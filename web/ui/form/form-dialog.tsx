import { type ReactNode, useId, useState } from 'react'
import { Button } from '#web/ui/button.tsx'
import { Callout } from '#web/ui/callout.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { LeaveDialog, useLeaveGuard } from './leave-guard.tsx'
import type { useForm } from './use-form.ts'

interface FormDialogProps {
  title: string
  form: Pick<ReturnType<typeof useForm>, 'form' | 'fieldErrors' | 'isDirty' | 'isSaving'>
  save: string
  onClose: () => void
  children: ReactNode
}

/** A form in a dialog. Closing it with unsaved changes asks first. */
export function FormDialog({ title, form, save, onClose, children }: FormDialogProps) {
  const id = useId()
  const [isAsking, setIsAsking] = useState(false)
  const guard = useLeaveGuard(form.isDirty && !form.isSaving)
  const stay = () => {
    setIsAsking(false)
    guard.stay()
  }
  const close = () => (form.isDirty ? setIsAsking(true) : onClose())
  return (
    <>
      <Dialog
        open
        onClose={close}
        title={title}
        footer={
          <>
            <Button variant="ghost" onClick={close}>
              Закрыть
            </Button>
            <Button type="submit" form={id} variant="primary" busy={form.isSaving}>
              {save}
            </Button>
          </>
        }
      >
        <form {...form.form} id={id} className="flex flex-col gap-5 pt-1">
          {children}
          {form.fieldErrors.form && <Callout tone="danger">{form.fieldErrors.form}</Callout>}
        </form>
      </Dialog>
      <LeaveDialog
        open={isAsking || guard.leaving !== null}
        onStay={stay}
        onLeave={() => {
          stay()
          onClose()
          guard.leaving?.go()
        }}
      />
    </>
  )
}
