import { useState } from 'react'
import type { Profile } from '#contract/users.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { DeleteAccountForm } from './delete-account-form.tsx'

export function DeleteAccount({ profile }: { profile: Profile }) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-3">
      <p className="text-pretty text-muted">Аккаунт и всё, что в нём есть, исчезнет навсегда.</p>
      <Button variant="danger" onClick={() => setIsOpen(true)}>
        Удалить аккаунт
      </Button>
      <Dialog open={isOpen} onClose={() => setIsOpen(false)} title="Удалить аккаунт?">
        <DeleteAccountForm profile={profile} onClose={() => setIsOpen(false)} />
      </Dialog>
    </div>
  )
}
