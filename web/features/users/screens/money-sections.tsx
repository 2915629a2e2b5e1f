import type { Profile } from '#contract/users.ts'
import { BalanceCard } from '#web/features/billing/balance-card.tsx'
import { BundleCards } from '#web/features/billing/bundle-cards.tsx'
import { MethodSettings } from '#web/features/billing/method-settings.tsx'
import { PretenceNote } from '#web/features/billing/pay-methods.tsx'
import { PlanSettings } from '#web/features/billing/plan-settings.tsx'
import { PromoCodeForm } from '#web/features/billing/promo-code-form.tsx'
import { useBillingEvents } from '#web/features/billing/queries.ts'
import { Card } from '#web/ui/card.tsx'
import { Section } from '#web/ui/section.tsx'

export function MoneySections({ profile }: { profile: Profile }) {
  useBillingEvents()
  const balance = profile.SingleSubscription
  return (
    <>
      <PretenceNote />
      <Section id="balance" title="Баланс">
        <BalanceCard balance={balance} giftRejection={profile.giftRejection} />
      </Section>
      <Section id="plan" title="Подписка">
        <PlanSettings balance={balance} />
      </Section>
      <Section id="method" title="Способ оплаты">
        <MethodSettings balance={balance} />
      </Section>
      <Section id="bundles" title="Пакеты символов" description="Разовая покупка. Символы из пакета не сгорают.">
        <BundleCards />
      </Section>
      <Section id="promo" title="Промокод">
        <Card>
          <PromoCodeForm userId={profile.id} />
        </Card>
      </Section>
    </>
  )
}
