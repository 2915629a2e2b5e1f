import { useQuery } from '@tanstack/react-query'
import type { AuthSession } from '#contract/auth-schemas.ts'
import { deviceOf } from '#contract/device-name.ts'
import { callErrorText } from '#web/lib/error-text.ts'
import { formatDateTime } from '#web/lib/format.ts'
import { Button } from '#web/ui/button.tsx'
import { Callout } from '#web/ui/callout.tsx'
import { IconRow, RowSkeletons } from '#web/ui/icon-row.tsx'
import { Eye, Monitor, Smartphone } from '#web/ui/icons.ts'
import { TableState } from '#web/ui/table/table-state.tsx'
import { CardSection } from './card-section.tsx'
import { useEndUserSession, userSessionsQuery } from './queries.ts'

interface SessionsSectionProps {
  userId: string
  onEndAll: () => void
}

export function SessionsSection({ userId, onEndAll }: SessionsSectionProps) {
  const sessions = useQuery(userSessionsQuery(userId))
  const end = useEndUserSession()
  return (
    <CardSection
      title="Сеансы"
      action={
        sessions.data &&
        sessions.data.length > 1 && (
          <Button size="sm" variant="ghost" onClick={onEndAll}>
            Завершить все
          </Button>
        )
      }
    >
      <TableState
        query={sessions}
        isEmpty={sessions.data?.length === 0}
        empty={<p className="text-muted">Сейчас нигде не вошёл.</p>}
      >
        {sessions.data ? (
          <ul aria-label="Сеансы">
            {sessions.data.map((session) => (
              <SessionRow
                key={session.id}
                session={session}
                isEnding={end.isPending && end.variables === session.token}
                onEnd={() => end.mutate(session.token)}
              />
            ))}
          </ul>
        ) : (
          <RowSkeletons count={2} />
        )}
      </TableState>
      {end.error && <Callout tone="danger">{callErrorText(end.error)}</Callout>}
    </CardSection>
  )
}

interface SessionRowProps {
  session: AuthSession
  isEnding: boolean
  onEnd: () => void
}

function SessionRow({ session, isEnding, onEnd }: SessionRowProps) {
  const { name, isHandheld } = deviceOf(session.userAgent)
  const Icon = session.impersonatedBy ? Eye : isHandheld ? Smartphone : Monitor
  const facts = [
    session.impersonatedBy && 'смотрит администратор',
    `вход ${formatDateTime(session.createdAt)}`,
    session.ipAddress,
  ]
  return (
    <IconRow
      icon={<Icon size={20} />}
      title={name}
      text={facts.filter(Boolean).join(' · ')}
      action={
        <Button size="sm" aria-label={`Завершить сеанс: ${name}`} busy={isEnding} onClick={onEnd}>
          Завершить
        </Button>
      }
    />
  )
}
