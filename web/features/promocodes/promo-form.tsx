import type { ReactNode } from 'react'
import * as z from 'zod/mini'
import { type PromoCode, PromoDraft, promoError } from '#contract/promocodes.ts'
import { adminPaths } from '#web/lib/admin-paths.ts'
import { formatDateTime } from '#web/lib/format.ts'
import { message } from '#web/lib/notify.ts'
import { Callout } from '#web/ui/callout.tsx'
import { changedOnly } from '#web/ui/form/field-errors.ts'
import { DeleteButton, FormShell } from '#web/ui/form/form-shell.tsx'
import { useForm } from '#web/ui/form/use-form.ts'
import { TextLink } from '#web/ui/text-link.tsx'
import { PromoBadge } from './promo-columns.tsx'
import { readTerms, termFields } from './promo-draft.ts'
import { giftLabel, periodLabel } from './promo-labels.ts'
import { useChangePromo, useDeletePromo } from './queries.ts'
import { PromoTermFields } from './term-fields.tsx'

/** Without the code itself: the server stores only its hash. */
const PromoTerms = z.omit(PromoDraft, { code: true })

interface PromoFormProps {
  promo: PromoCode
  onLeave: () => void
  /** The statistics of the code. */
  children: ReactNode
}

export function PromoForm({ promo, onLeave, children }: PromoFormProps) {
  const change = useChangePromo()
  const remove = useDeletePromo()
  const form = useForm({
    draft: termFields(promo),
    schema: PromoTerms,
    read: readTerms,
    rule: promoError,
    save: async (body) => {
      await change.mutateAsync({ id: promo.id, body: changedOnly(promo, body) })
      message.success('Промокод сохранён')
    },
  })
  return (
    <FormShell
      title={
        <span className="inline-flex flex-wrap items-center gap-3">
          {promo.name || 'Промокод'} …{promo.hint}
          <PromoBadge promo={promo} />
        </span>
      }
      back={{ label: 'Промокоды', href: adminPaths.promoCodes() }}
      form={form}
      save={{ label: 'Сохранить', isNew: false }}
      aside={
        <DeleteButton
          onClick={() => {
            onLeave()
            remove(promo)
          }}
        >
          Выключить насовсем
        </DeleteButton>
      }
    >
      {children}
      <PromoTermFields form={form} />
    </FormShell>
  )
}

interface PromoTermsSpentProps {
  promo: PromoCode
  children: ReactNode
}

/** A code that can no longer be switched on: its terms are read-only. */
export function PromoTermsSpent({ promo, children }: PromoTermsSpentProps) {
  return (
    <div className="flex flex-col gap-6">
      <header>
        <TextLink href={adminPaths.promoCodes()}>Промокоды</TextLink>
        <h1 className="mt-1 text-2xl font-semibold">
          {promo.name || 'Промокод'} …{promo.hint}
        </h1>
      </header>
      <Callout tone="info" title="Выключен насовсем">
        {promo.deletedAt && `${formatDateTime(promo.deletedAt)}. `}
        Код давал: {giftLabel(promo)}, действовал {periodLabel(promo)}. Что по нему уже получили, осталось.
      </Callout>
      {children}
    </div>
  )
}
