import type * as z from 'zod/mini'
import { type FreshPromo, PromoBatch, PromoDraft, promoError } from '#contract/promocodes.ts'
import { adminPaths } from '#web/lib/admin-paths.ts'
import { readNumber } from '#web/lib/number-input.ts'
import { Button } from '#web/ui/button.tsx'
import { FieldRow, FormSection } from '#web/ui/form/form-section.tsx'
import { FormShell } from '#web/ui/form/form-shell.tsx'
import { UnitField } from '#web/ui/form/unit-field.tsx'
import { useForm } from '#web/ui/form/use-form.ts'
import { Dices } from '#web/ui/icons.ts'
import { Segmented } from '#web/ui/segmented.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { inventCode, newTerms, readTerms } from './promo-draft.ts'
import { useCreatePromo } from './queries.ts'
import { PromoTermFields } from './term-fields.tsx'

type Kind = 'one' | 'many'
const kinds: { value: Kind; label: string }[] = [
  { value: 'one', label: 'Один код' },
  { value: 'many', label: 'Сразу много' },
]
const schemas: Record<Kind, z.ZodMiniType<PromoDraft | PromoBatch>> = { one: PromoDraft, many: PromoBatch }

interface NewPromoFormProps {
  kind: Kind
  onKind: (kind: Kind) => void
  onMade: (codes: FreshPromo[]) => void
}

/** Creates one named code or many random ones; switching between them keeps the terms. */
export function NewPromoForm({ kind, onKind, onMade }: NewPromoFormProps) {
  const form = useNewPromoForm(kind, onMade)
  const isBatch = kind === 'many'
  return (
    <FormShell
      title={isBatch ? 'Новые промокоды' : 'Новый промокод'}
      back={{ label: 'Промокоды', href: adminPaths.promoCodes() }}
      form={form}
      save={{ label: isBatch ? 'Создать промокоды' : 'Создать промокод', isNew: true }}
    >
      <Segmented label="Сколько кодов создать" value={kind} options={kinds} onChange={onKind} />
      {isBatch ? <BatchFields form={form} /> : <CodeField form={form} />}
      <PromoTermFields form={form} isBatch={isBatch} />
    </FormShell>
  )
}

function useNewPromoForm(kind: Kind, onMade: (codes: FreshPromo[]) => void) {
  const create = useCreatePromo()
  return useForm({
    draft: { code: '', count: '50', prefix: '', ...newTerms },
    schema: schemas[kind],
    read: ({ code, count, prefix, ...terms }) => ({
      ...(kind === 'one' ? { code } : { count: readNumber(count), prefix }),
      ...readTerms(terms),
    }),
    rule: promoError,
    save: async (body) => onMade(await create.mutateAsync(body)),
  })
}

type NewPromoState = ReturnType<typeof useNewPromoForm>

function CodeField({ form }: { form: NewPromoState }) {
  return (
    <FormSection title="Код">
      <div className="flex flex-wrap items-start gap-3">
        <div className="min-w-52 flex-1">
          <TextField
            label="Что вводят люди"
            hint="Буквы, цифры, дефис и подчёркивание. Большие и маленькие буквы не различаются."
            autoComplete="off"
            spellCheck={false}
            maxLength={64}
            className="uppercase"
            {...form.text('code')}
          />
        </div>
        <Button className="sm:mt-7" icon={<Dices size={18} />} onClick={() => form.set({ code: inventCode() })}>
          Придумать
        </Button>
      </div>
    </FormSection>
  )
}

function BatchFields({ form }: { form: NewPromoState }) {
  return (
    <FormSection
      title="Коды"
      description="Каждый код случайный. Увидеть и скачать их можно один раз, сразу после создания."
    >
      <FieldRow>
        <UnitField label="Сколько кодов" unit="кодов" inputMode="numeric" {...form.text('count')} />
        <TextField
          label="С чего начинаются"
          hint="Необязательно. Например, ВЕСНА-."
          autoComplete="off"
          maxLength={20}
          {...form.text('prefix')}
        />
      </FieldRow>
    </FormSection>
  )
}
