import type { ReactNode } from 'react'
import type { PromoCode } from '#contract/promocodes.ts'
import { formatDateTime } from '#web/lib/format.ts'
import { paths } from '#web/lib/paths.ts'
import { Callout } from '#web/ui/callout.tsx'
import { TextLink } from '#web/ui/text-link.tsx'
import { giftLabel, periodLabel } from './promo-labels.ts'

interface PromoTermsSpentProps {
  promo: PromoCode
  children: ReactNode
}

/** A code that can no longer be switched on: its terms are read-only. */
export function PromoTermsSpent({ promo, children }: PromoTermsSpentProps) {
  return (
    <div className="flex flex-col gap-6">
      <header>
        <TextLink href={paths.adminPromoCodes()}>Промокоды</TextLink>
        <h1 className="mt-1 text-2xl font-semibold">Промокод …{promo.hint}</h1>
      </header>
      <Callout tone="info" title="Выключен насовсем">
        {promo.deletedAt && `${formatDateTime(promo.deletedAt)}. `}
        Код давал: {giftLabel(promo)}, действовал {periodLabel(promo)}. Что по нему уже получили, осталось.
      </Callout>
      {children}
    </div>
  )
}
