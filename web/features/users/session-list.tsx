import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { AuthSession } from '#contract/auth-schemas.ts'
import { deviceOf } from '#contract/device-name.ts'
import { ApiError } from '#contract/errors.ts'
import { askForRequirement } from '#web/lib/call-requirements.ts'
import { formatDateTime } from '#web/lib/format.ts'
import { Button } from '#web/ui/button.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { IconRow, RowSkeletons } from '#web/ui/icon-row.tsx'
import { Monitor, Smartphone } from '#web/ui/icons.ts'
import { QueryError } from '#web/ui/query-error.tsx'
import { AccountError } from './account-form.tsx'
import { sessionsQuery, useEndOtherSessions, useEndSession } from './account-queries.ts'
import { EndKeysSwitch, useHasKeys } from './end-keys-switch.tsx'

export function SessionList() {
  const sessions = useQuery(sessionsQuery)
  const end = useEndSession()
  const endOthers = useEndOtherSessions()
  const hasKeys = useHasKeys()
  const [isAsking, setIsAsking] = useState(false)
  if (isProofLacking(sessions.error)) return <AskForProof onProven={() => void sessions.refetch()} />
  if (sessions.isError) return <QueryError query={sessions} />
  if (!sessions.data) return <RowSkeletons count={2} />

  const { current, others } = sessions.data
  return (
    <div className="flex flex-col gap-4">
      <ul>
        {current && <SessionRow session={current} />}
        {others.map((session) => (
          <SessionRow
            key={session.id}
            session={session}
            isEnding={end.isPending && end.variables === session.token}
            onEnd={() => end.mutate(session.token)}
          />
        ))}
      </ul>
      <AccountError errors={end.errors} />
      {(others.length > 1 || (others.length === 1 && hasKeys)) && (
        <div>
          <Button
            busy={endOthers.isPending}
            onClick={() => (hasKeys ? setIsAsking(true) : endOthers.mutate({ endApiKeys: false }))}
          >
            Завершить остальные сеансы
          </Button>
        </div>
      )}
      <AccountError errors={endOthers.errors} />
      {isAsking && (
        <EndOthersDialog
          onEnd={(endApiKeys) => {
            setIsAsking(false)
            endOthers.mutate({ endApiKeys })
          }}
          onClose={() => setIsAsking(false)}
        />
      )}
    </div>
  )
}

interface EndOthersDialogProps {
  onEnd: (endApiKeys: boolean) => void
  onClose: () => void
}

function EndOthersDialog({ onEnd, onClose }: EndOthersDialogProps) {
  const [endApiKeys, setEndApiKeys] = useState(true)
  return (
    <ConfirmDialog
      title="Завершить остальные сеансы?"
      action="Завершить"
      onAction={() => onEnd(endApiKeys)}
      onClose={onClose}
    >
      <p>На других устройствах нужно будет войти снова.</p>
      <EndKeysSwitch checked={endApiKeys} onChange={setEndApiKeys} />
    </ConfirmDialog>
  )
}

const isProofLacking = (error: Error | null) => error instanceof ApiError && error.code === 'proof_required'

/** The list shows where the owner lives and works, so a session that was left open somewhere does not show it. */
function AskForProof({ onProven }: { onProven: () => void }) {
  const show = async () => {
    if (await askForRequirement('proof_required')) onProven()
  }
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-3">
      <p className="min-w-0 flex-1 basis-64 text-pretty text-muted">
        Список сеансов просим открывать с подтверждением входа, если прошло больше 15 минут.
      </p>
      <Button onClick={() => void show()}>Показать сеансы</Button>
    </div>
  )
}

interface SessionRowProps {
  session: AuthSession
  isEnding?: boolean
  /** Missing for the current session. */
  onEnd?: () => void
}

function SessionRow({ session, isEnding = false, onEnd }: SessionRowProps) {
  const { name, isHandheld } = deviceOf(session.userAgent)
  const Icon = isHandheld ? Smartphone : Monitor
  const facts = [`Вход ${formatDateTime(session.createdAt)}`, session.ipAddress].filter(Boolean)
  const action = onEnd ? (
    <Button size="sm" aria-label={`Завершить сеанс: ${name}`} busy={isEnding} onClick={onEnd}>
      Завершить
    </Button>
  ) : (
    <span className="shrink-0 rounded-full bg-success-soft px-2.5 py-1 text-sm text-success">этот сеанс</span>
  )
  return <IconRow icon={<Icon size={20} />} title={name} text={facts.join(' · ')} action={action} />
}
