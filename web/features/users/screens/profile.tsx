import { useEffect } from 'react'
import { useLocation, useSearch } from 'wouter'
import { readPayment } from '#web/features/billing/payment-outcome.ts'
import { PaymentReturn } from '#web/features/billing/payment-return.tsx'
import { paths } from '#web/lib/paths.ts'
import { MoneySections } from './money-sections.tsx'
import { ProfilePage } from './profile-page.tsx'

/** The first part of the profile: balance and payment. */
export default function ProfileScreen() {
  return (
    <ProfilePage part="profile">
      {(profile) => (
        <>
          <ReturnedPayment />
          <MoneySections profile={profile} />
        </>
      )}
    </ProfilePage>
  )
}

/** The payment provider redirects to /profile?payment=ORDER, or ?method=ID after a new method was confirmed. */
function ReturnedPayment() {
  const [, navigate] = useLocation()
  const search = useSearch()
  const orderId = readPayment(search)
  const isMethod = new URLSearchParams(search).has('method')
  useEffect(() => {
    if (isMethod && !location.hash) navigate(`${paths.profile()}?${search}#method`, { replace: true })
  }, [isMethod, search, navigate])
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
