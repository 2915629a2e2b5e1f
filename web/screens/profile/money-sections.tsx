import { useSearchParams } from 'wouter'
import type { Profile } from '#contract/users.ts'
import { BalanceCard } from '#web/features/billing/balance-card.tsx'
import { BundleCards } from '#web/features/billing/bundle-cards.tsx'
import { readFilter, writeFilter } from '#web/features/billing/operation-filter.ts'
import { OperationFilterBar, OperationList } from '#web/features/billing/operation-list.tsx'
import { OrderList } from '#web/features/billing/order-list.tsx'
import { PlanSettings } from '#web/features/billing/plan-settings.tsx'
import { PromoCodeForm } from '#web/features/billing/promo-code-form.tsx'
import { useBillingEvents } from '#web/features/billing/queries.ts'
import { Usage } from '#web/features/billing/usage.tsx'
import { Card } from '#web/ui/card.tsx'
import { Section } from '#web/ui/section.tsx'

export function MoneySections({ profile }: { profile: Profile }) {
  useBillingEvents()
  const balance = profile.SingleSubscription
  return (
    <>
      <Section id="balance" title="Баланс">
        <BalanceCard balance={balance} giftRejection={profile.giftRejection} />
      </Section>
      <Section id="plan" title="Подписка">
        <PlanSettings balance={balance} />
      </Section>
      <Section id="bundles" title="Пакеты символов" description="Разовая покупка. Символы из пакета не сгорают.">
        <BundleCards />
      </Section>
      <Section id="promo" title="Промокод">
        <Card>
          <PromoCodeForm userId={profile.id} />
        </Card>
      </Section>
      <Section id="usage" title="Расход по дням">
        <Usage />
      </Section>
      <Section id="operations" title="Операции" description="Каждое начисление и списание, до символа.">
        <Operations />
      </Section>
      <Section id="receipts" title="Платежи и чеки">
        <OrderList />
      </Section>
    </>
  )
}

/** The filter is in the address, so that a filtered list can be reloaded and shared. */
function Operations() {
  const [params, setParams] = useSearchParams()
  const filter = readFilter(params)
  return (
    <div className="flex flex-col gap-4">
      <OperationFilterBar
        filter={filter}
        onChange={(next) => setParams(writeFilter(params, next), { replace: true })}
      />
      <OperationList filter={filter} />
    </div>
  )
}
