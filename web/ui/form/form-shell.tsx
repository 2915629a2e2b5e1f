import { type ReactNode, useEffect } from 'react'
import { isShortcut } from '#web/lib/shortcuts.ts'
import { BackLink } from '#web/ui/back-link.tsx'
import { Button } from '#web/ui/button.tsx'
import { Callout } from '#web/ui/callout.tsx'
import { Trash2 } from '#web/ui/icons.ts'
import { LeaveDialog, useLeaveGuard } from './leave-guard.tsx'
import type { useForm } from './use-form.ts'

type Form = Pick<ReturnType<typeof useForm>, 'form' | 'fieldErrors' | 'isDirty' | 'isSaving' | 'undo' | 'submit'>

interface FormShellProps {
  title: ReactNode
  back: { label: string; href: string }
  form: Form
  /** The save button; it is enabled without changes when the item is new. */
  save: { label: string; isNew: boolean }
  /** Further actions beside the title. */
  aside?: ReactNode
  /** Stays below the title when the form is hidden. */
  views?: ReactNode
  children: ReactNode
}

/** A page with one form and a sticky bar that shows whether it is saved. */
export function FormShell({ title, back, form, save, aside, views, children }: FormShellProps) {
  const guard = useLeaveGuard(form.isDirty && !form.isSaving)
  useSaveKeys(form)
  return (
    <div className="flex flex-col gap-6">
      <header className="flex flex-wrap items-end justify-between gap-3">
        <div className="min-w-0">
          <BackLink href={back.href}>{back.label}</BackLink>
          <h1 className="mt-1 text-2xl font-semibold wrap-anywhere">{title}</h1>
        </div>
        {aside}
      </header>
      {views}
      <form {...form.form} className="flex flex-col gap-6">
        {children}
        {form.fieldErrors.form && <Callout tone="danger">{form.fieldErrors.form}</Callout>}
        <SaveBar form={form} save={save} />
      </form>
      <LeaveDialog
        open={guard.leaving !== null}
        onStay={guard.stay}
        onLeave={() => {
          guard.stay()
          guard.leaving?.go()
        }}
      />
    </div>
  )
}

function SaveBar({ form, save }: Pick<FormShellProps, 'form' | 'save'>) {
  return (
    <div className="sticky bottom-0 z-20 -mx-4 flex flex-wrap items-center gap-3 border-t bg-page/95 px-4 py-3 backdrop-blur-sm">
      <Button type="submit" variant="primary" busy={form.isSaving} disabled={!save.isNew && !form.isDirty}>
        {save.label}
      </Button>
      {form.isDirty && !save.isNew && (
        <Button variant="ghost" disabled={form.isSaving} onClick={form.undo}>
          Отменить изменения
        </Button>
      )}
      <p role="status" className="ml-auto text-sm text-muted">
        {form.isDirty && !form.isSaving ? 'Есть несохранённые изменения' : !save.isNew && 'Всё сохранено'}
      </p>
    </div>
  )
}

/** Ctrl + S, ⌘ + S. */
function useSaveKeys({ submit }: Form) {
  useEffect(() => {
    function onKey(event: KeyboardEvent) {
      if (!isShortcut('save', event)) return
      event.preventDefault()
      void submit()
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  })
}

interface DeleteButtonProps {
  onClick: () => void
  children: ReactNode
}

export function DeleteButton({ onClick, children }: DeleteButtonProps) {
  return (
    <Button
      size="sm"
      variant="ghost"
      className="max-sm:-ml-3 text-danger!"
      icon={<Trash2 size={16} />}
      onClick={onClick}
    >
      {children}
    </Button>
  )
}
