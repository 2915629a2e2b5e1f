import { type ReactNode, useState } from 'react'
import type { TransactionKind } from '#contract/transactions.ts'
import type { UserCard } from '#contract/users-admin.ts'
import {
  DeleteDialog,
  FactorDialog,
  ImpersonateDialog,
  RoleDialog,
  SessionsDialog,
  StartGiftDialog,
} from './action-dialogs.tsx'
import { BanDialog } from './ban-dialog.tsx'
import { GiftDialog } from './gift-dialog.tsx'
import { KeysSection } from './keys-section.tsx'
import { MoneySection, OperationsSection, PaymentsSection } from './money-sections.tsx'
import { CountsSection, PersonSection } from './person-sections.tsx'
import { SessionsSection } from './sessions-section.tsx'
import { type Action, UserHead } from './user-head.tsx'

interface UserCardViewProps {
  user: UserCard
  grants: ReactNode
  nameOf: (kind: TransactionKind) => string
  onDeleted: () => void
}

export function UserCardView({ user, grants, nameOf, onDeleted }: UserCardViewProps) {
  const [action, setAction] = useState<OpenDialog | null>(null)
  return (
    <div className="flex flex-col gap-8">
      <UserHead user={user} onAction={setAction} />
      <div className="grid items-start gap-8 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
        <div className="flex min-w-0 flex-col gap-8">
          <MoneySection user={user} grants={grants} onStartGift={() => setAction('start-gift')} />
          <OperationsSection user={user} nameOf={nameOf} />
          <PaymentsSection user={user} />
        </div>
        <div className="flex min-w-0 flex-col gap-8">
          <PersonSection user={user} />
          <SessionsSection userId={user.id} onEndAll={() => setAction('sessions')} />
          <KeysSection userId={user.id} />
          <CountsSection user={user} />
        </div>
      </div>
      <ActionDialog action={action} user={user} onClose={() => setAction(null)} onDeleted={onDeleted} />
    </div>
  )
}

/** The open dialog: an action of the head, or the welcome symbols. */
type OpenDialog = Action | 'start-gift'

interface ActionDialogProps {
  action: OpenDialog | null
  user: UserCard
  onClose: () => void
  onDeleted: () => void
}

function ActionDialog({ action, onDeleted, ...person }: ActionDialogProps) {
  if (action === 'start-gift') return <StartGiftDialog {...person} />
  if (action === 'gift' || action === 'take') return <GiftDialog kind={action} {...person} />
  if (action === 'role') return <RoleDialog {...person} />
  if (action === 'ban') return <BanDialog {...person} />
  if (action === 'sessions') return <SessionsDialog {...person} />
  if (action === 'factor') return <FactorDialog {...person} />
  if (action === 'impersonate') return <ImpersonateDialog {...person} />
  return action === 'delete' ? <DeleteDialog {...person} onDeleted={onDeleted} /> : null
}
