import { useState } from 'react'
import type { Profile } from '#contract/users.ts'
import { useRequestConfirmation } from '#web/features/auth/queries.ts'
import { Button } from '#web/ui/button.tsx'
import { Callout } from '#web/ui/callout.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { EmailField } from '#web/ui/form/account-fields.tsx'
import { AccountError, AccountForm } from './account-form.tsx'
import { useChangeEmail } from './account-queries.ts'
import { EmailSentNote } from './email-sent-note.tsx'
import { MailboxLink } from './mailbox-link.tsx'

type Owner = Pick<Profile, 'email' | 'emailVerified'>

export function EmailSettings({ owner }: { owner: Owner }) {
  const [isChanging, setIsChanging] = useState(false)
  return (
    <div className="flex flex-col gap-4">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-3">
        <div className="min-w-0">
          <p className="font-medium wrap-anywhere">{owner.email}</p>
          <p className="text-sm text-muted">
            {owner.emailVerified ? 'Подтверждена. Сюда приходят ссылки для входа.' : 'Ещё не подтверждена.'}
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
  const ask = useRequestConfirmation()
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
      <AccountError errors={ask.errors} />
    </>
  )
}

function EmailChangeForm({ owner, onClose }: { owner: Owner; onClose: () => void }) {
  const change = useChangeEmail()
  const [newEmail, setNewEmail] = useState('')
  // The response may change the profile, so the explanation uses the state from before the call.
  const [ownerBefore] = useState(owner)

  if (change.isSuccess)
    return (
      <EmailSentNote title={ownerBefore.emailVerified ? 'Осталось два письма' : 'Адрес изменён'} onClose={onClose}>
        {ownerBefore.emailVerified
          ? `Откройте ссылку в письме на ${ownerBefore.email}, затем ссылку в письме, которое придёт на ${newEmail.trim()}. До этого адрес остаётся прежним.`
          : `Мы отправили письмо на ${newEmail.trim()}. Откройте ссылку в нём, чтобы подтвердить адрес.`}
      </EmailSentNote>
    )
  return (
    <AccountForm
      call={change}
      submit={owner.emailVerified ? 'Отправить письмо' : 'Сменить адрес'}
      cancel={{ label: 'Не менять', onClick: onClose }}
      onSubmit={() => change.mutate(newEmail)}
    >
      <EmailField
        label="Новый адрес"
        placeholder=""
        value={newEmail}
        onChange={setNewEmail}
        hint={
          owner.emailVerified
            ? 'Сначала попросим подтверждение на нынешний адрес, потом на новый.'
            : 'Адрес сменится сразу, а на новый придёт письмо для подтверждения.'
        }
        error={change.errors.email}
      />
    </AccountForm>
  )
}
