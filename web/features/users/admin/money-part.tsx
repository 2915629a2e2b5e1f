import type { Grant } from '#contract/billing.ts'
import type { UserCard } from '#contract/users-admin.ts'
import { formatDay, formatNumber, formatSymbols } from '#web/lib/format.ts'
import { Button } from '#web/ui/button.tsx'
import { Callout } from '#web/ui/callout.tsx'
import { CardPart, Facts, rowStyle } from './card-part.tsx'
import { grantNames, rejectionLabels, rejectionNotes } from './user-labels.ts'

/** The balance of the user and how fast it is spent. */
export function MoneyPart({ user, onStartGift }: { user: UserCard; onStartGift: () => void }) {
  const { SingleSubscription: balance, giftRejection, grants, spent } = user
  return (
    <CardPart title="Баланс">
      <p className="figures text-2xl font-semibold">{formatSymbols(balance.availableTokens)}</p>
      {giftRejection && (
        <Callout
          tone="warning"
          title={`Стартовые символы не выданы: ${rejectionLabels[giftRejection.reason]}`}
          action={
            <Button size="sm" onClick={onStartGift}>
              Выдать вручную
            </Button>
          }
        >
          {formatSymbols(giftRejection.symbols)}, отказано {formatDay(giftRejection.createdAt)}.{' '}
          {rejectionNotes[giftRejection.reason]}
        </Callout>
      )}
      <Facts
        facts={[
          ...(balance.held > 0 ? [['Занято идущими ответами', formatNumber(balance.held)] as [string, string]] : []),
          ['Потрачено за 30 дней', formatNumber(spent.month)],
          ['Потрачено всего', formatNumber(spent.total)],
          ['Свой предел на день', balance.dailyCap === null ? 'не задан' : formatNumber(balance.dailyCap)],
        ]}
      />
      {grants.length > 0 && (
        <div className="border-t pt-4">
          <h3 className="text-sm font-medium">Из чего складывается</h3>
          <ul aria-label="Начисления" className="mt-2">
            {grants.map((grant) => (
              <GrantRow key={grant.id} grant={grant} />
            ))}
          </ul>
        </div>
      )}
    </CardPart>
  )
}

function GrantRow({ grant: { kind, note, remaining, symbols, expiresAt, createdAt } }: { grant: Grant }) {
  return (
    <li className={rowStyle}>
      <span className="min-w-0">
        <span className="block">
          {grantNames[kind]} <span className="text-sm text-muted">{formatDay(createdAt)}</span>
        </span>
        {note && <span className="block text-sm text-muted wrap-anywhere">{note}</span>}
      </span>
      <span className="figures shrink-0 text-right">
        <span className="block">
          {formatNumber(remaining)} <span className="text-muted">из {formatNumber(symbols)}</span>
        </span>
        <span className="block text-sm text-muted">{expiresAt ? `до ${formatDay(expiresAt)}` : 'без срока'}</span>
      </span>
    </li>
  )
}
