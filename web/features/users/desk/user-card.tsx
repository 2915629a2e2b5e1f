import { useState } from 'react'
import type { TransactionKind } from '#contract/transactions.ts'
import type { UserCard } from '#contract/user-desk.ts'
import {
  DeleteDialog,
  FactorDialog,
  ImpersonateDialog,
  RoleDialog,
  SessionsDialog,
  StartGiftDialog,
} from './act-dialogs.tsx'
import { BanDialog } from './ban-dialog.tsx'
import { GiftDialog } from './gift-dialog.tsx'
import { MoneyPart } from './money-part.tsx'
import { OperationsPart } from './operations-part.tsx'
import { PaymentsPart } from './payments-part.tsx'
import { CountsPart, PersonPart } from './person-part.tsx'
import { SessionsPart } from './sessions-part.tsx'
import { type Act, UserHead } from './user-head.tsx'

interface UserCardViewProps {
  user: UserCard
  nameOf: (kind: TransactionKind) => string
  onDeleted: () => void
}

export function UserCardView({ user, nameOf, onDeleted }: UserCardViewProps) {
  const [act, setAct] = useState<Shown | null>(null)
  return (
    <div className="flex flex-col gap-8">
      <UserHead user={user} onAct={setAct} />
      <div className="grid items-start gap-8 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
        <div className="flex min-w-0 flex-col gap-8">
          <MoneyPart user={user} onStartGift={() => setAct('start-gift')} />
          <OperationsPart user={user} nameOf={nameOf} />
          <PaymentsPart user={user} />
        </div>
        <div className="flex min-w-0 flex-col gap-8">
          <PersonPart user={user} />
          <SessionsPart userId={user.id} onEndAll={() => setAct('sessions')} />
          <CountsPart user={user} />
        </div>
      </div>
      <ActDialog act={act} user={user} onClose={() => setAct(null)} onDeleted={onDeleted} />
    </div>
  )
}

/** What the card itself offers, beside the acts of its head. */
type Shown = Act | 'start-gift'

interface ActDialogProps {
  act: Shown | null
  user: UserCard
  onClose: () => void
  onDeleted: () => void
}

function ActDialog({ act, onDeleted, ...person }: ActDialogProps) {
  if (act === 'start-gift') return <StartGiftDialog {...person} />
  if (act === 'gift' || act === 'take') return <GiftDialog kind={act} {...person} />
  if (act === 'role') return <RoleDialog {...person} />
  if (act === 'ban') return <BanDialog {...person} />
  if (act === 'sessions') return <SessionsDialog {...person} />
  if (act === 'factor') return <FactorDialog {...person} />
  if (act === 'impersonate') return <ImpersonateDialog {...person} />
  return act === 'delete' ? <DeleteDialog {...person} onDeleted={onDeleted} /> : null
}
