import { operationParams } from '#web/features/billing/operation-filter.ts'
import { OperationFilterBar, OperationList } from '#web/features/billing/operation-list.tsx'
import { OrderList } from '#web/features/billing/order-list.tsx'
import { useBillingEvents } from '#web/features/billing/queries.ts'
import { Usage } from '#web/features/billing/usage.tsx'
import { useUrlState } from '#web/lib/url-state.ts'
import { Section } from '#web/ui/section.tsx'
import { ProfilePage } from './profile-page.tsx'

/** What moved the balance, and the payments. */
export default function OperationsScreen() {
  useBillingEvents()
  return (
    <ProfilePage part="profile-operations">
      {() => (
        <>
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
      )}
    </ProfilePage>
  )
}

/** The filter is in the address, so that a filtered list can be reloaded and shared. */
function Operations() {
  const { state: filter, change } = useUrlState(operationParams)
  return (
    <div className="flex flex-col gap-4">
      <OperationFilterBar filter={filter} onChange={change} />
      <OperationList filter={filter} />
    </div>
  )
}
