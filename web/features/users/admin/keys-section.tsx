import { useQuery } from '@tanstack/react-query'
import type { ApiKey } from '#contract/api-keys.ts'
import { adminPaths } from '#web/lib/admin-paths.ts'
import { callErrorText } from '#web/lib/error-text.ts'
import { formatDateTime, formatSymbols } from '#web/lib/format.ts'
import { Button } from '#web/ui/button.tsx'
import { Callout } from '#web/ui/callout.tsx'
import { IconRow } from '#web/ui/icon-row.tsx'
import { KeyRound } from '#web/ui/icons.ts'
import { CardLink, CardSection } from './card-section.tsx'
import { useEndUserKey, userKeysQuery } from './queries.ts'

/** Only for people who have keys. */
export function KeysSection({ userId }: { userId: string }) {
  const { data: keys = [] } = useQuery(userKeysQuery(userId))
  const end = useEndUserKey(userId)
  if (keys.length === 0) return null
  return (
    <CardSection title="Ключи API">
      <ul aria-label="Ключи API">
        {keys.map((key) => (
          <IconRow
            key={key.id}
            icon={<KeyRound size={20} />}
            title={key.name}
            text={factsOf(key).join(' · ')}
            action={
              <span className="flex flex-wrap items-center gap-3">
                <CardLink href={adminPaths.transactionsOfKey(userId, key.id)}>Операции</CardLink>
                {!key.endedAt && (
                  <Button
                    size="sm"
                    aria-label={`Отключить ключ ${key.name}`}
                    busy={end.isPending && end.variables === key.id}
                    onClick={() => end.mutate(key.id)}
                  >
                    Отключить
                  </Button>
                )}
              </span>
            }
          />
        ))}
      </ul>
      {end.error && <Callout tone="danger">{callErrorText(end.error)}</Callout>}
    </CardSection>
  )
}

const factsOf = ({ prefix, lastFour, endedAt, lastUsedAt, lastUsedFrom, spentMonth }: ApiKey) =>
  [
    `${prefix}…${lastFour}`,
    endedAt ? `отключён ${formatDateTime(endedAt)}` : '',
    `за месяц ${formatSymbols(spentMonth)}`,
    lastUsedAt ? `последний раз ${formatDateTime(lastUsedAt)}` : 'не использован',
    lastUsedFrom ?? '',
  ].filter(Boolean)
