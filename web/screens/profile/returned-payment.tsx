import { useLocation, useSearch } from 'wouter'
import { readPayment } from '#web/features/billing/payment-outcome.ts'
import { PaymentReturn } from '#web/features/billing/payment-return.tsx'
import { paths } from '#web/lib/paths.ts'

/** The payment page leads back to /profile?payment=ORDER. */
export function ReturnedPayment() {
  const [, navigate] = useLocation()
  const orderId = readPayment(useSearch())
  if (!orderId) return null
  const leaveTo = (path: string) => navigate(path, { replace: true })
  return (
    <PaymentReturn
      orderId={orderId}
      onClose={() => leaveTo(paths.profile())}
      onRetry={(kind) => leaveTo(paths.profile(kind === 'bundle' ? 'bundles' : 'plan'))}
    />
  )
}
