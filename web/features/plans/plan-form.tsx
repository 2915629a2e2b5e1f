import { useLocation } from 'wouter'
import { type Plan, PlanDraft } from '#contract/plans.ts'
import { adminPaths } from '#web/lib/admin-paths.ts'
import { formatMoney, formatNumber } from '#web/lib/format.ts'
import { message } from '#web/lib/notify.ts'
import { Callout } from '#web/ui/callout.tsx'
import { CurrencyField } from '#web/ui/form/currency-field.tsx'
import { changedOnly } from '#web/ui/form/field-errors.ts'
import { FieldRow, FormSection } from '#web/ui/form/form-section.tsx'
import { FormShell } from '#web/ui/form/form-shell.tsx'
import { SymbolsField, UnitField } from '#web/ui/form/unit-field.tsx'
import { useForm } from '#web/ui/form/use-form.ts'
import { Switch } from '#web/ui/switch.tsx'
import { TextArea } from '#web/ui/text-area.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { changesTerms, newPlan, planFields, readPlan } from './plan-draft.ts'
import { useChangePlan, useCreatePlan } from './queries.ts'

interface PlanFormProps {
  /** Null for a new plan. */
  plan: Plan | null
  /** The position of a new plan: after the others. */
  position: number
  currency: string
}

export function PlanForm({ plan, position, currency }: PlanFormProps) {
  const form = usePlanForm({ plan, position, currency })
  const { draft, body } = form
  return (
    <FormShell
      title={plan ? plan.name : 'Новый тариф'}
      back={{ label: 'Тарифы', href: adminPaths.plans() }}
      form={form}
      save={plan ? { label: 'Сохранить', isNew: false } : { label: 'Добавить тариф', isNew: true }}
    >
      <FormSection title="Карточка">
        <TextField label="Название" required maxLength={100} autoFocus={!plan} {...form.text('name')} />
        <TextArea
          label="Описание"
          hint="Одно-два предложения: кому подойдёт. Их видно при выборе тарифа."
          {...form.text('description')}
        />
      </FormSection>
      <FormSection title="Условия">
        <FieldRow>
          <UnitField label="Цена" unit={draft.currency} placeholder="9,90" {...form.text('price')} />
          <CurrencyField {...form.text('currency')} />
          <SymbolsField label="Сколько символов" placeholder="500 000" {...form.text('symbols')} />
          <UnitField
            label="На какой срок"
            unit="дней"
            hint="Потом подписка продлится сама, если её можно продлить, а остаток сгорит."
            inputMode="numeric"
            {...form.text('intervalDays')}
          />
        </FieldRow>
        {body && <PerThousand {...body} />}
      </FormSection>
      {plan && changesTerms(plan, body) && (
        <Callout tone="warning" title="Подписчики узнают о новых условиях">
          Новые условия получат те, кто оформит подписку после сохранения. Кто уже платит, остаётся на прежних: им
          придёт письмо.
        </Callout>
      )}
      <FormSection title="Продажа">
        <Switch
          label="Тариф в продаже"
          hint="Выключенный лежит в архиве: его не видно, но прежние подписки продолжаются."
          {...form.flag('active')}
        />
      </FormSection>
    </FormShell>
  )
}

function usePlanForm({ plan, position, currency }: PlanFormProps) {
  const [, navigate] = useLocation()
  const create = useCreatePlan()
  const change = useChangePlan()
  return useForm({
    draft: plan ? planFields(plan) : { ...newPlan, currency },
    schema: PlanDraft,
    read: readPlan,
    save: async ({ position: _, ...body }) => {
      if (plan) {
        await change.mutateAsync({ id: plan.id, body: changedOnly(plan, body) })
        message.success('Тариф сохранён')
      } else {
        const { id } = await create.mutateAsync({ ...body, position })
        message.success('Тариф добавлен')
        navigate(adminPaths.plan(id), { replace: true })
      }
    },
  })
}

function PerThousand({ price, symbols, currency }: Pick<Plan, 'price' | 'symbols' | 'currency'>) {
  return (
    <p className="figures text-sm text-muted">
      {formatNumber(1000)} символов обойдутся в {formatMoney({ amount: (price / symbols) * 1000, currency })}.
    </p>
  )
}
