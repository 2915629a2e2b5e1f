import { useState } from 'react'
import type { Profile } from '#contract/users.ts'
import { useAskForConfirmation } from '#web/features/auth/queries.ts'
import { Button } from '#web/ui/button.tsx'
import { Callout } from '#web/ui/callout.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { EmailChangeForm } from './email-change-form.tsx'
import { MailboxLink } from './mailbox-link.tsx'
import { QueryErrorNote } from './query-error-note.tsx'

type Owner = Pick<Profile, 'email' | 'emailVerified'>

export function EmailSettings({ owner }: { owner: Owner }) {
  const [isChanging, setIsChanging] = useState(false)
  return (
    <div className="flex flex-col gap-4">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-3">
        <div className="min-w-0">
          <p className="font-medium wrap-anywhere">{owner.email}</p>
          <p className="text-sm text-muted">
            {owner.emailVerified ? 'Подтверждён. Сюда приходят ссылки для входа.' : 'Ещё не подтверждён.'}
          </p>
        </div>
        <Button onClick={() => setIsChanging(true)}>Сменить адрес</Button>
      </div>
      {!owner.emailVerified && <Confirmation email={owner.email} />}
      <Dialog open={isChanging} onClose={() => setIsChanging(false)} title="Сменить адрес">
        <EmailChangeForm owner={owner} onClose={() => setIsChanging(false)} />
      </Dialog>
    </div>
  )
}

function Confirmation({ email }: { email: string }) {
  const ask = useAskForConfirmation()
  if (ask.isSuccess)
    return (
      <div role="status">
        <Callout tone="info" action={<MailboxLink />}>
          Письмо отправлено. Откройте ссылку в нём: она действует час.
        </Callout>
      </div>
    )
  return (
    <>
      <Callout
        tone="warning"
        action={
          <Button size="sm" busy={ask.isPending} onClick={() => ask.mutate({ email })}>
            Отправить письмо для подтверждения
          </Button>
        }
      >
        Подтвердите адрес, чтобы не потерять доступ к аккаунту.
      </Callout>
      <QueryErrorNote errors={ask.errors} />
    </>
  )
}
