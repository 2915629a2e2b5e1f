import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { ApiError } from '#contract/errors.ts'
import type { FreshPromo, PromoCode } from '#contract/promocodes.ts'
import { FreshCodes } from '#web/features/promocodes/fresh-codes.tsx'
import { NewPromoForm } from '#web/features/promocodes/new-promo-form.tsx'
import { PromoForm, PromoTermsSpent } from '#web/features/promocodes/promo-form.tsx'
import { PromoFigures } from '#web/features/promocodes/promo-statistics.tsx'
import { promoQuery } from '#web/features/promocodes/queries.ts'
import { adminPaths } from '#web/lib/admin-paths.ts'
import { choiceParam, useUrlState } from '#web/lib/url-state.ts'
import { FormLoading, ItemNotFound } from '#web/ui/form/form-loading.tsx'

/** Edits a promo code; without an id, creates one or many. */
export default function PromoCodeScreen({ params: { id } }: { params: Record<string, string> }) {
  return id === undefined ? <NewPromo /> : <KnownPromo key={id} id={id} />
}

const params = { make: choiceParam(['many']) }

function NewPromo() {
  const { state, change } = useUrlState(params)
  const [made, setMade] = useState<FreshPromo[]>([])
  if (made.length > 0) return <FreshCodes codes={made} onMore={() => setMade([])} />
  return (
    <NewPromoForm
      kind={state.make ?? 'one'}
      onKind={(kind) => change({ make: kind === 'many' ? kind : null })}
      onMade={setMade}
    />
  )
}

function KnownPromo({ id }: { id: string }) {
  const promo = useQuery(promoQuery(id))
  const isUnknown = promo.error instanceof ApiError && promo.error.status === 404
  if (isUnknown)
    return (
      <ItemNotFound
        title="Такого промокода нет"
        back={{ label: 'К списку промокодов', href: adminPaths.promoCodes() }}
      />
    )
  return promo.data ? <PromoPage promo={promo.data} /> : <FormLoading query={promo} />
}

function PromoPage({ promo }: { promo: PromoCode }) {
  const [, navigate] = useLocation()
  const figures = <PromoFigures id={promo.id} isDiscount={promo.discountPercent !== null} />
  if (promo.deletedAt) return <PromoTermsSpent promo={promo}>{figures}</PromoTermsSpent>
  return (
    <PromoForm promo={promo} onLeave={() => navigate(adminPaths.promoCodes(), { replace: true })}>
      {figures}
    </PromoForm>
  )
}
